/**
 * Every extension point, in the order of a call. A tap is added in `apply(kernel)` of a plugin:
 *
 *     kernel.hooks.beforeExecute.tapPromise('office-hours', async (draft, context) => draft);
 *
 * For all hooks: a tap runs under the name of its plugin; taps run by `stage` (lower first, default 0), within a stage in the order
 * of the configuration, and `before` wins over both; a throw becomes PLUGIN_FAILED with plugin, hook and tool (a ToolkitError passes
 * unchanged); `context.signal` aborts when the hook's time is over or the caller cancels. Taps are added during `apply()` only.
 */
import type { Writable } from 'node:stream';
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook, HookMap } from 'tapable';
import type { Bindings, CallIdentity } from './approval/identity.ts';
import type { Reason, Verdict } from './approval/verdict.ts';
import type { CallClient } from './client/client.ts';
import type { Origin } from './definition/check-definition.ts';
import type { Advise } from './definition/check-tool.ts';
import type { ContentPart, CutOutput } from './definition/content.ts';
import type { DiscoverSink } from './definition/discover-sink.ts';
import type { Preview } from './definition/live-registry.ts';
import type { Problem } from './definition/problem.ts';
import type { Skill } from './definition/skill.ts';
import type { Tool } from './definition/tool.ts';
import type { WorkOptions } from './durable/work-options.ts';
import type { ToolkitError } from './errors.ts';
import type { ControlFiles } from './files/control-files.ts';
import type { Logger } from './log/logger.ts';
import type { OutboundAddresses, OutboundFetch } from './outbound.ts';
import type { JsonValue } from './schema/json.ts';
import type { CallSecrets } from './secrets/call-secrets.ts';
import type { Secret } from './secrets/secret.ts';
import type { SecretLife } from './secrets/secret-life.ts';

/** What every tap gets as its last argument. */
export interface HookContext {
  /** Aborts when the hook's time limit is reached, the caller cancels, or the kernel closes. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Stops the clock of the time limit until what it returns is called: for work that waits for its turn or for what runs it to start, and
   * for work that goes on and waits for nothing. It stands still for two minutes at most.
   */
  pauseClock(): () => void;
}

