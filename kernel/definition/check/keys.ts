import Type, { type TObject, type TSchema } from 'typebox';
import type { Issue } from '../../errors.ts';
import type { DefinitionContext } from '../schema/execution-type.ts';
import { type ProviderDefinition, ProviderDefinitionSchema } from '../schema/provider-definition.ts';
import type { Tool } from '../schema/tool.ts';
import { type ToolDefinition, ToolDefinitionSchema } from '../schema/tool-definition.ts';
import type { Reporter } from './reporter.ts';

/** The scope of a definition key: the definitions that may have it, and the tools to which it applies. */
export interface KeyScope {
  /** The definitions that may have the key. @default 'tool' */
  readonly on?: 'tool' | 'provider' | 'both';
  /** The execution types to which the key applies. A tool of another type with the key is refused. @default every type */
  readonly executionTypes?: readonly string[];
}

export interface KeyOptions<T> extends KeyScope {
  /**
   * Finds issues that the schema cannot express. Runs for each tool to which the key applies, with the tool's value or else its provider's.
   * The pointers of issues start at the definition of the tool. An issue with `severity: 'warning'` does not prevent use.
   */
  readonly check?: (value: T, around: DefinitionContext, saidBy: 'tool' | 'provider') => readonly Issue[];
  /**
   * Fingerprint of the code of `check` and the schema, as for an execution type.
   * @default definitions with this key are linked at every start
   */
  readonly fingerprint?: string | undefined;
}

/** Reads a definition key, typed by its schema. Returns undefined when it is absent. */
export interface DefinitionKey<T> {
  /** Returns the value in the tool's own definition. */
  of(tool: Pick<Tool, 'definition'>): T | undefined;
  /** Returns the value in the provider's definition. */
  ofProvider(tool: Pick<Tool, 'provider'>): T | undefined;
}

/** Keys of the kernel's own schema that a plugin must enforce. */
export type ReservedKey = 'requires_approval' | 'output_schema';

/** Keys of parameters that a plugin must enforce. */
export type ParameterKey = 'path' | 'from' | 'default_from' | 'names_secret' | 'options';

interface KnownKey extends KeyScope {
  /** The schema; absent for a key of the kernel's own schema. */
  readonly schema?: TSchema;
  readonly check?: KeyOptions<unknown>['check'];
  readonly fingerprint?: string | undefined;
  readonly isEnforced: boolean;
}

/** A shared object: schemas are compiled once for each object. */
const anyValue = Type.Unknown();

