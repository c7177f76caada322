import type { Static, TSchema } from 'typebox';
import type { Encoding, Identify, ReadReference } from './call/plugin-functions.ts';
import { type Launcher, ProgramLauncher } from './call/program-launcher.ts';
import { type RefusalListener, Refusals } from './call/refusals.ts';
import {
  type DefinitionKey,
  DefinitionKeys,
  type KeyOptions,
  type KeyScope,
  type ParameterKey,
  type ReservedKey,
} from './definition/check/keys.ts';
import { holdsKey } from './definition/check/reports.ts';
import type { FindWithheld } from './definition/registry/withhold.ts';
import { type ExecutionReader, type ExecutionType, executionReader } from './definition/schema/execution-type.ts';
import type { Parameter } from './definition/schema/parameter.ts';
import type { Tool } from './definition/schema/tool.ts';
import type { ToolDefinition } from './definition/schema/tool-definition.ts';
import type { CallEngine, EngineHost } from './durable/call-engine.ts';
import { ToolkitError } from './errors.ts';
import type { ControlFilesOptions } from './files/control-files.ts';
import { type ControlFilePatterns, NamedControlFiles } from './files/named-control-files.ts';
import { hostAddresses, type OutboundAddresses, type OutboundFetch } from './outbound.ts';
import { describeValue, type JsonObject } from './schema/json.ts';
import type { CredentialsOf, CredentialsSource } from './secrets/call-secrets.ts';
import { DeclaredSources } from './source/declared-sources.ts';
import type { Source, SourceAccess } from './source/source.ts';
import { KernelState } from './state/kernel-state.ts';
import type { StateStore } from './state/state-store.ts';
import { type FactKind, Facts } from './taps/facts.ts';
import { type PluginWork, PluginWorks } from './taps/plugin-work.ts';

/**
 * The proof of approval that a model must give as `_toolkit_approved`. `flag`: `true`, a claim that a person agreed; it proves nothing.
 * `token`: a text that a person handed over after agreeing. `none`: nothing; the server asks a person itself.
 */
export type ApprovalProof = 'flag' | 'token' | 'none';

