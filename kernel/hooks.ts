/**
 * The extension points, in the order of a call. A plugin adds a tap in its `apply(kernel)`:
 *
 * kernel.hooks.beforeExecute.tapPromise('office-hours', async (draft, context) => draft);
 *
 * For all hooks: a tap runs under the name of its plugin. Taps run by `stage` (lower first, default 0), within a stage in the order
 * of the configuration; `before` takes precedence over both. A throw becomes PLUGIN_FAILED with plugin, hook and tool (a ToolkitError passes
 * unchanged). `context.signal` aborts at the hook's time limit or when the caller cancels. Taps are added during `apply()` only.
 */
import type { Writable } from 'node:stream';
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook, HookMap } from 'tapable';
import type { Bindings, CallIdentity } from './call/identity.ts';
import type { Reason, Verdict } from './call/verdict.ts';
import type { CallClient } from './client/client.ts';
import type { ContentPart, CutOutput } from './client/content.ts';
import type { Origin } from './definition/check/check-definition.ts';
import type { Advise } from './definition/registry/check-tool.ts';
import type { DiscoverSink } from './definition/registry/discover-sink.ts';
import type { Skill } from './definition/resources/skill.ts';
import type { Problem } from './definition/schema/problem.ts';
import type { Tool } from './definition/schema/tool.ts';
import type { Preview } from './discovery/live-registry.ts';
import type { WorkOptions } from './durable/work-options.ts';
import type { ToolkitError } from './errors.ts';
import type { ControlFiles } from './files/control-files.ts';
import type { Logger } from './log/logger.ts';
import type { OutboundAddresses, OutboundFetch } from './outbound.ts';
import type { JsonValue } from './schema/json.ts';
import type { CallSecrets } from './secrets/call-secrets.ts';
import type { Secret } from './secrets/secret.ts';
import type { SecretLife } from './secrets/secret-life.ts';

/** The context of every tap, as its last argument. */
export interface HookContext {
  /** Aborts when the hook's time limit is reached, the caller cancels, or the kernel closes. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Pauses the time limit until the returned function is called: for work that waits in a queue or for a process to start, and
   * for work that goes on without waiting. The pause lasts at most two minutes.
   */
  pauseClock(): () => void;
}

