import type { Static, TSchema } from 'typebox';
import type { Identify } from './approval/identify.ts';
import { type Launcher, ProgramLauncher } from './call/program-launcher.ts';
import type { ReadReference } from './call/reference-reader.ts';
import { type RefusalListener, Refusals } from './call/refusals.ts';
import { type ExecutionReader, type ExecutionType, executionReader } from './definition/execution-type.ts';
import {
  type DefinitionKey,
  DefinitionKeys,
  type KeyOptions,
  type KeyScope,
  type ParameterKey,
  type ReservedKey,
} from './definition/keys.ts';
import type { Parameter } from './definition/parameter.ts';
import { holdsKey } from './definition/reports.ts';
import type { Tool } from './definition/tool.ts';
import type { ToolDefinition } from './definition/tool-definition.ts';
import type { CallEngine, EngineHost } from './durable/call-engine.ts';
import { ToolkitError } from './errors.ts';
import type { ControlFilesOptions } from './files/control-files.ts';
import { type ControlFilePatterns, NamedControlFiles } from './files/named-control-files.ts';
import { hostAddresses, type OutboundAddresses, type OutboundFetch } from './outbound.ts';
import { describeValue, type JsonObject } from './schema/json.ts';
import type { CredentialsOf, CredentialsSource } from './secrets/call-secrets.ts';
import { DeclaredSources } from './source/declared-sources.ts';
import type { Source } from './source/source.ts';
import { KernelState } from './state/kernel-state.ts';
import type { StateStore } from './state/state-store.ts';
import { type PluginWork, PluginWorks } from './taps/plugin-work.ts';

/** Turns parameter values into one value, such as a MIME message. `values` are the sources by parameter name. */
export type Encoding = (values: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>) => unknown;

/**
 * What a model has to give as `_toolkit_approved` with a call of a tool that requires approval. `flag`: `true`, which claims that a person
 * agreed and proves nothing. `token`: the text that a person handed over after agreeing. `none`: nothing, the server asks a person itself.
 */
export type ApprovalProof = 'flag' | 'token' | 'none';

/** What a plugin adds to the kernel, beside its taps. Works during `apply` only. */
export interface Extend {
  /**
   * Adds an `execution.type`: definitions with it are checked against `schema`. Returns the reader of the checked `execution` of a tool. The
   * plugin also taps `hooks.execute.for(type)`, to run it, and says in `identify` what a call will run: an approval is bound to that. Throws
   * PLUGIN_INVALID for a type that another plugin has.
   * @example const echo = kernel.extend.execution('echo', { schema: Type.Object({ text: Type.String() }) });
   */
  execution<S extends TSchema>(
    type: string,
    description: Omit<ExecutionType<Static<S>>, 'schema'> & { readonly schema: S; readonly identify?: Identify },
  ): ExecutionReader<Static<S>>;
  /**
   * Adds a key to tool or provider definitions, which this plugin enforces. Returns the reader of its value. Without the plugin a definition
   * with the key is refused where a plugin reserved the name (`reserveKey`), else it is loaded without the key, with a warning.
   * @example const cache = kernel.extend.definitionKey('cache', Type.Object({ ttl_ms: Type.Integer() })); cache.of(tool)?.ttl_ms;
   */
  definitionKey<S extends TSchema>(name: string, schema: S, options?: KeyOptions<Static<S>>): DefinitionKey<Static<S>>;
  /** Takes over one of the kernel's own keys that a plugin must enforce. Until one does, definitions with the key are refused. */
  definitionKey<K extends ReservedKey>(name: K): DefinitionKey<NonNullable<ToolDefinition[K]>>;
  /** The same for a key of single parameters, to whose values `identify` binds approvals. Gives what tells whether one says it, at any depth. */
  parameterKey(name: ParameterKey, identify?: Identify): (parameter: Parameter) => boolean;
  /** Sets what reads values that calls name by path (`from: path`), in the moment before they run. Only one plugin may. */
  referenceReader(read: ReadReference): void;
  /** A key that another plugin defines where it is configured: until one does, definitions with it are refused. */
  reserveKey(name: string, scope?: KeyScope): void;
  /** A name for `parameter_encoding`. */
  encoding(name: string, encode: Encoding): void;
  /**
   * Names files that decide what the service does or whom it trusts, such as the policy: tools leave them alone. Patterns as in `ControlFileRule`.
   * @example kernel.extend.controlFiles(path.resolve(kernel.cwd, file), { what: 'the rules of the policy' });
   */
  controlFiles(patterns: ControlFilePatterns, options: ControlFilesOptions): void;
  /** Wraps the fetch that all tools use; the last plugin of the configuration is the outermost. */
  fetch(wrap: (next: OutboundFetch) => OutboundFetch): void;
  /** Wraps the lookup that tools make before a connection without fetch; the last plugin of the configuration is the outermost. */
  addresses(wrap: (next: OutboundAddresses) => OutboundAddresses): void;
  /**
   * Says how much of what this plugin limits is in use, as plain values without secrets: for `kernel.status()`, asked for at any time.
   * @example kernel.extend.status('threads', () => ({ running: 2, waiting: 0 }));
   */
  status(name: string, read: () => JsonObject): void;
  /** Gives callers credentials of their own, in place of what the resolver chain has. Only one plugin may. @default the chain, for all */
  callerCredentials(of: CredentialsOf): void;
  /**
   * Work for calls that have ended, done once for all of which `CallEnd.isHeld` says that their answers are still held: one write for many
   * records. Waited for where it gives a promise, within the time limit of `settled`. On throw: logged, the answers leave.
   */
  beforeAnswers(work: PluginWork): void;
  /**
   * What the start waits for once every plugin is applied, before tools are discovered: a check that depends on what others have added.
   * What it throws refuses the start.
   */
  ready(work: PluginWork): void;
  /**
   * Reads files of the operator again that are no tools, such as rules or a certificate: run by each `kernel.reload()` before it discovers,
   * and not when a tool reloads. What is broken now must leave what was read before; log it. Waited for within the time limit of `discover`.
   * @example kernel.extend.reload(() => policy.reload());
   */
  reload(work: PluginWork): void;
  /** Called with what hosts refuse before it is a call, such as requests without a token: counted, at most one a minute for each reason and address. */
  refusals(listener: RefusalListener): void;
  /** Keeps what plugins put into `api.state`, also for other processes where it says so. Only one plugin may. @default the memory of this process */
  stateStore(store: StateStore): void;
  /** Keeps calls that survive a restart (`durable: true`), and makes them. `make` is called when all plugins are applied. Only one plugin may. */
  callEngine(make: (host: EngineHost) => CallEngine): void;
  /** Sets how programs of tools are started; without one, reads what another plugin has set. Only one plugin may. @default as they are */
  launcher(launcher?: Launcher): () => Launcher | undefined;
  /**
   * Adds a source: a server or a document whose tools, resources and prompts come under names that begin with `<name>_`. It is listed beside
   * others within its own time, and what changes in it is withheld until somebody has seen it. Throws PLUGIN_INVALID for a name that another one has.
   */
  source(name: string, source: Source): void;
  /** Says which folders tools may use, for sources that ask. Only one plugin may. @default none */
  roots(read: () => readonly string[]): void;
  /** Says that this plugin gives calls with `once` one effect. Only one plugin may. */
  callsOnce(): void;
  /** Sets `context.output.budget` of calls of models, in characters. Only one plugin may. @default no limit */
  outputBudget(characters: number): void;
  /** Sets what a model has to give to call a tool that requires approval. Only one plugin may set it. @default 'flag' */
  approvalProof(proof: ApprovalProof): void;
}

