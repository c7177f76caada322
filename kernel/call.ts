import type { ApprovalInbox } from './approval/approval-inbox.ts';
import { approvalSteps } from './approval/approval-steps.ts';
import { approveCall } from './approval/approve-call.ts';
import { refuseChanged } from './approval/identity-change.ts';
import { withAccess } from './call/context/ask-access.ts';
import { RunningCall } from './call/context/running-call.ts';
import type { CallExtensions, CallServices } from './call/context/services.ts';
import { convertLargeResult } from './call/convert-large-result.ts';
import type { Call, DraftCall } from './call/draft.ts';
import { withCarriedOut } from './call/end/carried-out.ts';
import type { CallEnd } from './call/end/end.ts';
import { notifyEnd } from './call/end/notify-end.ts';
import type { CallOutput, ExecutionResult } from './call/output.ts';
import { referencesIn, sizeOf, withTextsRead } from './call/parameters/check-parameters.ts';
import { largeParameters, type ParameterWork, smallParameters } from './call/parameters/parameter-work.ts';
import { readReferences } from './call/parameters/read-references.ts';
import type { CallRequest } from './call/request.ts';
import { type ApprovalDecision, allowed, type Verdict } from './call/verdict.ts';
import { checkContent } from './client/content.ts';
import { failureOutput } from './definition/check/failure-output.ts';
import type { Tool } from './definition/schema/tool.ts';
import { ToolkitError } from './errors.ts';
import { isLarge, type JsonValue, toJsonValue } from './json/json.ts';
import type { Plan, Plans } from './plan.ts';
import { maskedError } from './secrets/masked-error.ts';
import { noCredentials, separateCredentials } from './secrets/own-credentials.ts';
import type { HookName } from './taps/hook-names.ts';
import { cancelled } from './taps/hook-run.ts';
import { after, bail, waterfall } from './taps/run-taps.ts';
import type { MaybePromise } from './time/maybe-promise.ts';

/** The services of calls, with the plans by which their taps run. */
export interface PlannedServices extends CallServices {
  readonly extensions: CallExtensions & { readonly approvals: ApprovalInbox | undefined };
  readonly plans: Plans;
}

/**
 * Runs one call. Returns the output if nothing has to wait, else a promise. Throws ToolkitError, or rejects with it.
 * `settled` sees every end.
 */
export function startCall(services: PlannedServices, request: CallRequest): MaybePromise<CallOutput> {
  const call = new CallStages(services, request);
  try {
    const checked = call.open();
    const decided = after(checked, (draft) => call.prepare(draft));
    const approved = after(decided, (draft) => call.approve(draft));
    const executed = after(approved, (ready) => call.execute(ready));
    const validated = after(executed, (result) => call.validate(result));
    const output = after(validated, (result) => call.complete(result));
    return output instanceof Promise ? output.catch((thrown: unknown) => call.fail(thrown)) : output;
  } catch (thrown) {
    return call.fail(thrown);
  }
}

/** The stages of a call, with what one stage leaves for the next. */
class CallStages {
  readonly #services: PlannedServices;
  readonly #request: CallRequest;
  readonly #run: RunningCall;
  readonly #startedAt = performance.now();
  readonly #approvals: (ApprovalDecision & { kind: string })[] = [];
  #tool: Tool | undefined;
  #verdict: Verdict = allowed;
  #parameters: Readonly<Record<string, unknown>> = {};
  #work: ParameterWork = smallParameters;
  /** Set when the call has found its tool: no stage runs before. */
  #plan!: Plan;
  /** The result as the executor returned it. */
  #rawResult: ExecutionResult | undefined;
  /** The executor's result as JSON. */
  #jsonResult: ExecutionResult | undefined;
  /** True when the output is processed in slices. */
  #isLarge = false;
  #isTrialOver = false;
  /** True when the call shares its effect with others of one name. */
  #isOnce = false;

  constructor(services: PlannedServices, request: CallRequest) {
    this.#services = services;
    this.#request = request;
    this.#run = new RunningCall(services, request);
  }