/** The definition keys of one kernel, besides those of every tool: their schemas, and the enforcing plugins. */
export class DefinitionKeys {
  readonly #keys = new Map<string, KnownKey>([
    ['requires_approval', { isEnforced: false }],
    ['output_schema', { isEnforced: false }],
  ]);
  readonly #parameterKeys = new Set<ParameterKey>();
  #toolSchema: TObject = ToolDefinitionSchema;
  #providerSchema: TObject = ProviderDefinitionSchema;

  /** Schema of the definitions of tools, with the keys of plugins. */
  get toolSchema(): TObject {
    return this.#toolSchema;
  }

  get providerSchema(): TObject {
    return this.#providerSchema;
  }

  isParameterKeyEnforced(name: ParameterKey): boolean {
    return this.#parameterKeys.has(name);
  }

  define<T>(name: string, schema: TSchema | undefined, { check, ...scope }: KeyOptions<T>): DefinitionKey<T> {
    this.#set(name, {
      ...scope,
      ...(schema === undefined ? {} : { schema }),
      ...(check === undefined ? {} : { check: check as KeyOptions<unknown>['check'] }),
      isEnforced: true,
    });
    return {
      of: ({ definition }) => memberOf(definition, name) as T | undefined,
      ofProvider: ({ provider }) => memberOf(provider?.definition, name) as T | undefined,
    };
  }

  /** Reserves a key that a plugin may define, before or after this. */
  reserve(name: string, scope: KeyScope): void {
    if (!this.#keys.has(name)) this.#set(name, { ...scope, schema: anyValue, isEnforced: false });
  }

  enforceParameterKey(name: ParameterKey): void {
    this.#parameterKeys.add(name);
  }

  #set(name: string, key: KnownKey): void {
    this.#keys.set(name, key);
    if (key.schema === undefined) return;
    if (key.on !== 'provider') this.#toolSchema = withMember(this.#toolSchema, name, key.schema);
    if (key.on === 'provider' || key.on === 'both') this.#providerSchema = withMember(this.#providerSchema, name, key.schema);
  }

  /** The scope of each key. */
  get scopes(): ReadonlyMap<string, KeyScope> {
    return this.#keys;
  }

  /** Everything here that affects the check of a definition, except plugin code without a fingerprint. */
  get description(): unknown {
    const byName = [...this.#keys].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [byName.map(([name, { check: _check, ...key }]) => [name, key]), [...this.#parameterKeys].toSorted()];
  }

  /** Returns false when the definition or its provider has a key of a plugin without a fingerprint. */
  areAllKnown(...definitions: readonly (ToolDefinition | ProviderDefinition | undefined)[]): boolean {
    const unnamed = [...this.#keys].filter(([, { schema, fingerprint }]) => schema !== undefined && fingerprint === undefined);
    return !unnamed.some(([name]) => definitions.some((definition) => memberOf(definition, name) !== undefined));
  }

  /** Reports keys that no plugin enforces. */
  reportUnenforced({ definition, provider, execution: { type } }: DefinitionContext, report: Reporter): void {
    for (const [name, { on, executionTypes, isEnforced }] of this.#keys) {
      const isForType = executionTypes?.includes(type) ?? true;
      const isOwn = on !== 'provider' && Object.hasOwn(definition, name);
      const isOfProvider = isForType && on !== undefined && on !== 'tool' && Object.hasOwn(provider?.definition ?? {}, name);
      if ((isOwn || isOfProvider) && !(isEnforced && isForType))
        report.error(
          `/${name}`,
          `is declared${isOfProvider ? ` for the provider "${provider?.name}"` : ''}, but no plugin of this configuration enforces it for execution type "${type}". Add the plugin, or remove the key`,
        );
    }
  }

  /** Reports issues that plugins find in the values of their keys, each with its own severity. */
  reportValues(context: DefinitionContext, report: Reporter): void {
    for (const [name, { check, executionTypes }] of this.#keys) {
      if (check === undefined || executionTypes?.includes(context.execution.type) === false) continue;
      const own = memberOf(context.definition, name);
      const value = own ?? memberOf(context.provider?.definition, name);
      if (value === undefined) continue;
      for (const { pointer = '', message, severity = 'error' } of check(value, context, own === undefined ? 'provider' : 'tool'))
        report[severity](pointer, message);
    }
  }
}

/** Returns the value of a plugin's key. The kernel's types do not have these keys. */
function memberOf(definition: ToolDefinition | ProviderDefinition | undefined, name: string): unknown {
  return (definition as { readonly [key: string]: unknown } | undefined)?.[name];
}

/** Cached extended schemas, so that kernels with the same plugins share the compiled ones. */
const extended = new WeakMap<TObject, Map<string, WeakMap<TSchema, TObject>>>();

function withMember(base: TObject, name: string, schema: TSchema): TObject {
  const byName = extended.get(base) ?? new Map<string, WeakMap<TSchema, TObject>>();
  extended.set(base, byName);
  const bySchema = byName.get(name) ?? new WeakMap<TSchema, TObject>();
  byName.set(name, bySchema);
  const known = bySchema.get(schema);
  if (known !== undefined) return known;
  const made = { ...base, properties: { ...base.properties, [name]: Type.Optional(schema) } } as TObject;
  bySchema.set(schema, made);
  return made;
}
