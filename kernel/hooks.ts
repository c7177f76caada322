/**
 * The extension points, in the order of a call. A plugin adds a tap in its `apply(kernel)`:
 *
 * kernel.hooks.beforeExecute.tapPromise('office-hours', async (draft, context) => draft);
 *
 * For all hooks: a tap runs under the name of its plugin. Taps run by `stage` (lower first, default 0), within a stage in the order
 * of the configuration; `before` takes precedence over both. A throw becomes PLUGIN_FAILED with plugin, hook and tool (a ToolkitError passes
 * unchanged). `context.signal` aborts at the hook's time limit or when the caller cancels. Taps are added during `apply()` only.
 *
 * The hooks are tapable's classes, the names in the table of each hook. tapable holds the taps, already in order, and runs `resolveSecrets`,
 * `serve` and `dispose`. `Guard` sorts the taps (`stage`, `before`) and wraps each one before tapable gets it. The hooks of a call and
 * `discover` are run by the kernel: `Plans` reads the taps of the hook once for each tool, and `run-taps.ts` runs them by the rule of the
 * class, without a promise if no tap returns one; `discover` starts its taps in parallel. tapable's interceptors are not used.
 */
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook, HookMap } from 'tapable';
import type { ApprovalRequest } from './approval/approval-request.ts';
import type { CallContext } from './call/context/context.ts';
import type { Call, DraftCall } from './call/draft.ts';
import type { CallEnd } from './call/end/end.ts';
import type { ExecutionResult } from './call/output.ts';
import type { ApprovalDecision } from './call/verdict.ts';
import type { DiscoverSink } from './definition/registry/discover-sink.ts';
import type { SecretSink } from './secrets/secret-sink.ts';
import type { ServeSink } from './serve/serve-sink.ts';
import type { HookContext } from './taps/hook-context.ts';
import type { HookName, Listed } from './taps/hook-names.ts';

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

/** The signature of one hook. A hook without a name in `hookNames`, or a name without a hook, does not compile. */
export type HookSignature<H extends HookName> = Listed<HookSignatures>[H];

/** The key of taps on `execute` for every type. They run before the taps of the type. */
export const anyExecution = '*';

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
