import type { Static, TSchema } from 'typebox';
import type { ApprovalHost, ApprovalInbox } from './approval/approval-inbox.ts';
import type { ApprovalListener } from './approval/approval-record.ts';
import type { Encoding, Identify, ReadReference } from './call/context/plugin-functions.ts';
import type { Launcher } from './call/program-launcher.ts';
import type { RefusalListener } from './call/refusals.ts';
import type { DefinitionKey, KeyOptions, KeyScope, ParameterKey, ReservedKey } from './definition/check/keys.ts';
import type { FindWithheld } from './definition/registry/withhold.ts';
import type { ExecutionReader, ExecutionType } from './definition/schema/execution-type.ts';
import type { Parameter } from './definition/schema/parameter.ts';
import type { ToolDefinition } from './definition/schema/tool-definition.ts';
import type { CallEngine, EngineHost } from './durable/call-engine.ts';
import type { FindEffect } from './durable/known-effect.ts';
import type { ControlFilesOptions } from './files/control-files.ts';
import type { ControlFilePatterns } from './files/named-control-files.ts';
import type { JsonObject } from './json/json.ts';
import type { OutboundAddresses, OutboundFetch } from './outbound.ts';
import type { CredentialsOf } from './secrets/call-secrets.ts';
import type { CredentialSource } from './secrets/credential-source.ts';
import type { HttpRoute, HttpRouteAccess } from './serve/http-route.ts';
import type { Source, SourceAccess } from './source/source.ts';
import type { StateStore } from './state/state-store.ts';
import type { FactKind } from './taps/facts.ts';
import type { Gauge } from './taps/gauges.ts';
import type { PluginWork } from './taps/plugin-work.ts';
import type { Tracer } from './trace/span.ts';

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
  /**
   * Gives callers their own credentials. A function replaces those of the resolver chain for a caller; only one plugin may set it. A source
   * gives values for the names that it provides, before the chain; several plugins may add one. For each name without a value in the
   * function's record, the sources are asked in the order of the configuration. @default the chain, for all callers
   */
  callerCredentials(source: CredentialsOf | CredentialSource): void;
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
  /**
   * Adds a page to the HTTP server, where one runs. The server checks Host, Origin, method and size, and asks for no token: the route authenticates
   * its requests itself, unless it is for operators (`access`). Throws PLUGIN_INVALID for a path that another plugin has. Returns the server's address for links.
   * @example const pages = extend.httpRoute({ path: '/hello', handle: () => ({ status: 200, body: `This is ${pages.baseUrl()}.` }) });
   */
  httpRoute(route: HttpRoute): HttpRouteAccess;
  /** Sets the folders that tools may use, for sources that ask for roots. Only one plugin may set it. @default none */
  roots(read: () => readonly string[]): void;
  /** Sets the keeper of approval records. `make` runs after all plugins are applied. Only one plugin may set it. @default no records */
  approvalInbox(make: (host: ApprovalHost) => ApprovalInbox): void;
  /** Adds a listener for the events of approval records: questions, decisions, and answers that changed nothing. */
  approvalEvents(listener: ApprovalListener): void;
  /**
   * Adds a number (`kernel.gauges`), for plugins that collect them. Throws PLUGIN_INVALID for a name that another plugin has.
   * @example kernel.extend.gauge({ name: 'queue.waiting', description: 'jobs in the queue', unit: '{job}', read: () => queue.size });
   */
  gauge(gauge: Gauge): void;
  /** Sets the tracer: the kernel starts a span for each call and each stage that waits. Only one plugin may set it. @default no traces */
  tracer(tracer: Tracer): void;
  /** Declares that this plugin gives calls with `once` a single effect, and knows its outcome. Only one plugin may. */
  callsOnce(effectOf: FindEffect): void;
  /** Sets `context.output.budget` for calls of models, in characters. Only one plugin may set it. @default no limit */
  outputBudget(characters: number): void;
  /**
   * States a fact about this plugin's configuration that other plugins may read (`kernel.facts`): a value without secrets. Functions in
   * it run for the reader.
   * @example kernel.extend.fact(definitionFolders, { holds: 'tools', paths: toolPaths });
   */
  fact<T>(kind: FactKind<T>, value: T): void;
  /** Sets the proof of approval that a model must give. Only one plugin may set it. @default 'flag' */
  approvalProof(proof: ApprovalProof): void;
}