/** A step of work that takes long: `progress` grows, `total` is the end when known, `message` is for people and may stand alone. */
export interface Progress {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

/** Who made the call: the program that embeds the kernel, or a model through a host such as MCP. */
export type CallOrigin = 'host' | 'model';

/** The tools that the caller of the current call may see and call. */
export interface ToolView {
  list(): readonly Tool[];
  /** Throws TOOL_NOT_FOUND. */
  get(name: string): Tool;
  /**
   * By name of a tool, the names of the secrets that nobody has and without which it fails; tools that lack none are left out. A name of which
   * that is not known, because its resolver fails, is left out as well. Throws TOOL_NOT_FOUND.
   */
  missingSecrets(tools: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Calls another tool on behalf of the same caller; approval and policy apply to it as to any call. `approved` is what the caller says of
   * its approval: true, or a token.
   */
  call(name: string, parameters: Readonly<Record<string, unknown>>, approved?: true | string): Promise<CallOutput>;
  /** The skills of this moment, by name. */
  skills(): readonly Skill[];
  /**
   * Discovers again. Gives what is wrong with the definitions of now; tools of a file that is broken stay as they were. In a call of a model
   * it takes what `previewReload` has shown, and nothing else. Throws APPROVAL_REQUIRED.
   */
  reload(): Promise<readonly Problem[]>;
  /** What would be wrong with a tool definition beside what is registered, and what `advise` says of it. Nothing is registered. */
  check(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>, advise?: Advise): readonly Problem[];
}

/** What taps of the hooks of one call get. */
export interface CallContext extends HookContext {
  readonly callId: string;
  readonly tool: Tool;
  readonly caller: string;
  /** Whose share of what is limited the call uses, such as threads: see `CallRequest.tenant`. */
  readonly tenant: string;
  readonly origin: CallOrigin;
  /** The call ends before it runs (`CallRequest.isTrial`): what asks a person in a way of its own takes a yes for granted. */
  readonly isTrial: boolean;
  readonly fetch: OutboundFetch;
  readonly addressesOf: OutboundAddresses;
  /** What tools must leave alone, also at paths that they come to by themselves. */
  readonly controlFiles: ControlFiles;
  readonly tools: ToolView;
  /** What the caller's side can do: ask its person or its model, show a log line. */
  readonly client: CallClient;
  /** What `tools.reload()` of this call will take: the same each time. For plugins that ask a person about it before the tool runs. */
  previewReload(): Promise<Preview>;
  /** Applies an encoding that a plugin defined. Throws TOOL_INVALID for an unknown name. */
  encode(encoding: string, values: Readonly<Record<string, unknown>>, options?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** The room for the output. `budget`: characters of its compact JSON, texts escaped; undefined for host code, which gets all of it. */
  readonly output: { readonly budget: number | undefined };
  /** Tells the caller how far the work is. Secrets are masked. */
  progress(progress: Progress): void;
  /** Masks every secret that this call may know. For foreign text that is cut: half a secret is not recognised afterwards. */
  readonly mask: <T>(value: T) => T;
  /** The same for a value that may be large: part by part, so that others need not wait for all of it. */
  maskInSlices<T>(value: T): T | Promise<T>;
  /** These secrets, as the caller of this call may use them. Its own are masked until the call ends. Throws SECRET_STORE_UNAVAILABLE. */
  resolveSecrets(names: readonly string[]): Promise<CallSecrets>;
  /**
   * After a service refused the credentials of this call (401): asks the secret stores themselves for other values. Those of the call
   * with the new ones, or undefined when there are none. Values that came with the call are never replaced.
   */
  renewCredentials(call: Call): Promise<ReadonlyMap<string, Secret> | undefined>;
  /** The call with credentials that are not dead (`SecretLife`), itself where none is: ask it before each request, also before one that is repeated. */
  withLiveCredentials(call: Call): Call | Promise<Call>;
  /** Masks one more value for the rest of this call: one that is composed from secrets, such as `user:token`, or that a service has just given, such as a session token. */
  maskAlso(name: string, value: string): void;
}

/** A call before it is decided. A step returns a changed copy; the object itself is frozen. */
export interface DraftCall {
  readonly id: string;
  readonly tool: Tool;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Placeholder name to opaque handle. */
  readonly credentials: ReadonlyMap<string, Secret>;
  /** Credentials given with this one call, by placeholder name. They come first. */
  readonly ownCredentials: ReadonlyMap<string, Secret>;
  readonly caller: string;
  readonly origin: CallOrigin;
  /** The caller says that a person approved (over MCP: `_toolkit_approved`). What that is worth is for an approval plugin to say. */
  readonly approved: boolean;
  /** The approval token that the caller was handed (over MCP: `_toolkit_approved`, a text). Its worth is for an approval plugin to say. */
  readonly approval?: string;
  /** What the host has named the effect of this call: see `CallRequest.once`. */
  readonly once?: string;
  readonly verdict: Verdict;
}

/** A decided call. Parameters are frozen in depth. */
export type Call = Omit<DraftCall, 'approved' | 'approval' | 'ownCredentials'> & {
  /** What was approved to run, where somebody was asked: an executor runs exactly this, or refuses. */
  readonly identity?: CallIdentity;
};

export interface ApprovalRequest {
  readonly call: DraftCall;
  /** Secrets are masked. */
  readonly reason: Reason;
  /** The parameters with secrets masked, to show to a person. */
  readonly shownParameters: Readonly<Record<string, unknown>>;
  /** What the call will run, with secrets masked, to show to a person. */
  readonly shownIdentity: CallIdentity;
  /** What a yes holds for, beside parameters and caller. Compared again in the moment before the call runs (APPROVAL_DENIED). */
  readonly bindings: Bindings;
  /** Asked once more: what is not as it was when the same was answered. Secrets are masked. */
  readonly changed?: readonly string[];
}

export interface ApprovalDecision {
  readonly approved: boolean;
  /** Who decided, such as `flag` or the name of a person. */
  readonly by: string;
  /** The caller's own word: nobody is asked once more where things change, and the call is refused. */
  readonly isClaim?: true;
  readonly reason?: string;
}

export interface ExecutionResult {
  readonly output: unknown;
  /** Shown in place of the output as text, where the host can show it. */
  readonly content?: readonly ContentPart[];
  /** Sent in place of the output as data, where that is too long for a model. */
  readonly structured?: CutOutput;
  /** Facts about the run, such as an HTTP status. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The result that the caller gets: JSON, secrets masked. */
export interface CallOutput {
  readonly callId: string;
  /** The tool that was called, as it was then. */
  readonly tool: Tool;
  readonly output: JsonValue;
  readonly content?: readonly ContentPart[];
  readonly structured?: CutOutput;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Why the work failed, where the tool answers a failure with an output of its own (`failure_output`). */
  readonly error?: ToolkitError;
}

/** How a call ended, for logs and trails. Secrets are masked. */
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
  /** What a tap does about this end may wait for `extend.beforeAnswers`, to be done for several calls at once: see `CallRequest.isHeld`. */
  readonly isHeld: boolean;
  readonly outcome: { readonly type: 'completed'; readonly result: CallOutput } | { readonly type: 'failed'; readonly error: ToolkitError };
}

/** What one tap of a call has done, for explanations. Secrets are masked. */
export interface TapEffect {
  readonly hook: HookName;
  readonly plugin: string;
  /** The name that the tap runs under. */
  readonly tap: string;
  /** The first argument of the hook. */
  readonly given: unknown;
  /** Undefined where the tap left things as they are. */
  readonly returned: unknown;
}

export interface SecretSink {
  /** Names that no resolver before this one has given. */
  readonly missing: readonly string[];
  /** True when the values known so far were refused by their service: ask the store itself, and not a cache. */
  readonly isFresh: boolean;
  /** The first value of a name wins. An empty value counts as not found. `life`: how long it is good; a number is when it is stale, in milliseconds. */
  provide(name: string, value: string, life?: number | SecretLife): void;
}

/** A transport that runs. */
export interface RunningServer {
  readonly name: string;
  /** Where to reach it, when it has an address. */
  readonly url?: string;
  /** The bearer token that opens it. */
  readonly token?: string;
  /** Resolves when the server has ended by itself, such as stdio at the end of its input. */
  readonly ended?: Promise<void>;
  /** How long running calls may take to end when the host stops, in milliseconds. @default 1000 */
  readonly drainMs?: number;
  /** Tells who sends it work that it is about to stop, and goes on meanwhile. Resolves when they had time to notice; the kernel is closed then. */
  leave?(): Promise<void>;
}

export interface ServeOptions {
  /** Standard output, where the host keeps it from everything else that is printed. */
  readonly output?: Writable;
  /** This process makes durable calls, in this way, and takes no requests: the engine works so, and transports do not start. */
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
   * Asks for one approval; runs once for each reason of an `ask` verdict, after `beforeExecute`, before `execute`.
   * The first decision that a tap returns counts; nobody answers = refused. On throw: refused.
   */
  approve(request: ApprovalRequest, context: CallContext): ApprovalDecision | undefined;
  /**
   * Runs the call. Keyed by `execution.type`: tap `kernel.hooks.execute.for('http')`, or `for('*')` to run before those of every type.
   * Runs after every approval. The first result that a tap returns counts, so that a cache may answer; undefined passes on. On throw: the call
   * fails; executors say with EXECUTION_FAILED that the tool failed and not they.
   */
  execute(call: Call, context: CallContext): ExecutionResult | undefined;
  /**
   * Checks, redacts or trims the result. Runs after `execute`; the kernel masks secrets once more after it.
   * May return another result; undefined keeps it. On throw: the call fails.
   */
  validateOutput(result: ExecutionResult, context: CallContext): ExecutionResult | undefined;
  /** Sees how each call ended, refusals included. Runs last. Returns nothing. On throw: logged, the outcome stays. */
  settled(end: CallEnd, context: HookContext): void;
  /** Starts transports, and what works by itself. Runs when the host serves. Report what runs to the sink; a transport starts nothing in a worker (`sink.work`). On throw: serving fails and all is disposed. */
  serve(sink: ServeSink, context: HookContext): void;
  /** Ends what the plugin started. Runs once, in reverse order of the plugins. On throw: collected, the others go on. */
  dispose(context: HookContext): void;
}

/** The key of taps on `execute` that run for every type, before those of the type. */
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

/** The tapable hooks behind the extension points. Plugins see them through their own sealed ports. */
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
