import path from 'node:path';
import { describeValue, isPlainObject } from '../../json/json.ts';
import { checkValue } from '../../schema/check-value.ts';
import { didYouMean } from '../../schema/nearest.ts';
import type { Reporter } from '../check/reporter.ts';
import type { Origin } from '../schema/origin.ts';
import { type Parameter, ParameterSchema, ParametersSchema } from '../schema/parameter.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';

/** Maximum number of references that one definition may follow: shared entries that refer to shared entries could multiply without end. */
const maxReferences = 1000;

type Members = Readonly<Record<string, unknown>>;

/** The pointer of a reference in the tool's file, and the names followed inside the provider's. */
interface ReferencePosition {
  readonly pointer: string;
  readonly names: readonly string[];
}

/** The members of a tool's provider that are used here. */
interface SharingProvider {
  readonly definition: ProviderDefinition;
  readonly origin: Origin;
}

/**
 * Returns the definition with each `$ref` under `parameters` replaced by the provider's entry under `$defs`, for one parameter or the whole map.
 * Members next to a reference take precedence. Reports an invalid reference.
 */
export function withSharedParameters(
  definition: ToolDefinition,
  origin: Origin,
  provider: SharingProvider | undefined,
  report: Reporter,
): ToolDefinition {
  const { parameters } = definition;
  if (parameters === undefined || !mapReferences(parameters)) return definition;
  const resolved = new Resolution(origin, provider, report).map(parameters, { pointer: '/parameters', names: [] });
  return { ...definition, parameters: resolved as Readonly<Record<string, Parameter>> };
}

function mapReferences(parameters: Members): boolean {
  return Object.hasOwn(parameters, '$ref') || Object.values(parameters).some(isReference);
}

/** True for a parameter with a reference. Ignores values such as `default`. */
function isReference(parameter: unknown): boolean {
  if (!isPlainObject(parameter)) return false;
  const { $ref, items, properties = {}, additionalProperties } = parameter;
  return (
    $ref !== undefined || isReference(items) || isReference(additionalProperties) || Object.values(properties as Members).some(isReference)
  );
}

class Resolution {
  readonly #origin: Origin;
  readonly #provider: SharingProvider | undefined;
  readonly #report: Reporter;
  #followed = 0;

  constructor(origin: Origin, provider: SharingProvider | undefined, report: Reporter) {
    this.#origin = origin;
    this.#provider = provider;
    this.#report = report;
  }

  /** Replaces the references in a map of parameters. */
  map(parameters: Members, pointer: ReferencePosition): Members {
    const { $ref: reference, ...own } = parameters;
    const resolved = this.#members(own, pointer);
    if (reference === undefined) return resolved;
    const shared = this.#follow(reference, pointer, ParametersSchema, 'map of parameters');
    return shared === undefined ? resolved : merged(parameters, this.map(shared.entry, shared.pointer), resolved);
  }

  #parameter(written: unknown, pointer: ReferencePosition): unknown {
    if (!isPlainObject(written)) return written;
    const { $ref: reference, ...own } = written;
    const resolved = this.#inner(own, pointer);
    if (reference === undefined) return resolved;
    const shared = this.#follow(reference, pointer, ParameterSchema, 'parameter');
    return shared === undefined ? resolved : merged(written, this.#parameter(shared.entry, shared.pointer) as Members, resolved);
  }

  /** Replaces the references in the items and members of a parameter. */
  #inner(own: Members, pointer: ReferencePosition): Members {
    const { items, properties, additionalProperties } = own;
    return {
      ...own,
      ...(items === undefined ? {} : { items: this.#parameter(items, below(pointer, 'items')) }),
      ...(isPlainObject(properties) ? { properties: this.#members(properties, below(pointer, 'properties')) } : {}),
      ...(isPlainObject(additionalProperties)
        ? { additionalProperties: this.#parameter(additionalProperties, below(pointer, 'additionalProperties')) }
        : {}),
    };
  }

  #members(members: Members, pointer: ReferencePosition): Members {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, this.#parameter(member, below(pointer, name))]));
  }

  #follow(
    reference: unknown,
    { pointer, names }: ReferencePosition,
    schema: typeof ParametersSchema | typeof ParameterSchema,
    kind: string,
  ): { readonly entry: Members; readonly pointer: ReferencePosition } | undefined {
    this.#followed += 1;
    if (this.#followed > maxReferences + 1) return undefined;
    const refuse = (message: string): undefined => {
      // Issues inside a shared entry are reported at the tool's reference.
      this.#report.error(names.length === 0 ? `${pointer}/$ref` : pointer, message);
    };
    if (this.#followed > maxReferences) return refuse(`leads to more than ${maxReferences} references. Write some of the parameters out`);
    const name = typeof reference === 'string' ? /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1] : undefined;
    if (name === undefined)
      return refuse(`expected "#/$defs/name", with a name that the provider has under "$defs", received ${describeValue(reference)}`);
    if (this.#provider === undefined) return refuse(`refers to "${reference}", ${this.#missing()}`);
    const { $defs = {} } = this.#provider.definition;
    const source = sourceOf(this.#provider);
    const known = Object.keys($defs);
    if (!known.includes(name))
      return refuse(
        `refers to "${reference}", which ${source} does not have.${didYouMean(name, known)} Expected one of ${known.join(', ') || '(it has no "$defs")'}`,
      );
    if (names.includes(name)) return refuse(`refers to "${reference}" in a circle: ${[...names, name].join(' → ')} (in ${source})`);
    const [issue] = checkValue(schema, $defs[name]);
    if (issue !== undefined) {
      const problem = `${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`;
      return refuse(`refers to "${reference}" of ${source}, which is no ${kind}: ${problem}`);
    }
    const at = names.length === 0 ? `${pointer}/$ref` : pointer;
    return { entry: $defs[name] as Members, pointer: { pointer: at, names: [...names, name] } };
  }

  #missing(): string {
    const { file } = this.#origin;
    const where = file === undefined ? 'the definition.yaml beside the tool' : path.join(path.dirname(file), 'definition.yaml');
    return `but no provider file is known here. Expected ${where}, or one in a folder above, with "provider" and "$defs"`;
  }
}

/** Returns the position of a member. Inside a shared entry it stays that of the reference, because the member is not in the tool's file. */
function below({ pointer, names }: ReferencePosition, key: string): ReferencePosition {
  return { pointer: names.length === 0 ? `${pointer}/${key}` : pointer, names };
}

/** Replaces the reference by the shared members. The tool's own members take precedence. */
function merged(written: Members, shared: Members, own: Members): Members {
  const keys = Object.keys(written);
  const before = Object.fromEntries(keys.slice(0, keys.indexOf('$ref')).map((key) => [key, own[key]]));
  return { ...before, ...shared, ...own };
}

function sourceOf({ definition, origin }: SharingProvider): string {
  return origin.file ?? `the provider "${definition.provider.name}"`;
}