/** A plugin that opens connections takes what TLS needs out of the options; where nobody did, the request must not go without it. */
const plainFetch: OutboundFetch = async (input, init, options) => {
  if (options?.clientCertificate === undefined && options?.verifyCertificate !== false) return globalThis.fetch(input, init);
  const what = options.clientCertificate === undefined ? 'leaves the certificates of servers unchecked' : 'sends client certificates';
  throw new ToolkitError('EXECUTION_FAILED', `No plugin of this configuration ${what}. Add guardOutbound().`);
};

const onceCalls = 'the effect of calls with "once"';

/** What plugins add to one kernel while they are applied: execution types, definition keys, encodings, wrappers of fetch. */
export class Extensions {
  readonly executionTypes = new Map<string, ExecutionType>();
  /** By execution type. */
  readonly identifiers = new Map<string, Identify>();
  readonly parameterIdentifiers: Identify[] = [];
  readReference: ReadReference | undefined;
  readonly statuses = new Map<string, () => JsonObject>();
  readonly encodings = new Map<string, Encoding>();
  readonly keys = new DefinitionKeys();
  readonly controlFiles = new NamedControlFiles();
  readonly sources = new DeclaredSources();
  readonly state = new KernelState(Date.now);
  readonly refusals = new Refusals();
  readonly launcher = new ProgramLauncher();
  readonly beforeAnswers = new PluginWorks('before answers');
  readonly reload = new PluginWorks('in a reload');
  readonly ready = new PluginWorks('when all are applied');
  fetch: OutboundFetch = plainFetch;
  addresses: OutboundAddresses = hostAddresses;
  callerCredentials: CredentialsSource | undefined;
  outputBudget: number | undefined;
  callEngine: ((host: EngineHost) => CallEngine) | undefined;
  /** By what is added, the plugin that did. */
  readonly #owners = new Map<string, string>();
  #approvalProof: ApprovalProof = 'flag';
  #sealed = false;

  get approvalProof(): ApprovalProof {
    return this.#approvalProof;
  }

  /** Throws INVALID_PARAMETERS for what is no name of a call, and PLUGIN_INVALID where no plugin sees to it that a call has its effect once. */
  requireOnce({ name: tool }: Pick<Tool, 'name'>, once: unknown): void {
    // An empty one is what a host made of a name that it does not have: two calls would be one.
    if (typeof once !== 'string' || once === '' || once.length > 1000) {
      const given = typeof once === 'string' ? `${once.length}` : describeValue(once);
      const message = `"${tool}" was called with a "once" that is no name: expected a text of 1 to 1000 characters, received ${given}.`;
      throw new ToolkitError('INVALID_PARAMETERS', message, { tool });
    }
    if (this.#owners.has(onceCalls)) return;
    const message = `"${tool}" was called with "once", and no plugin of this configuration sees to that. Add callsOnce(), or leave it out.`;
    throw new ToolkitError('PLUGIN_INVALID', message, { tool });
  }

  /** After this nothing can be added. */
  seal(): void {
    this.#sealed = true;
  }

  /** `extend` as one plugin sees it. */
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
        // Several plugins may put one of the kernel's own keys into effect.
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
        this.sources.add(name, plugin, source);
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
      approvalProof: (proof) => {
        this.#own('the proof of approval', plugin);
        this.#approvalProof = proof;
      },
    };
  }

  /** What one plugin alone may add. */
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