/** Progress of long work. `progress` grows; `total` is its end, if known; `message` is for people and may stand alone. */
export interface Progress {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

/** The origin of a call: `host`, the program that embeds the kernel; `model`, a model through a host such as MCP. */
export type CallOrigin = 'host' | 'model';

/** The tools that the caller of the current call may see and call. */
export interface ToolView {
  list(): readonly Tool[];
  /** Throws TOOL_NOT_FOUND. */
  get(name: string): Tool;
  /**
   * Returns missing secrets by tool name: required by the tool, and provided by no resolver. Tools without missing secrets are left out,
   * and so are secrets whose resolver fails. Throws TOOL_NOT_FOUND.
   */
  missingSecrets(tools: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Calls another tool for the same caller. Approval and policy apply as to any call. `approved` is the caller's claim (true) or
   * its approval token.
   */
  call(name: string, parameters: Readonly<Record<string, unknown>>, approved?: true | string): Promise<CallOutput>;
  /** Returns the current skills, by name. */
  skills(): readonly Skill[];
  /**
   * Discovers again and returns the problems of the new definitions. Tools of an invalid file stay unchanged. In a call of a model,
   * applies exactly the changes of `previewReload`. Throws APPROVAL_REQUIRED.
   */
  reload(): Promise<readonly Problem[]>;
  /** Returns the problems of a tool definition next to the registered tools, and the remarks of `advise`. Registers nothing. */
  check(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>, advise?: Advise): readonly Problem[];
}

/** The context of taps on the hooks of one call. */
export interface CallContext extends HookContext {
  readonly callId: string;
  readonly tool: Tool;
  readonly caller: string;
  /** The tenant whose share of limited resources, such as threads, the call uses: see `CallRequest.tenant`. */
  readonly tenant: string;
  readonly origin: CallOrigin;
  /** True when the call ends before it runs (`CallRequest.isTrial`). A plugin that asks a person in its own way assumes a yes. */
  readonly isTrial: boolean;
  readonly fetch: OutboundFetch;
  readonly addressesOf: OutboundAddresses;
  /** The files that tools may not use, including paths that a tool finds by itself. */
  readonly controlFiles: ControlFiles;
  readonly tools: ToolView;
  /** The client's abilities: ask its person or its model, show a log line. */
  readonly client: CallClient;
  /** Returns the changes that `tools.reload()` of this call applies; the same each time. For plugins that ask a person before the tool runs. */
  previewReload(): Promise<Preview>;
  /** Encodes values by an encoding of a plugin. Throws TOOL_INVALID for an unknown name. */
  encode(encoding: string, values: Readonly<Record<string, unknown>>, options?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** The limit of the output. `budget`: characters of its compact JSON with escapes; undefined for host code, which gets the whole output. */
  readonly output: { readonly budget: number | undefined };
  /** Reports progress to the caller, with secrets masked. */
  progress(progress: Progress): void;
  /** Masks every secret that this call may know. Mask foreign text before you cut it: half a secret is not recognised. */
  readonly mask: <T>(value: T) => T;
  /** Masks a value that may be large, in slices, so that other calls can run between them. */
  maskInSlices<T>(value: T): T | Promise<T>;
  /** Resolves secrets for the caller of this call. Its own secrets are masked until the call ends. Throws SECRET_STORE_UNAVAILABLE. */
  resolveSecrets(names: readonly string[]): Promise<CallSecrets>;
  /**
   * Asks the secret stores for new values after a service refused the credentials of this call (401). Resolves to the credentials
   * with the new values, or to undefined when there are none. Never replaces credentials given with the call.
   */
  renewCredentials(call: Call): Promise<ReadonlyMap<string, Secret> | undefined>;
  /** Returns the call with live credentials (`SecretLife`), or the same call when none is dead. Use it before each request, also before a retry. */
  withLiveCredentials(call: Call): Call | Promise<Call>;
  /** Masks one more value for the rest of this call, such as `user:token` made of secrets, or a session token from a service. */
  maskAlso(name: string, value: string): void;
}

/** A call before its decision. The object is frozen; a tap returns a changed copy. */
export interface DraftCall {
  readonly id: string;
  readonly tool: Tool;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Opaque secret handles by placeholder name. */
  readonly credentials: ReadonlyMap<string, Secret>;
  /** Credentials given with this one call, by placeholder name. They take precedence. */
  readonly ownCredentials: ReadonlyMap<string, Secret>;
  readonly caller: string;
  readonly origin: CallOrigin;
  /** True when the caller claims that a person approved (over MCP: `_toolkit_approved`). An approval plugin decides its worth. */
  readonly approved: boolean;
  /** The approval token that the caller received (over MCP: `_toolkit_approved`, a text). An approval plugin decides its worth. */
  readonly approval?: string;
  /** The host's name for the effect of this call: see `CallRequest.once`. */
  readonly once?: string;
  readonly verdict: Verdict;
}

/** A decided call. Parameters are deeply frozen. */
export type Call = Omit<DraftCall, 'approved' | 'approval' | 'ownCredentials'> & {
  /** The approved identity, if a person was asked: an executor runs exactly this, or refuses. */
  readonly identity?: CallIdentity;
};

export interface ApprovalRequest {
  readonly call: DraftCall;
  /** The reason for asking, with secrets masked. */
  readonly reason: Reason;
  /** The parameters with secrets masked, to show to a person. */
  readonly shownParameters: Readonly<Record<string, unknown>>;
  /** The identity of the call with secrets masked, to show to a person. */
  readonly shownIdentity: CallIdentity;
  /** Digests to which an approval is bound, besides parameters and caller. Compared again directly before the call runs (APPROVAL_DENIED). */
  readonly bindings: Bindings;
  /** The changes since the previous answer, when a person is asked again. Secrets are masked. */
  readonly changed?: readonly string[];
}

export interface ApprovalDecision {
  readonly approved: boolean;
  /** The decider, such as `flag` or the name of a person. */
  readonly by: string;
  /** True when the caller itself claims the approval. After a change the call is refused, not asked about again. */
  readonly isClaim?: true;
  readonly reason?: string;
}

export interface ExecutionResult {
  readonly output: unknown;
  /** Content shown instead of the output's text, if the host can show it. */
  readonly content?: readonly ContentPart[];
  /** Data sent instead of the output, when the output is too long for a model. */
  readonly structured?: CutOutput;
  /** Facts about the run, such as an HTTP status. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The result for the caller: JSON, secrets masked. */
export interface CallOutput {
  readonly callId: string;
  /** The tool at the time of the call. */
  readonly tool: Tool;
  readonly output: JsonValue;
  readonly content?: readonly ContentPart[];
  readonly structured?: CutOutput;
  readonly meta: Readonly<Record<string, unknown>>;
  /** The error behind a failure for which the tool has its own output (`failure_output`). */
  readonly error?: ToolkitError;
}

/** The end of a call, for logs and trails. Secrets are masked. */
export interface CallEnd {
  readonly id: string;
  readonly toolName: string;
  /** Absent when no such tool is registered. */
  readonly tool?: Tool;
  readonly caller: string;
  readonly origin: CallOrigin;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly verdict: Verdict;
  readonly approvals: readonly (ApprovalDecision & { readonly kind: string })[];
  readonly durationMs: number;
  /** True when work for this end may wait for `extend.beforeAnswers`, to be done for several calls at once: see `CallRequest.isHeld`. */
  readonly isHeld: boolean;
  readonly outcome: { readonly type: 'completed'; readonly result: CallOutput } | { readonly type: 'failed'; readonly error: ToolkitError };
}

/** The effect of one tap of a call, for explanations. Secrets are masked. */
export interface TapEffect {
  readonly hook: HookName;
  readonly plugin: string;
  /** The full name of the tap. */
  readonly tap: string;
  /** The first argument of the hook. */
  readonly given: unknown;
  /** The returned value; undefined when the tap changed nothing. */
  readonly returned: unknown;
}

export interface SecretSink {
  /** Names that no earlier resolver has provided. */
  readonly missing: readonly string[];
  /** True when a service refused the known values: ask the store itself, not a cache. */
  readonly isFresh: boolean;
  /** Provides a value. The first one of a name counts; an empty one counts as missing. `life`: its lifetime; a number is the time until it is stale, in milliseconds. */
  provide(name: string, value: string, life?: number | SecretLife): void;
}

/** A running transport. */
export interface RunningServer {
  readonly name: string;
  /** The URL of the server, if it has an address. */
  readonly url?: string;
  /** The bearer token that the server accepts. */
  readonly token?: string;
  /** Resolves when the server ends by itself, such as stdio at the end of its input. */
  readonly ended?: Promise<void>;
  /** Time for running calls to end when the host stops, in milliseconds. @default 1000 */
  readonly drainMs?: number;
  /** Announces the stop to the senders of requests, and goes on serving. Resolves when they have had time to notice; then the kernel closes. */
  leave?(): Promise<void>;
}

export interface ServeOptions {
  /** Standard output, if the host keeps it free of other prints. */
  readonly output?: Writable;
  /** Options of a worker process: it runs durable calls and takes no requests, and transports do not start. */
  readonly work?: WorkOptions;
}

export interface ServeSink extends ServeOptions {
  started(server: RunningServer): void;
}

export interface HookSignatures {
  /**
   * Finds tools and providers. Runs after every plugin is applied, and again on reload; before everything else.
   * Returns nothing: fill the sink. On throw: recorded as a problem of this plugin, the others go on.
   */
  discover(sink: DiscoverSink, context: HookContext): void;
  /**
   * Looks up secrets, in one batch for all tools. Runs before the first call that needs them and when a server starts.
   * Returns nothing: `provide` what is still `missing`. On throw: SECRET_STORE_UNAVAILABLE; no later resolver is asked.
   */
  resolveSecrets(sink: SecretSink, context: HookContext): void;
  /**
   * Binds credential names to handles. Runs after the parameters are checked, before `beforeExecute`.
   * May return a draft with other `credentials`; undefined keeps the draft. On throw: the call fails.
   */
  injectAuth(draft: DraftCall, context: CallContext): DraftCall | undefined;
  /**
   * Changes parameters or tightens the verdict (`ask`, `deny`). Runs after `injectAuth`, before `approve`.
   * May return a draft with other `parameters` (checked again) or a stricter `verdict`. On throw: the call fails.
   */
  beforeExecute(draft: DraftCall, context: CallContext): DraftCall | undefined;
  /**
   * Decides one approval. Runs once for each reason of an `ask` verdict, after `beforeExecute`, before `execute`.
   * The first returned decision counts; without one the call is refused. On throw: refused.
   */
  approve(request: ApprovalRequest, context: CallContext): ApprovalDecision | undefined;
  /**
   * Runs the call. Keyed by `execution.type`: tap `kernel.hooks.execute.for('http')`, or `for('*')` to run before the taps of every type.
   * Runs after every approval. The first returned result counts, so that a cache may answer; undefined passes on. On throw: the call
   * fails. An executor throws EXECUTION_FAILED when the tool failed, not the executor.
   */
  execute(call: Call, context: CallContext): ExecutionResult | undefined;
  /**
   * Checks, redacts or trims the result. Runs after `execute`; the kernel masks secrets once more after it.
   * May return another result; undefined keeps it. On throw: the call fails.
   */
  validateOutput(result: ExecutionResult, context: CallContext): ExecutionResult | undefined;
  /** Sees how each call ended, refusals included. Runs last. Returns nothing. On throw: logged, the outcome stays. */
  settled(end: CallEnd, context: HookContext): void;
  /** Starts transports and background work. Runs when the host serves. Report each running transport to the sink; in a worker (`sink.work`) start no transport. On throw: serving fails and every plugin is disposed. */
  serve(sink: ServeSink, context: HookContext): void;
  /** Stops the plugin's own resources. Runs once, in reverse order of the plugins. On throw: collected, the others go on. */
  dispose(context: HookContext): void;
}

/** The key of taps on `execute` for every type. They run before the taps of the type. */
export const anyExecution = '*';

export type HookName = keyof HookSignatures;

export const hookNames = [
  'discover',
  'resolveSecrets',
  'injectAuth',
  'beforeExecute',
  'approve',
  'execute',
  'validateOutput',
  'settled',
  'serve',
  'dispose',
] as const satisfies readonly HookName[];

/** Creates the tapable hooks behind the extension points. Plugins see them through their own sealed ports. */
export function createHooks() {
  return {
    discover: new AsyncSeriesHook<[DiscoverSink, HookContext]>(['sink', 'context']),
    resolveSecrets: new AsyncSeriesHook<[SecretSink, HookContext]>(['sink', 'context']),
    injectAuth: new AsyncSeriesWaterfallHook<[DraftCall, CallContext], DraftCall>(['draft', 'context']),
    beforeExecute: new AsyncSeriesWaterfallHook<[DraftCall, CallContext], DraftCall>(['draft', 'context']),
    approve: new AsyncSeriesBailHook<[ApprovalRequest, CallContext], ApprovalDecision | undefined>(['request', 'context']),
    execute: new HookMap(() => new AsyncSeriesBailHook<[Call, CallContext], ExecutionResult | undefined>(['call', 'context'])),
    validateOutput: new AsyncSeriesWaterfallHook<[ExecutionResult, CallContext], ExecutionResult>(['result', 'context']),
    settled: new AsyncSeriesHook<[CallEnd, HookContext]>(['end', 'context']),
    serve: new AsyncSeriesHook<[ServeSink, HookContext]>(['sink', 'context']),
    dispose: new AsyncSeriesHook<[HookContext]>(['context']),
  };
}

export type Hooks = ReturnType<typeof createHooks>;
