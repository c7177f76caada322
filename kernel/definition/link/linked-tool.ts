import type { JsonSchema } from '../../json/json.ts';
import { withExactIntegers } from '../../schema/exact-integers.ts';
import { overlaidSchema } from '../check/parameter-overlay.ts';
import { declaredParameters } from '../check/reports.ts';
import type { CredentialNeed } from '../schema/credentials.ts';
import type { ExecutionType } from '../schema/execution-type.ts';
import { inputSchemaOf } from '../schema/input-schema.ts';
import type { Origin } from '../schema/origin.ts';
import type { Parameter } from '../schema/parameter.ts';
import type { CodeFile, PinnedCode } from '../schema/pinned-code.ts';
import { hashOfDefinition, withSharedSchemas } from '../schema/shared-schemas.ts';
import type { Derivation, ExactIntegers, Provider, Tool } from '../schema/tool.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from '../schema/tool-definition.ts';

/** The data of a tool that every start reads. */
export interface ToolHead {
  readonly name: string;
  readonly credentials: readonly CredentialNeed[];
  /** The execution, for types with files: they are checked at every start. */
  readonly execution?: ToolDefinition['execution'];
  /** Digest of the definition. Absent: computed on first use. */
  readonly hash?: string;
  /** Values of small derivations, by key. */
  readonly small?: CachedDerivation;
}

/** The data of a tool that is read on its first use. */
export interface ToolBody {
  /** The definition, without the shared schemas of its provider. */
  readonly definition: ToolDefinition;
  readonly execution: ToolDefinition['execution'];
  readonly risk: Risk;
  readonly annotations: ToolAnnotations;
  /** The parameters that callers cannot set. */
  readonly hidden: readonly string[];
  readonly exactIntegers?: ExactIntegers;
}

/** Derived values by the key of their derivation. */
export type CachedDerivation = Readonly<Record<string, unknown>>;

/** A tool whose body is read on first use. */
export class LinkedTool implements Tool {
  readonly origin: Origin;
  readonly provider?: Provider;
  readonly #head: ToolHead;
  readonly #read: () => ToolBody;
  readonly #cachedDerivation: (() => CachedDerivation) | undefined;
  readonly #derived = new Map<Derivation, unknown>();
  #known: ToolBody | undefined;
  #definition: ToolDefinition | undefined;
  #hash: string | undefined;
  #code: readonly CodeFile[] | undefined;
  #parameters: Tool['parameters'] | undefined;
  #inputSchema: JsonSchema | undefined;
  #outputSchema: JsonSchema | undefined;

  /** `read` returns the body and is called once. `derived` returns cached derived values by key. */
  constructor(head: ToolHead, read: () => ToolBody, origin: Origin, provider: Provider | undefined, derived?: () => CachedDerivation) {
    this.#head = head;
    this.#read = read;
    this.#cachedDerivation = derived;
    this.origin = origin;
    if (provider !== undefined) this.provider = provider;
  }

  get #body(): ToolBody {
    this.#known ??= this.#read();
    return this.#known;
  }

  get name(): string {
    return this.#head.name;
  }

  get credentials(): readonly CredentialNeed[] {
    return this.#head.credentials;
  }

  get code(): readonly CodeFile[] | undefined {
    return this.#code;
  }

  /** Records the code of the tool when it becomes active. Not called for a preview. */
  holdCode(code: readonly CodeFile[] | undefined): void {
    this.#code = code;
  }

  get description(): string {
    return this.#body.definition.description;
  }

  get definition(): ToolDefinition {
    this.#definition ??= withSharedSchemas(this.#body.definition, this.provider?.definition);
    return this.#definition;
  }

  get execution(): ToolDefinition['execution'] {
    return this.#head.execution ?? this.#body.execution;
  }

  get risk(): Risk {
    return this.#body.risk;
  }

  get annotations(): ToolAnnotations {
    return this.#body.annotations;
  }

  get parameters(): Readonly<Record<string, Parameter>> {
    this.#parameters ??= this.#shownParameters();
    return this.#parameters;
  }

  get inputSchema(): JsonSchema {
    this.#inputSchema ??= this.#shownSchema();
    return this.#inputSchema;
  }

  get outputSchema(): JsonSchema | undefined {
    this.#outputSchema ??= this.#shownOutput();
    return this.#outputSchema;
  }

  get exactIntegers(): ExactIntegers | undefined {
    return this.#body.exactIntegers;
  }

  get hash(): string {
    this.#hash ??= this.#head.hash ?? hashOfDefinition(this.#body.definition, this.provider?.definition, this.origin.source === undefined);
    return this.#hash;
  }

  derived<T>(derivation: Derivation<T>): T {
    if (!this.#derived.has(derivation)) this.#derived.set(derivation, this.#derive(derivation));
    return this.#derived.get(derivation) as T;
  }

  #derive(derivation: Derivation): unknown {
    const key = keyOfDerivation(derivation);
    if (key === undefined) return derivation.of(this);
    const kept = (derivation.isSmall === true ? this.#head.small : this.#cachedDerivation?.()) ?? {};
    return Object.hasOwn(kept, key) ? kept[key] : derivation.of(this);
  }

  /** Returns absolute paths of the code files that the tool runs. Most execution types have none. */
  codeFiles(types: ReadonlyMap<string, ExecutionType>): readonly string[] {
    const { execution } = this.#head;
    return execution === undefined ? [] : (types.get(execution.type)?.files?.(execution, this.origin) ?? []);
  }

  /** Returns the code that runs with these files, such as their imports. */
  pinned(types: ReadonlyMap<string, ExecutionType>, reads: Map<string, unknown>): PinnedCode | undefined {
    const { execution } = this.#head;
    return execution === undefined ? undefined : types.get(execution.type)?.pinned?.(execution, this.origin, reads);
  }

  #shownParameters(): Tool['parameters'] {
    const { hidden } = this.#body;
    // Not `this.definition`: that would keep the shared schemas of each tool whose parameters are read at the start.
    const definition = this.#definition ?? withSharedSchemas(this.#body.definition, this.provider?.definition);
    return Object.fromEntries(Object.entries(declaredParameters(definition)).filter(([name]) => !hidden.includes(name)));
  }

  #shownSchema(): JsonSchema {
    const { definition } = this;
    const { hidden } = this.#body;
    const names = new Set(hidden);
    const { input_schema: schema, parameters = {} } = definition;
    const declared = declaredParameters(definition);
    return schema === undefined ? inputSchemaOf(declared, names) : overlaidSchema(schema, parameters, declared, names);
  }

  #shownOutput(): JsonSchema | undefined {
    const { exactIntegers } = this.#body;
    const { output_schema: schema } = this.definition;
    return schema === undefined ? undefined : withExactIntegers(schema, exactIntegers?.gives === true ? 'all' : 'int64');
  }
}

/** Returns the cache key of a derivation; undefined when its values must not be cached. */
export function keyOfDerivation({ name, fingerprint }: Derivation): string | undefined {
  return fingerprint === undefined ? undefined : `${name} ${fingerprint}`;
}
