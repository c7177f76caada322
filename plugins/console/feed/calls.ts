import { type CallContext, type CallEnd, excerpt, type PluginHooks, type Tool, type ToolkitError } from '../../../kernel/index.ts';
import { type CallStage, callStages, type EndedCall, type ReachedStage, type RunningCall } from '../wire/calls.ts';
import { boundedCopy } from './bounded-copy.ts';
import { cutNote, EndedCalls, type KeptParameters, maxParameterCharacters } from './ended-calls.ts';

/** A call that runs, and the times at which its stages began, in epoch ms. */
interface OpenCall {
  readonly context: CallContext;
  /** The parameters as far as they are checked. */
  parameters: Readonly<Record<string, unknown>>;
  readonly times: Partial<Record<CallStage, number>>;
}

/** Before the taps of all other plugins. */
const veryFirst = -1_000_000;

/** Maximum number of running calls that are shown. */
export const maxRunningShown = 200;

const maxName = 200;
/** Longer names of callers are cut. Not shorter: the endpoints mask them, and half a secret is not recognised. */
const maxCaller = 1000;
const maxMessage = 2000;
/** Limits of the reasons and approvals of a call. */
const maxReasons = 20;
const maxReason = 500;

/**
 * The calls of this process: those that run, with the stages that they have reached, and the last 1,000 that ended. A nested call is a call of its
 * own. It sees a call from its first tap on: for a tool with credentials before they are bound, for others after the parameters were checked.
 */
export class CallsLog {
  readonly #open = new Map<string, OpenCall>();
  readonly #ended = new EndedCalls();
  /** Ids of failed calls, by the error that their callers get. */
  readonly #failed = new WeakMap<ToolkitError, string>();
  readonly #now: () => number;
  readonly #onChange: () => void;

  /** `onChange` is called at each step of each call: it must cost little. */
  constructor({ now, onChange }: { readonly now: () => number; readonly onChange: () => void }) {
    this.#now = now;
    this.#onChange = onChange;
  }

  /** Adds the taps, in `apply` of the console. All are synchronous, and change nothing. */
  tap(hooks: PluginHooks): void {
    const first = { name: 'calls', stage: veryFirst };
    const hasCredentials = (tool: Tool): boolean => tool.credentials.length > 0;
    hooks.injectAuth.tap({ ...first, appliesTo: hasCredentials }, ({ parameters }, context) => this.#begin(context, parameters));
    hooks.beforeExecute.tap(first, ({ parameters }, context) => this.#begin(context, parameters));
    hooks.approve.tap(first, ({ call }, context) => this.#reach('approval', context, call.parameters));
    // Within the stage that runs the tool, and after every approval: nothing waits between the last one and this tap.
    hooks.execute.for('*').tap(first, ({ parameters }, context) => this.#reach('run', context, parameters));
    hooks.validateOutput.tap(first, (_result, context) => this.#reach('output', context));
    // After the audit trail has its record: a call is in one of both at any time.
    hooks.settled.tap('calls', (end) => this.#end(end));
  }

  /** Returns the number of running calls, and the ones that have run longest. */
  running(tool?: string): { readonly calls: readonly RunningCall[]; readonly count: number } {
    const open = [...this.#open.values()].filter(({ context }) => tool === undefined || context.tool.name === tool);
    return { calls: open.slice(0, maxRunningShown).map(runningCall), count: open.length };
  }

  /** Returns ended calls, newest first: see `EndedCalls.page`. */
  ended(...given: Parameters<EndedCalls['page']>): ReturnType<EndedCalls['page']> {
    return this.#ended.page(...given);
  }

  /** Returns a running or ended call of this process. */
  find(callId: string): { readonly call: EndedCall | RunningCall; readonly kept: KeptParameters } | undefined {
    const open = this.#open.get(callId);
    if (open === undefined) return this.#ended.get(callId);
    // Masked before it is cut: half a secret is not recognised.
    const { value, isCut } = boundedCopy(open.context.mask(open.parameters), maxParameterCharacters);
    return { call: runningCall(open), kept: { parameters: value, ...(isCut ? { note: cutNote } : {}) } };
  }

  /** Returns the id of the call that has failed with this error. Undefined when the error is no caller's, such as that of a pure tool. */
  failedWith(error: ToolkitError): string | undefined {
    return this.#failed.get(error);
  }

  #begin(context: CallContext, parameters: OpenCall['parameters']): undefined {
    // A trial may end without a sign, and is no call.
    if (context.isTrial) return;
    const open = this.#open.get(context.callId);
    if (open !== undefined) {
      open.parameters = parameters;
      return;
    }
    this.#open.set(context.callId, { context, parameters, times: { checks: this.#now() } });
    this.#onChange();
  }

  #reach(stage: CallStage, { callId }: CallContext, parameters?: OpenCall['parameters']): undefined {
    const open = this.#open.get(callId);
    if (open === undefined) return;
    if (parameters !== undefined) open.parameters = parameters;
    if (open.times[stage] !== undefined) return;
    open.times[stage] = this.#now();
    this.#onChange();
  }

  #end(end: CallEnd): void {
    const open = this.#open.get(end.id);
    this.#open.delete(end.id);
    if (end.outcome.type === 'failed') this.#failed.set(end.outcome.error, end.id);
    this.#ended.add(endedCall(end, open?.times ?? {}, this.#now()), end.parameters);
    this.#onChange();
  }
}

function runningCall({ context, times }: OpenCall): RunningCall {
  const { callId, tool, caller, origin, span } = context;
  return {
    callId,
    tool: tool.name,
    caller: excerpt(context.mask(caller), maxCaller),
    origin,
    risk: tool.risk,
    startedAt: times.checks ?? 0,
    ...(span === undefined ? {} : { traceId: span.traceId }),
    stages: stagesOf(times),
  };
}

function endedCall(end: CallEnd, times: OpenCall['times'], endedAt: number): EndedCall {
  const { id, toolName, tool, caller, origin, outcome, durationMs, traceId, verdict, approvals } = end;
  const startedAt = Math.min(Math.floor(endedAt - durationMs), times.checks ?? endedAt);
  const held = outcome.type === 'failed' ? outcome.error.details.approval : undefined;
  return {
    callId: id,
    tool: excerpt(toolName, maxName),
    caller: excerpt(caller, maxCaller),
    origin,
    ...(tool === undefined ? {} : { risk: tool.risk }),
    startedAt,
    ...(traceId === undefined ? {} : { traceId }),
    durationMs: Math.round(durationMs * 1000) / 1000,
    outcome: outcome.type === 'completed' ? 'completed' : outcome.error.code,
    ...(outcome.type === 'completed' ? {} : { message: outcome.error.message.slice(0, maxMessage) }),
    executed: times.run !== undefined,
    ...(typeof held === 'string' ? { approval: held } : {}),
    stages: stagesOf({ ...times, checks: startedAt }),
    reasons: verdict.reasons.slice(0, maxReasons).map(({ message }) => excerpt(message, maxReason)),
    approvals: approvals.slice(0, maxReasons).map(({ kind, approved, by, record }) => ({
      kind,
      approved,
      by: excerpt(by, maxName),
      ...(record === undefined ? {} : { record }),
    })),
  };
}

function stagesOf(times: OpenCall['times']): readonly ReachedStage[] {
  return callStages.flatMap((stage) => {
    const beganAt = times[stage];
    return beganAt === undefined ? [] : [{ stage, beganAt }];
  });
}