/** Extends the kernel with everything besides taps. Works only during `apply`. */
export interface Extend {
  /**
   * Adds an `execution.type`. Definitions of that type are checked against `schema`. Returns a reader of a tool's checked `execution`.
   * The plugin also taps `hooks.execute.for(type)` to run calls. Its `identify` reports the identity to which approvals are bound. Throws
   * PLUGIN_INVALID when another plugin has the type.
   * @example const echo = kernel.extend.execution('echo', { schema: Type.Object({ text: Type.String() }) });
   */
  execution<S extends TSchema>(
    type: string,
    description: Omit<ExecutionType<Static<S>>, 'schema'> & { readonly schema: S; readonly identify?: Identify },
  ): ExecutionReader<Static<S>>;
  /**
   * Adds a key to tool or provider definitions, enforced by this plugin. Returns a reader of its value. Without the plugin, a definition
   * with the key is refused if another plugin reserved the name (`reserveKey`); otherwise it loads without the key, with a warning.
   * @example const cache = kernel.extend.definitionKey('cache', Type.Object({ ttl_ms: Type.Integer() })); cache.of(tool)?.ttl_ms;
   */
  definitionKey<S extends TSchema>(name: string, schema: S, options?: KeyOptions<Static<S>>): DefinitionKey<Static<S>>;
  /** Enforces one of the kernel's reserved keys. Until a plugin does, definitions with the key are refused. */
  definitionKey<K extends ReservedKey>(name: K): DefinitionKey<NonNullable<ToolDefinition[K]>>;
  /** Enforces a key of parameters. `identify` binds approvals to their values. Returns a test for a parameter with the key, at any depth. */
  parameterKey(name: ParameterKey, identify?: Identify): (parameter: Parameter) => boolean;
  /** Sets the reader of values that calls pass by path (`from: path`). It runs directly before the call does. Only one plugin may set it. */
  referenceReader(read: ReadReference): void;
  /** Reserves a key that another plugin defines. Definitions with the key are refused until that plugin is configured. */
  reserveKey(name: string, scope?: KeyScope): void;
  /** Adds an encoding for `parameter_encoding`. */
  encoding(name: string, encode: Encoding): void;
  /**
   * Protects files that control the service or its trust, such as the policy: tools may not use them. Patterns as in `ControlFileRule`.
   * @example kernel.extend.controlFiles(path.resolve(kernel.cwd, file), { what: 'the rules of the policy' });
   */
  controlFiles(patterns: ControlFilePatterns, options: ControlFilesOptions): void;
  /** Wraps the fetch of all tools. The last plugin of the configuration is the outermost. */
  fetch(wrap: (next: OutboundFetch) => OutboundFetch): void;
  /** Wraps the address lookup for connections without fetch. The last plugin of the configuration is the outermost. */
  addresses(wrap: (next: OutboundAddresses) => OutboundAddresses): void;
  /**
   * Adds a status for `kernel.status()`, such as the use of a limit: plain values without secrets. `read` may be called at any time.
   * @example kernel.extend.status('threads', () => ({ running: 2, waiting: 0 }));
   */
  status(name: string, read: () => JsonObject): void;
  /** Gives callers their own credentials instead of those of the resolver chain. Only one plugin may set it. @default the chain, for all callers */
  callerCredentials(of: CredentialsOf): void;
  /**
   * Adds work for ended calls whose answers are held (`CallEnd.isHeld`). It runs once for all of them: one write for many records.
   * A promise is awaited, within the time limit of `settled`. On throw: logged, the answers are sent.
   */
  beforeAnswers(work: PluginWork): void;
  /**
   * Adds work that runs at the start, after every plugin is applied and before tools are discovered: a check that depends on other plugins.
   * On throw: the start is refused.
   */
  ready(work: PluginWork): void;
  /**
   * Adds work that rereads the operator's files, such as rules or a certificate. It runs on each `kernel.reload()` before discovery, not when
   * a tool reloads. Keep the previous content of an invalid file, and log it. Awaited within the time limit of `discover`.
   * @example kernel.extend.reload(() => policy.reload());
   */
  reload(work: PluginWork): void;
  /** Adds a listener for requests that hosts refuse before a call, such as those without a token. Counted: one report a minute for each reason and address. */
  refusals(listener: RefusalListener): void;
  /** Sets the store behind `api.state`, shared by several processes if `isShared`. Only one plugin may set it. @default the memory of this process */
  stateStore(store: StateStore): void;
  /** Sets the engine that stores and runs durable calls (`durable: true`). `make` runs after all plugins are applied. Only one plugin may set it. */
  callEngine(make: (host: EngineHost) => CallEngine): void;
  /** Sets the launcher of tool programs. Returns a reader of the current launcher. Only one plugin may set it. @default no launcher */
  launcher(launcher?: Launcher): () => Launcher | undefined;
  /**
   * Adds a source: a server or a document with tools, resources and prompts, named `<name>_…`. Sources are listed in parallel, each with its
   * own time limit. Changes are withheld until a person accepts them. Throws PLUGIN_INVALID for a name in use. Returns services for
   * connections that outlive a listing.
   */
  source(name: string, source: Source): SourceAccess;
  /**
   * Withholds items of each new registry: `find` returns those that must not be served, and why. Runs at the start, at each reload, and when a source
   * has changed. On throw: the start or the reload fails.
   */
  withhold(find: FindWithheld): void;
  /** Sets the folders that tools may use, for sources that ask for roots. Only one plugin may set it. @default none */
  roots(read: () => readonly string[]): void;
  /** Declares that this plugin gives calls with `once` a single effect. Only one plugin may. */
  callsOnce(): void;
  /** Sets `context.output.budget` for calls of models, in characters. Only one plugin may set it. @default no limit */
  outputBudget(characters: number): void;
  /**
   * States a fact about this plugin's configuration that other plugins may read (`kernel.facts`): a plain value without secrets.
   * @example kernel.extend.fact(definitionFolders, { holds: 'tools', paths: toolPaths });
   */
  fact<T>(kind: FactKind<T>, value: T): void;
  /** Sets the proof of approval that a model must give. Only one plugin may set it. @default 'flag' */
  approvalProof(proof: ApprovalProof): void;
}

