import type { Issue } from '../../errors.ts';
import { pathOf } from '../../schema/check-value.ts';
import { didYouMean } from '../../schema/nearest.ts';
import { isSecretName } from '../schema/credentials.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import { checkOAuth2 } from './check-oauth2.ts';
import { checkSharedEntries } from './check-shared-entries.ts';

/** Finds issues that the schema of a provider file cannot express: unusable shared entries, invalid references in its mapping, and an incomplete `oauth2`. */
export function checkProvider(definition: ProviderDefinition): readonly Issue[] {
  const { $defs, parameter_mapping: mapping = [] } = definition;
  const names = mapping.map(({ parameter }) => parameter);
  return [
    ...($defs === undefined ? [] : checkSharedEntries($defs)),
    ...mapping.flatMap((entry, index) => wrongValues(entry, `/parameter_mapping/${index}`)),
    ...mapping.flatMap(({ unless, derive_from: from }, index) => [
      ...unknownName(unless, names, `/parameter_mapping/${index}/unless`),
      ...unknownName(from?.parameter, names, `/parameter_mapping/${index}/derive_from/parameter`),
      ...wrongPattern(from?.pattern, `/parameter_mapping/${index}/derive_from/pattern`),
    ]),
    ...checkOAuth2(definition),
  ];
}

function unknownName(name: string | undefined, names: readonly string[], pointer: string): Issue[] {
  if (name === undefined || names.includes(name)) return [];
  return [issue(pointer, `names "${name}", which parameter_mapping does not have.${didYouMean(name, names)}`)];
}

/** Finds issues of `default` and `enum`. They must not contain a secret, because everybody may read the file. */
function wrongValues(entry: NonNullable<ProviderDefinition['parameter_mapping']>[number], pointer: string): Issue[] {
  const { parameter, env_pattern: secret, default: value, enum: values } = entry;
  const isSecret = entry.secret !== false || isSecretName(parameter) || isSecretName(secret);
  const keys = [...(value === undefined ? [] : ['default']), ...(values === undefined ? [] : ['enum'])];
  if (isSecret && keys.length > 0)
    return keys.map((key) =>
      issue(`${pointer}/${key}`, 'needs "secret: false", and names without TOKEN, KEY, SECRET and the like: a definition holds no secret'),
    );
  if (value === undefined || values === undefined || values.includes(value)) return [];
  return [issue(`${pointer}/default`, `expected one of ${values.join(', ')}, as "enum" says, received "${value}"`)];
}

function wrongPattern(pattern: string | undefined, pointer: string): Issue[] {
  if (pattern === undefined) return [];
  const expected = 'expected a regular expression (ECMA-262) with one group, such as "-([a-z0-9]+)$"';
  try {
    const groups = (new RegExp(`${pattern}|`, 'u').exec('')?.length ?? 1) - 1;
    return groups === 1 ? [] : [issue(pointer, `${expected}, received ${groups} groups`)];
  } catch {
    return [issue(pointer, `${expected}, received "${pattern}"`)];
  }
}

function issue(pointer: string, message: string): Issue {
  return { path: pathOf(pointer), pointer, message };
}
