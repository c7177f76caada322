import Type, { type TObject, type TSchema } from 'typebox';
import type { Issue } from '../errors.ts';
import type { DefinitionContext } from './execution-type.ts';
import { type ProviderDefinition, ProviderDefinitionSchema } from './provider-definition.ts';
import type { Reporter } from './reporter.ts';
import type { Tool } from './tool.ts';
import { type ToolDefinition, ToolDefinitionSchema } from './tool-definition.ts';

/** Where a definition key may stand, and for which tools it has an effect. */
export interface KeyScope {
  /** The files that may say it: those of tools, of providers, or both. @default 'tool' */
  readonly on?: 'tool' | 'provider' | 'both';
  /** The execution types for which it has an effect; a tool of another type that says it is refused. @default every type */
  readonly executionTypes?: readonly string[];
}

export interface KeyOptions<T> extends KeyScope {
  /**
   * What the schema cannot say. Runs for each tool that the key has an effect on: with the tool's own value, else with that of its provider.
   * The pointers of issues start at the definition of the tool.
   */
  readonly check?: (value: T, around: DefinitionContext, saidBy: 'tool' | 'provider') => readonly Issue[];
  /**
   * Names the code of `check` and of the schema, another text when any of it may be another: as `fingerprint` of an execution type.
   * @default definitions with this key are linked at every start
   */
  readonly fingerprint?: string | undefined;
}

/** Reads a definition key, as its schema describes it. Undefined where it is not said. */
export interface DefinitionKey<T> {
  /** What the definition of the tool itself says. */
  of(tool: Pick<Tool, 'definition'>): T | undefined;
  /** What its provider says. */
  ofProvider(tool: Pick<Tool, 'provider'>): T | undefined;
}

/** Keys of the kernel's own schema that have their effect through a plugin. */
export type ReservedKey = 'requires_approval' | 'output_schema';

/** Keys of single parameters that have their effect through a plugin. */
export type ParameterKey = 'path' | 'from' | 'default_from' | 'names_secret' | 'options';

interface KnownKey extends KeyScope {
  /** Absent for a key that the kernel's own schema describes. */
  readonly schema?: TSchema;
  readonly check?: KeyOptions<unknown>['check'];
  readonly fingerprint?: string | undefined;
  readonly isEnforced: boolean;
}

/** One object, because schemas are compiled once for each. */
const anyValue = Type.Unknown();

/** The definition keys of one kernel beside those that every tool has: which there are, and whether a plugin puts them into effect. */
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

  /** A key that some plugin may define, before or after this. */
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

  /** Where each key may stand, and for which execution types. */
  get scopes(): ReadonlyMap<string, KeyScope> {
    return this.#keys;
  }

  /** All that the verdict on a definition follows from here, but the code of plugins that do not name it. */
  get description(): unknown {
    const byName = [...this.#keys].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [byName.map(([name, { check: _check, ...key }]) => [name, key]), [...this.#parameterKeys].toSorted()];
  }

  /** False when the definition or its provider says a key of a plugin whose code is not named. */
  areAllKnown(...definitions: readonly (ToolDefinition | ProviderDefinition | undefined)[]): boolean {
    const unnamed = [...this.#keys].filter(([, { schema, fingerprint }]) => schema !== undefined && fingerprint === undefined);
    return !unnamed.some(([name]) => definitions.some((definition) => memberOf(definition, name) !== undefined));
  }

  /** Keys that a definition or its provider says and nobody puts into effect. */
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

  /** What the plugins have to say about the values of their keys. */
  reportValues(context: DefinitionContext, report: Reporter): void {
    for (const [name, { check, executionTypes }] of this.#keys) {
      if (check === undefined || executionTypes?.includes(context.execution.type) === false) continue;
      const own = memberOf(context.definition, name);
      const value = own ?? memberOf(context.provider?.definition, name);
      if (value === undefined) continue;
      for (const { pointer = '', message } of check(value, context, own === undefined ? 'provider' : 'tool'))
        report.error(pointer, message);
    }
  }
}

/** Keys of plugins are not in the types of the kernel. */
function memberOf(definition: ToolDefinition | ProviderDefinition | undefined, name: string): unknown {
  return (definition as { readonly [key: string]: unknown } | undefined)?.[name];
}

/** The schemas made from another one, so that kernels with the same plugins share what was compiled. */
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