/** Sends a request by the global fetch. Throws for TLS options: only a plugin that opens the connections itself can apply them. */
const plainFetch: OutboundFetch = async (input, init, options) => {
  if (options?.clientCertificate === undefined && options?.verifyCertificate !== false) return globalThis.fetch(input, init);
  const what = options.clientCertificate === undefined ? 'leaves the certificates of servers unchecked' : 'sends client certificates';
  throw new ToolkitError('EXECUTION_FAILED', `No plugin of this configuration ${what}. Add guardOutbound().`);
};

const onceCalls = 'the effect of calls with "once"';

/** The additions of plugins to one kernel: execution types, definition keys, encodings, wrappers of fetch. */
export class Extensions {
  readonly executionTypes = new Map<string, ExecutionType>();
  /** Identifiers by execution type. */
  readonly identifiers = new Map<string, Identify>();
  readonly parameterIdentifiers: Identify[] = [];
  readReference: ReadReference | undefined;
  readonly statuses = new Map<string, () => JsonObject>();
  readonly encodings = new Map<string, Encoding>();
  readonly keys = new DefinitionKeys();
  readonly controlFiles = new NamedControlFiles();
  readonly sources = new DeclaredSources();
  readonly withholders: { readonly plugin: string; readonly find: FindWithheld }[] = [];
  readonly state = new KernelState(Date.now);
  readonly refusals = new Refusals();
  readonly facts = new Facts();
  readonly launcher = new ProgramLauncher();
  readonly beforeAnswers = new PluginWorks('before answers');
  readonly reload = new PluginWorks('during a reload');
  readonly ready = new PluginWorks('after all were applied');
  fetch: OutboundFetch = plainFetch;
  addresses: OutboundAddresses = hostAddresses;
  callerCredentials: CredentialsSource | undefined;
  outputBudget: number | undefined;
  callEngine: ((host: EngineHost) => CallEngine) | undefined;
  /** The plugin of each addition, by the addition's name. */
  readonly #owners = new Map<string, string>();
  #approvalProof: ApprovalProof = 'flag';
  #sealed = false;

  get approvalProof(): ApprovalProof {
    return this.#approvalProof;
  }