  /** Finds the tool and checks the parameters. */
  open(): MaybePromise<DraftCall> {
    const { tool: name, isVisible, signal, once } = this.#request;
    const tool = this.#services.registry().get(name, isVisible);
    this.#tool = tool;
    this.#run.tool = tool;
    if (this.#services.extensions.tracer !== undefined) this.#run.beginSpan(this.#services.extensions.tracer);
    this.#planFor(tool, once !== undefined);
    if (typeof signal === 'object' && signal.aborted) throw cancelled(signal);
    const { callId, caller, origin, isWatched } = this.#run;
    if (isWatched) this.#run.logger.debug('call started', { tool: tool.name, callId, caller, origin });
    return this.#draft(tool);
  }

  #draft(tool: Tool): MaybePromise<DraftCall> {
    // `null` counts as no parameters.
    const given = withTextsRead(tool, this.#request.parameters ?? {});
    const size = sizeOf(tool, given);
    if (size === 'plain') return this.#checkedDraft(tool, given, true);
    if (size === 'large') {
      this.#work = largeParameters;
      this.#run.onWait();
    }
    return after(this.#work.refuseCostly(tool, given), () => this.#checkedDraft(tool, given, false));
  }

  #checkedDraft(tool: Tool, given: Readonly<Record<string, unknown>>, hasPlain: boolean): MaybePromise<DraftCall> {
    const { credentials, approval, once } = this.#request;
    const isModels = this.#run.origin === 'model' && credentials === undefined;
    const { parameters, own } = isModels
      ? { parameters: given, own: noCredentials }
      : separateCredentials(tool, { ...this.#request, parameters: given });
    if (once !== undefined) this.#services.extensions.requireOnce(tool, once);
    const mayBring = own.size > 0 || approval !== undefined || !hasPlain;
    const { secretNames } = this.#services.registry();
    const brought = mayBring ? this.#work.secretsOf(tool, { own, parameters, approval }, secretNames) : undefined;
    return after(brought, (secrets) => {
      if (secrets !== undefined || tool.definition.pure === true) this.#run.ownMasking(secrets);
      // The attempted parameters, for the trail, also of a refused call.
      this.#parameters = parameters;
      return after(this.#work.check(tool, parameters, this.#run.origin), (checked) => this.#draftOf(tool, checked, own));
    });
  }

  #draftOf(tool: Tool, parameters: DraftCall['parameters'], own: DraftCall['ownCredentials']): DraftCall {
    const { approval, once } = this.#request;
    this.#parameters = parameters;
    return Object.freeze({
      id: this.#run.callId,
      tool,
      parameters,
      credentials: new Map(),
      ownCredentials: own,
      caller: this.#run.caller,
      origin: this.#run.origin,
      approved: this.#request.approved ?? false,
      ...(approval === undefined ? {} : { approval }),
      ...(once === undefined ? {} : { once }),
      verdict: allowed,
    });
  }

  /** Adds credentials and decides. If the call lacks an account, asks its caller's person once (`mayAsk`). */
  prepare(draft: DraftCall, mayAsk = true): MaybePromise<DraftCall> {
    if (this.#plan.injectAuth.length === 0) return this.#through('beforeExecute', draft);
    if (mayAsk && this.#services.callerSecrets.maySource(draft.tool))
      return withAccess(
        this.#run,
        () => this.prepare(draft, false),
        (work) => this.#stage('approve', () => work(this.#run.signal)),
      );
    return after(this.#through('injectAuth', draft), (bound) => this.#through('beforeExecute', bound));
  }

  #through(name: 'injectAuth' | 'beforeExecute', draft: DraftCall): MaybePromise<DraftCall> {
    const taps = this.#plan[name];
    return taps.length === 0 ? draft : this.#stage(name, () => waterfall(taps, draft, this.#run));
  }

  validate(result: ExecutionResult): MaybePromise<ExecutionResult> {
    const taps = this.#plan.validateOutput;
    return taps.length === 0 ? result : this.#stage('validateOutput', () => waterfall(taps, result, this.#run));
  }

  #stage<T>(hook: HookName, work: () => MaybePromise<T>, step?: string): MaybePromise<T> {
    if (this.#run.isWatched) this.#run.logger.debug('call stage', { stage: hook, tool: this.#run.tool.name, callId: this.#run.callId });
    const ofTool = hook === 'execute' ? this.#run.tool.definition.execution.timeout_ms : undefined;
    return this.#run.stage(hook, ofTool ?? this.#services.timeoutsMs[hook], work, step);
  }

  approve(draft: DraftCall): MaybePromise<Call> {
    this.#verdict = draft.verdict;
    if (draft.parameters === this.#parameters) return this.#approve(draft, draft.parameters);
    return after(this.#work.check(draft.tool, draft.parameters, 'step'), (parameters) => this.#approve(draft, parameters));
  }

  #approve(draft: DraftCall, parameters: DraftCall['parameters']): MaybePromise<Call> {
    this.#parameters = parameters;
    const { approved: _approved, approval: _approval, ownCredentials: _own, ...decided } = draft;
    const call: Call = Object.freeze({ ...decided, parameters });
    if (draft.verdict.effect === 'allow') return call;
    const steps = approvalSteps(this.#services, this.#run, call, {
      taps: this.#plan.approve,
      stage: (step, work) => this.#stage('approve', work, step),
      keep: (decision) => this.#approvals.push(decision),
      inbox: this.#services.extensions.approvals,
    });
    return approveCall(Object.freeze({ ...draft, parameters }), call, steps);
  }

  #planFor(tool: Tool, isOnce: boolean): void {
    this.#isOnce = isOnce;
    this.#plan = this.#services.plans.of(tool, isOnce, this.#run.onTap !== undefined);
  }

  execute(call: Call): MaybePromise<ExecutionResult> {
    // Its approval gave it the name of an effect that it shares with equal calls.
    if (call.once !== undefined && !this.#isOnce) this.#planFor(call.tool, true);
    const { beforeType, execute } = this.#plan;
    if (this.#run.isTrial) {
      this.#isTrialOver = true;
      throw new ToolkitError('ABORTED', `"${call.tool.name}" would run now: this was a trial.`, { tool: call.tool.name });
    }
    if (execute === undefined)
      throw executorError(call, `No plugin executes type "${call.tool.execution.type}" of tool "${call.tool.name}".`);
    const run = (live: Call): MaybePromise<ExecutionResult | undefined> =>
      after(bail<ExecutionResult>(beforeType, live, this.#run), (answer) => {
        if (answer !== undefined) return answer;
        const unchanged = live.identity === undefined ? undefined : refuseChanged(this.#services, live, this.#run);
        const whole = after<void, Call>(unchanged, () =>
          referencesIn(live.tool, live.parameters).length === 0 ? live : readReferences(live, this.#run, this.#services, this.#run.own),
        );
        return after(whole, (ready) => bail<ExecutionResult>(execute, ready, this.#run));
      });
    const isBound = call.credentials.size > 0;
    if (isBound && this.#services.extensions.credentialSources.length > 0) this.#run.useAccounts(call.credentials);
    const result = this.#stage('execute', () => (isBound ? after(this.#run.withLiveCredentials(call), run) : run(call)));
    return after(result, (given) => this.#convertResult(call, given));
  }

  /** Converts the executor's result to JSON. */
  #convertResult(call: Call, result: ExecutionResult | undefined): MaybePromise<ExecutionResult> {
    const { name, execution } = call.tool;
    this.#rawResult = result;
    if (result === undefined) throw executorError(call, `No tap on "execute" for type "${execution.type}" answered the call of "${name}".`);
    if (result.content !== undefined) checkContent(result.content, name);
    this.#isLarge = isLarge(result.output);
    const json = this.#isLarge ? convertLargeResult(name, result.output, this.#run.origin) : toJsonValue(result.output);
    return after(json, (output) => {
      this.#jsonResult = { ...result, output };
      return this.#jsonResult;
    });
  }

  complete({ output, content, structured, meta = {} }: ExecutionResult): MaybePromise<CallOutput> {
    // A tap on validateOutput may have returned another output.
    const json = output === this.#jsonResult?.output ? (output as JsonValue) : toJsonValue(output);
    if (json !== this.#jsonResult?.output) this.#run.own.masking?.taint();
    const facts = this.#run.accounts === undefined ? meta : { ...meta, ...this.#run.usedAccounts() };
    const shown = { ...(content === undefined ? {} : { content }), ...(structured === undefined ? {} : { structured }), meta: facts };
    const whole = { output: json, ...shown };
    const masked = this.#isLarge || isLarge(shown) ? this.#run.maskInSlices(whole) : this.#run.mask(whole);
    return after(masked, (members) => {
      const result: CallOutput = { callId: this.#run.callId, tool: this.#run.tool, ...members };
      return after(this.#settle({ type: 'completed', result }), () => result);
    });
  }

  /** Returns the output that replaces the error, or throws the error. */
  fail(thrown: unknown): MaybePromise<CallOutput> {
    if (this.#services.extensions.credentialSources.length > 0) this.#run.maskAccounts();
    const reported = maskedError(thrown, this.#run.mask, this.#tool === undefined ? {} : { tool: this.#tool.name });
    const error = withCarriedOut(reported, this.#tool, this.#rawResult);
    return after(this.#settle({ type: 'failed', error }), () => {
      const output = this.#tool === undefined ? undefined : failureOutput(this.#tool.definition, error);
      if (output === undefined) throw error;
      return { callId: this.#run.callId, tool: this.#run.tool, output: toJsonValue(output), meta: this.#run.usedAccounts(), error };
    });
  }

  #settle(outcome: CallEnd['outcome']): MaybePromise<void> {
    this.#run.end(outcome.type === 'failed' ? outcome.error : undefined);
    const taps = this.#isTrialOver ? [] : this.#services.plans.settled(this.#tool, this.#isOnce);
    const notified =
      taps.length === 0 && !this.#run.isWatched ? undefined : notifyEnd(this.#services, this.#run.fullMasking, this.#endOf(outcome), taps);
    return notified instanceof Promise ? notified.finally(() => this.#run.leave()) : this.#run.leave();
  }

  #endOf(outcome: CallEnd['outcome']): CallEnd {
    return {
      id: this.#run.callId,
      toolName: this.#request.tool,
      ...(this.#tool === undefined ? {} : { tool: this.#tool }),
      caller: this.#run.caller,
      origin: this.#run.origin,
      parameters: this.#parameters,
      verdict: this.#verdict,
      approvals: this.#approvals,
      durationMs: performance.now() - this.#startedAt,
      ...(outcome.type === 'failed' && this.#tool !== undefined && this.#run.isUnsent ? { isUnsent: true } : {}),
      isHeld: this.#request.isHeld ?? false,
      ...this.#run.placeInTrace(),
      ...(this.#run.accounts === undefined ? {} : this.#run.usedAccounts()),
      outcome,
    };
  }
}

function executorError({ tool }: Call, message: string): ToolkitError {
  return new ToolkitError('EXECUTOR_NOT_FOUND', message, { tool: tool.name });
}
