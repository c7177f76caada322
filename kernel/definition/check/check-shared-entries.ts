import type { TSchema } from 'typebox';
import type { Issue } from '../../errors.ts';
import { isPlainObject } from '../../json/json.ts';
import { checkSchema } from '../../schema/check-schema.ts';
import { checkValue, pathOf } from '../../schema/check-value.ts';
import { pointerSegments } from '../../schema/validator-finding.ts';
import { inputSchemaOf } from '../schema/input-schema.ts';
import { type Parameter, ParameterSchema, ParametersSchema } from '../schema/parameter.ts';

type Entries = Readonly<Record<string, unknown>>;

/**
 * Finds issues in the `$defs` of a provider. An entry is a JSON Schema, a parameter or a map of parameters, and may be several of them. A tool's
 * reference is checked when the tool is linked.
 */
export function checkSharedEntries($defs: Entries): readonly Issue[] {
  const asSchemas = checkSchema({ $defs });
  return Object.entries($defs).flatMap(([name, entry]) => {
    const asSchema = asSchemas.filter(({ pointer = '' }) => pointerSegments(pointer)[1] === name);
    return asSchema.length === 0 ? [] : (asParameters(name, entry, $defs, asSchema) ?? asSchema);
  });
}

/** Finds issues of an entry as parameters; undefined when nothing marks it as parameters. */
function asParameters(name: string, entry: unknown, $defs: Entries, asSchema: readonly Issue[]): readonly Issue[] | undefined {
  if (checkValue(ParameterSchema, entry).length === 0)
    return schemaIssues({ [name]: entry as Parameter }, $defs).map((issue) => moved(issue, '/properties', '/$defs'));
  if (isPlainObject(entry) && checkValue(ParametersSchema, entry).length === 0) {
    const { $ref: _reference, ...parameters } = entry;
    const inside = schemaIssues(parameters as Readonly<Record<string, Parameter>>, $defs);
    return [
      ...asSchema.filter(({ pointer }) => pointer === `/$defs/${name}/$ref`),
      ...inside.map((issue) => moved(issue, '/properties', `/$defs/${name}`)),
    ];
  }
  return saysRequired(entry) ? checkValue(kindOf(entry), entry).map((issue) => moved(issue, '', `/$defs/${name}`)) : undefined;
}

function schemaIssues(parameters: Readonly<Record<string, Parameter>>, $defs: Entries): readonly Issue[] {
  const issues = checkSchema({ ...inputSchemaOf(parameters, new Set()), $defs });
  return issues.filter(({ pointer = '' }) => !pointer.startsWith('/$defs'));
}

/** True for an entry with a boolean `required`: only parameters have one. */
function saysRequired(entry: unknown): boolean {
  return /"required":(true|false)/.test(JSON.stringify(entry));
}

function kindOf(entry: unknown): TSchema {
  return isPlainObject(entry) && Object.values(entry).every(isPlainObject) ? ParametersSchema : ParameterSchema;
}

function moved(issue: Issue, from: string, to: string): Issue {
  const pointer = `${to}${(issue.pointer ?? '').slice(from.length)}`;
  return { ...issue, path: pathOf(pointer), pointer };
}