  /** Throws INVALID_PARAMETERS for an invalid `once`, and PLUGIN_INVALID when no plugin supports it. */
  requireOnce({ name: tool }: Pick<Tool, 'name'>, once: unknown): void {
    // A host makes an empty name of a missing one: two different calls would count as one.
    if (typeof once !== 'string' || once === '' || once.length > 1000) {
      const given = typeof once === 'string' ? `${once.length}` : describeValue(once);
      const message = `"${tool}" was called with a "once" that is invalid: expected a text of 1 to 1000 characters, received ${given}.`;
      throw new ToolkitError('INVALID_PARAMETERS', message, { tool });
    }
    if (this.#owners.has(onceCalls)) return;
    const message = `"${tool}" was called with "once", which no plugin of this configuration supports. Add callsOnce(), or leave it out.`;
    throw new ToolkitError('PLUGIN_INVALID', message, { tool });
  }

  /** Refuses all later additions. */
  seal(): void {
    this.#sealed = true;
  }

  /** Returns `extend` for one plugin. */
  of(plugin: string): Extend {
    return {
      execution: <S extends TSchema>(
        type: string,
        { identify, ...description }: ExecutionType<Static<S>> & { readonly identify?: Identify },
      ): ExecutionReader<Static<S>> => {
        this.#own(`the execution type "${type}"`, plugin);
        this.executionTypes.set(type, description as ExecutionType);
        this.sources.typeOwners.set(type, plugin);
        if (identify !== undefined) this.identifiers.set(type, identify);
        return executionReader<Static<S>>(type);
      },
      definitionKey: <T>(name: string, schema?: TSchema, options: KeyOptions<T> = {}): DefinitionKey<T> => {
        // Several plugins may enforce the same reserved key.
        if (schema === undefined) this.#refuseLate(`the definition key "${name}"`, plugin);
        else this.#own(`the definition key "${name}"`, plugin);
        return this.keys.define(name, schema, options);
      },
      parameterKey: (name, identify) => {
        this.#refuseLate(`the parameter key "${name}"`, plugin);
        if (identify !== undefined) this.parameterIdentifiers.push(identify);
        this.keys.enforceParameterKey(name);
        return (parameter) => holdsKey(parameter, name);
      },
      referenceReader: (read) => {
        this.#own('the reading of values by path', plugin);
        this.readReference = read;
      },
      reserveKey: (name, scope = {}) => {
        this.#refuseLate(`the definition key "${name}"`, plugin);
        this.keys.reserve(name, scope);
      },
      encoding: (name, encode) => {
        this.#own(`the encoding "${name}"`, plugin);
        this.encodings.set(name, encode);
      },
      controlFiles: (patterns, options) => {
        this.#refuseLate('control files', plugin);
        this.controlFiles.add(plugin, patterns, options);
      },
      fetch: (wrap) => {
        this.#refuseLate('a fetch wrapper', plugin);
        this.fetch = wrap(this.fetch);
      },
      addresses: (wrap) => {
        this.#refuseLate('an address wrapper', plugin);
        this.addresses = wrap(this.addresses);
      },
      status: (name, read) => {
        this.#own(`the status "${name}"`, plugin);
        this.statuses.set(name, read);
      },
      callerCredentials: (of) => {
        this.#own('credentials of callers', plugin);
        this.callerCredentials = { plugin, of };
      },
      beforeAnswers: (work) => {
        this.#refuseLate('work before answers', plugin);
        this.beforeAnswers.add(plugin, work);
      },
      ready: (work) => {
        this.#refuseLate('work of the start', plugin);
        this.ready.add(plugin, work);
      },
      reload: (work) => {
        this.#refuseLate('work of a reload', plugin);
        this.reload.add(plugin, work);
      },
      refusals: (listener) => this.refusals.add(this.#refuseLate('a listener to refusals', plugin), listener),
      stateStore: (store) => {
        this.#own('the store', plugin);
        this.state.use(store);
      },
      callEngine: (make) => {
        this.#own('the engine of durable calls', plugin);
        this.callEngine = make;
      },
      launcher: (launcher) => this.launcher.use(launcher, () => this.#own('the launcher of programs', plugin)),
      source: (name, source) => {
        this.#refuseLate(`the source "${name}"`, plugin);
        return { ...this.sources.add(name, plugin, source), controlFiles: () => this.controlFiles.current };
      },
      withhold: (find) => {
        this.withholders.push({ plugin: this.#refuseLate('the withholding of items', plugin), find });
      },
      roots: (read) => {
        this.#own('the folders that tools may use', plugin);
        this.sources.roots = read;
      },
      callsOnce: () => this.#own(onceCalls, plugin),
      outputBudget: (characters) => {
        this.#own('the budget of outputs', plugin);
        this.outputBudget = characters;
      },
      fact: (kind, value) => this.facts.add(this.#refuseLate(`the fact "${kind.name}"`, plugin), kind, value),
      approvalProof: (proof) => {
        this.#own('the proof of approval', plugin);
        this.#approvalProof = proof;
      },
    };
  }

  /** Registers an addition that only one plugin may make. */
  #own(what: string, plugin: string): void {
    this.#refuseLate(what, plugin);
    if (this.#owners.has(what))
      throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" adds ${what}, which another plugin has added. Remove one of the two.`, {
        plugin,
      });
    this.#owners.set(what, plugin);
  }

  #refuseLate(what: string, plugin: string): string {
    if (this.#sealed)
      throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" adds ${what} after apply(). Do it inside apply().`, { plugin });
    return plugin;
  }
}
