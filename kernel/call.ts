import { randomUUID } from 'node:crypto';
import { approveCall } from './approval/approve-call.ts';
import { changeOf, identityOf, refuseChanged } from './approval/identity-change.ts';
import { withCarriedOut } from './call/carried-out.ts';
import type { CallContext } from './call/context.ts';
import { addressesFor, cancelled, encodeWith, fetchFor, followSignal } from './call/context-members.ts';
import { convertLargeResult } from './call/convert-large-result.ts';
import type { Call, CallOrigin, DraftCall } from './call/draft.ts';
import type { CallEnd } from './call/end.ts';
import { toolView } from './call/make-tool-view.ts';
import { notifyEnd } from './call/notify-end.ts';
import type { CallOutput, ExecutionResult } from './call/output.ts';
import { referencesIn, sizeOf, withTextsRead } from './call/parameters/check-parameters.ts';
import { largeParameters, type ParameterWork, smallParameters } from './call/parameters/parameter-work.ts';
import { readReferences } from './call/parameters/read-references.ts';
import type { Progress } from './call/progress.ts';
import { plainProgress } from './call/progress.ts';
import { liveCall, renewedCredentials } from './call/renewed-credentials.ts';
import type { CallRequest } from './call/request.ts';
import type { CallServices } from './call/services.ts';
import type { ToolView } from './call/tool-view.ts';
import type { ApprovalDecision } from './call/verdict.ts';
import { allowed, type Verdict } from './call/verdict.ts';
import type { CallClient } from './client/client.ts';
import { checkContent } from './client/content.ts';
import { maskedClient } from './client/masked-client.ts';
import { failureOutput } from './definition/check/failure-output.ts';
import type { Tool } from './definition/schema/tool.ts';
import type { Preview } from './discovery/live-registry.ts';
import { ToolkitError } from './errors.ts';
import type { ControlFiles } from './files/control-files.ts';
import type { Masking } from './log/bounded-text.ts';
import { discard, type Logger } from './log/logger.ts';
import { maskedLogger } from './log/masked-logger.ts';
import type { OutboundAddresses, OutboundFetch } from './outbound.ts';
import type { Plan, Plans } from './plan.ts';
import { isLarge, type JsonValue, toJsonValue } from './schema/json.ts';
import { CallMasking, fullMasking, type OwnMasking } from './secrets/call-masking.ts';
import type { CallSecrets } from './secrets/call-secrets.ts';
import { maskInSlices } from './secrets/mask-in-slices.ts';
import { maskedError } from './secrets/masked-error.ts';
import { noCredentials, separateCredentials } from './secrets/own-credentials.ts';
import type { Redactor } from './secrets/redact.ts';
import type { Secret } from './secrets/secret.ts';
import type { HookName } from './taps/hook-names.ts';
import { HookRun } from './taps/hook-run.ts';
import { bail, waterfall } from './taps/run-taps.ts';
import type { TapEffect } from './taps/tap-effect.ts';
import { after, type MaybePromise } from './time/maybe-promise.ts';

/** The services of calls, with the plans by which their taps run. */
export interface PlannedServices extends CallServices {
  readonly plans: Plans;
}

/**
 * Runs one call. Returns the output if nothing has to wait, else a promise. Throws ToolkitError, or rejects with it.
 * `settled` sees every end.
 */
export function startCall(services: PlannedServices, request: CallRequest): MaybePromise<CallOutput> {
  const call = new RunningCall(services, request);
  try {
    const output = runStages(call);
    return output instanceof Promise ? output.catch((thrown: unknown) => call.fail(thrown)) : output;
  } catch (thrown) {
    return call.fail(thrown);
  }
}

/** Runs the stages, one a line. */
function runStages(call: RunningCall): MaybePromise<CallOutput> {
  const checked = call.open();
  const bound = after(checked, (draft) => call.through('injectAuth', draft));
  const decided = after(bound, (draft) => call.through('beforeExecute', draft));
  const approved = after(decided, (draft) => call.approve(draft));
  const executed = after(approved, (ready) => call.execute(ready));
  const validated = after(executed, (result) => call.validate(result));
  return after(validated, (result) => call.complete(result));
}

/** A running call: its state, and the context of its taps. */
class RunningCall extends HookRun implements CallContext {
  readonly callId = randomUUID();
  readonly caller: string;
  readonly tenant: string;
  readonly origin: CallOrigin;
  readonly isTrial: boolean;
  /** The caller's listener for tap effects; absent without one. */
  readonly onTap?: (effect: TapEffect) => void;
  readonly #services: PlannedServices;
  readonly #request: CallRequest;
  readonly #startedAt = performance.now();
  readonly #approvals: (ApprovalDecision & { kind: string })[] = [];
  readonly #maskingState: OwnMasking;
  #tool: Tool | undefined;
  #verdict: Verdict = allowed;
  #parameters: Readonly<Record<string, unknown>> = {};
  #work: ParameterWork = smallParameters;
  #plan: Plan | undefined;
  /** The result as the executor returned it. */
  #rawResult: ExecutionResult | undefined;
  /** The executor's result as JSON. */
  #jsonResult: ExecutionResult | undefined;
  /** True when the output is processed in slices. */
  #isLarge = false;
  #stopFollowing: (() => void) | undefined;
  #hasEnded = false;
  #isTrialOver = false;
  #maskedLogger: Logger | undefined;
  #client: CallClient | undefined;
  #tools: ToolView | undefined;
  #preview: Promise<Preview> | undefined;
  /** Aborts at the end of the call: questions to the client are then pointless. */
  #ended: AbortController | undefined;

  constructor(services: PlannedServices, request: CallRequest) {
    const own: OwnMasking = { masking: undefined };
    super(services.logger, (value) => (own.masking ?? services.masking.redactor).value(value), request.tool);
    this.#services = services;
    this.#request = request;
    this.#maskingState = own;
    this.caller = request.caller ?? 'default';
    this.tenant = request.tenant ?? this.caller;
    this.origin = request.origin ?? 'host';
    this.isTrial = request.isTrial ?? false;
    const { onTap } = request;
    if (onTap !== undefined) this.onTap = (effect) => this.#notify('onTap', () => onTap(this.mask(effect)));
  }

  /** Finds the tool and checks the parameters. */
  open(): MaybePromise<DraftCall> {
    const { tool: name, isVisible, signal, once } = this.#request;
    const tool = this.#services.registry().get(name, isVisible);
    this.#tool = tool;
    const { plans } = this.#services;
    this.#plan = this.onTap === undefined ? plans.of(tool, once !== undefined) : plans.watched(tool, once !== undefined);
    if (typeof signal === 'object' && signal.aborted) throw cancelled(signal);
    if (this.#isWatched)
      this.logger.debug('call started', { tool: tool.name, callId: this.callId, caller: this.caller, origin: this.origin });
    return this.#draft(tool);
  }

  /** Lets the caller cancel the call, and the kernel end it on close. */
  protected override onWait(): void {
    if (this.#stopFollowing !== undefined) return;
    const { signal } = this.#request;
    this.#services.running.set(this, this);
    this.#stopFollowing = signal === undefined ? () => {} : followSignal(this, typeof signal === 'function' ? signal() : signal);
  }

  get tool(): Tool {
    if (this.#tool === undefined) throw new Error('the call is not open');
    return this.#tool;
  }

  override get logger(): Logger {
    this.#maskedLogger ??= maskedLogger(super.logger, this.#fullMasking);
    return this.#maskedLogger;
  }

  get fetch(): OutboundFetch {
    return fetchFor(this, this.tool, this.#services.extensions.fetch);
  }

  get addressesOf(): OutboundAddresses {
    return addressesFor(this.tool, this.#services.extensions.addresses);
  }

  get controlFiles(): ControlFiles {
    return this.#services.extensions.controlFiles.current;
  }

  get output(): CallContext['output'] {
    return { budget: this.origin === 'model' ? this.#services.extensions.outputBudget : undefined };
  }

  get tools(): ToolView {
    this.#tools ??= toolView(
      this.#services,
      this.#request,
      () => this.signal,
      () => this.#preview,
    );
    return this.#tools;
  }

  previewReload(): Promise<Preview> {
    this.#preview ??= this.#services.live.preview();
    return this.#preview;
  }

  get client(): CallClient {
    this.#client ??= maskedClient(this.#request.client ?? {}, this.#fullMasking, () => this.#askingSignal());
    return this.#client;
  }

  encode(...given: Parameters<CallContext['encode']>): Promise<unknown> {
    return encodeWith(this.#services, this.tool, ...given);
  }

  progress(progress: Progress): void {
    const { onProgress } = this.#request;
    if (onProgress === undefined || this.abortReason !== undefined || this.#hasEnded) return;
    this.#notify('onProgress', () => onProgress(this.mask(plainProgress(progress))));
  }

  resolveSecrets(names: readonly string[]): Promise<CallSecrets> {
    return this.#services.callerSecrets.of(this.caller, names, () => this.#ownMasking());
  }

  renewCredentials(call: Call): Promise<ReadonlyMap<string, Secret> | undefined> {
    return renewedCredentials(this.#services, call, this.logger, (secret) => this.#ownMasking().use(secret));
  }

  withLiveCredentials(call: Call): MaybePromise<Call> {
    return call.credentials.size === 0 ? call : liveCall(this.#services, call, (secret) => this.#ownMasking().use(secret));
  }

  maskAlso(name: string, value: string): void {
    if (!this.#hasEnded) this.#ownMasking().maskAlso(name, value);
  }

  /** True when debug lines are logged. */
  get #isWatched(): boolean {
    return this.#services.logger.debug !== discard;
  }

  get #fullMasking(): Masking {
    return fullMasking(this.#maskingState, this.#services.masking);
  }

  #ownMasking(own?: Redactor): CallMasking {
    if (this.#hasEnded) throw this.#endedError();
    this.#maskingState.masking ??= new CallMasking(this.#services.masking, { isPure: this.#tool?.definition.pure === true, own });
    return this.#maskingState.masking;
  }

  #askingSignal(): AbortSignal {
    if (this.#hasEnded) return AbortSignal.abort(this.#endedError());
    if (this.#ended === undefined) {
      const ended = new AbortController();
      // Not AbortSignal.any: Node keeps such a signal, and this call with it, as long as it has a listener.
      if (this.signal.aborted) ended.abort(this.signal.reason);
      else this.signal.addEventListener('abort', () => ended.abort(this.signal.reason), { once: true });
      this.#ended = ended;
    }
    return this.#ended.signal;
  }

  #trialEnd({ tool }: Call): ToolkitError {
    this.#isTrialOver = true;
    return new ToolkitError('ABORTED', `"${tool.name}" would run now: this was a trial.`, { tool: tool.name });
  }

  #endedError(): ToolkitError {
    return new ToolkitError('ABORTED', 'The call has ended.', { tool: this.#request.tool });
  }

  /** Runs code of the caller. If it throws, the call goes on. */
  #notify(label: string, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.logger.warn(`${label} failed`, { error });
    }
  }

  #draft(tool: Tool): MaybePromise<DraftCall> {
    // `null` counts as no parameters.
    const given = withTextsRead(tool, this.#request.parameters ?? {});
    const size = sizeOf(tool, given);
    if (size === 'plain') return this.#checkedDraft(tool, given, true);
    if (size === 'large') {
      this.#work = largeParameters;
      this.onWait();
    }
    return after(this.#work.refuseCostly(tool, given), () => this.#checkedDraft(tool, given, false));
  }

  #checkedDraft(tool: Tool, given: Readonly<Record<string, unknown>>, hasPlain: boolean): MaybePromise<DraftCall> {
    const { credentials, approval, once } = this.#request;
    const isModels = this.origin === 'model' && credentials === undefined;
    const { parameters, own } = isModels
      ? { parameters: given, own: noCredentials }
      : separateCredentials(tool, { ...this.#request, parameters: given });
    if (once !== undefined) this.#services.extensions.requireOnce(tool, once);
    const mayBring = own.size > 0 || approval !== undefined || !hasPlain;
    const { secretNames } = this.#services.registry();
    const brought = mayBring ? this.#work.secretsOf(tool, { own, parameters, approval }, secretNames) : undefined;
    return after(brought, (secrets) => {
      if (secrets !== undefined || tool.definition.pure === true) this.#ownMasking(secrets);
      // The attempted parameters, for the trail, also of a refused call.
      this.#parameters = parameters;
      return after(this.#work.check(tool, parameters, this.origin), (checked) => this.#draftOf(tool, checked, own));
    });
  }

  #draftOf(tool: Tool, parameters: DraftCall['parameters'], own: DraftCall['ownCredentials']): DraftCall {
    const { approval, once } = this.#request;
    this.#parameters = parameters;
    return Object.freeze({
      id: this.callId,
      tool,
      parameters,
      credentials: new Map(),
      ownCredentials: own,
      caller: this.caller,
      origin: this.origin,
      approved: this.#request.approved ?? false,
      ...(approval === undefined ? {} : { approval }),
      ...(once === undefined ? {} : { once }),
      verdict: allowed,
    });
  }

  through(name: 'injectAuth' | 'beforeExecute', draft: DraftCall): MaybePromise<DraftCall> {
    const taps = this.#planned[name];
    return taps.length === 0 ? draft : this.#stage(name, () => waterfall(taps, draft, this));
  }

  validate(result: ExecutionResult): MaybePromise<ExecutionResult> {
    const taps = this.#planned.validateOutput;
    return taps.length === 0 ? result : this.#stage('validateOutput', () => waterfall(taps, result, this));
  }

  get #planned(): Plan {
    if (this.#plan === undefined) throw new Error('the call is not open');
    return this.#plan;
  }

  #stage<T>(hook: HookName, work: () => MaybePromise<T>): MaybePromise<T> {
    if (this.#isWatched) this.logger.debug('call stage', { stage: hook, tool: this.tool.name, callId: this.callId });
    const ofTool = hook === 'execute' ? this.tool.definition.execution.timeout_ms : undefined;
    return this.stage(hook, ofTool ?? this.#services.timeoutsMs[hook], work);
  }

  approve(draft: DraftCall): MaybePromise<Call> {
    this.#verdict = draft.verdict;
    if (draft.parameters === this.#parameters) return this.#approve(draft, draft.parameters);
    return after(this.#work.check(draft.tool, draft.parameters, 'step'), (parameters) => this.#approve(draft, parameters));
  }

  #approve(draft: DraftCall, parameters: DraftCall['parameters']): MaybePromise<Call> {
    this.#parameters = parameters;
    const { id, tool, credentials, caller, origin, verdict, once } = draft;
    const call: Call = Object.freeze({
      id,
      tool,
      parameters,
      credentials,
      caller,
      origin,
      verdict,
      ...(once === undefined ? {} : { once }),
    });
    if (verdict.effect === 'allow') return call;
    return approveCall(Object.freeze({ ...draft, parameters }), call, {
      mask: this.mask,
      identify: async () => this.#stage('approve', () => identityOf(this.#services, call, this)),
      changeOf: (before, now) => changeOf(this.#services, call, this, before, now),
      ask: async (request) => this.#stage('approve', () => bail<ApprovalDecision>(this.#planned.approve, request, this)),
      keep: (decision) => this.#approvals.push(decision),
    });
  }

  execute(call: Call): MaybePromise<ExecutionResult> {
    const { beforeType, execute } = this.#planned;
    const { type } = call.tool.execution;
    if (this.isTrial) throw this.#trialEnd(call);
    if (execute === undefined) throw executorError(call, `No plugin executes type "${type}" of tool "${call.tool.name}".`);
    const run = (live: Call): MaybePromise<ExecutionResult | undefined> =>
      after(bail<ExecutionResult>(beforeType, live, this), (answer) => {
        if (answer !== undefined) return answer;
        const unchanged = live.identity === undefined ? undefined : refuseChanged(this.#services, live, this);
        const whole = after<void, Call>(unchanged, () => this.#withValues(live));
        return after(whole, (ready) => bail<ExecutionResult>(execute, ready, this));
      });
    const result = this.#stage('execute', () => after(this.withLiveCredentials(call), run));
    return after(result, (given) => this.#convertResult(call, given));
  }

  #withValues(call: Call): MaybePromise<Call> {
    return referencesIn(call.tool, call.parameters).length === 0 ? call : readReferences(call, this, this.#services, this.#maskingState);
  }

  /** Converts the executor's result to JSON. */
  #convertResult(call: Call, result: ExecutionResult | undefined): MaybePromise<ExecutionResult> {
    const { name, execution } = call.tool;
    this.#rawResult = result;
    if (result === undefined) throw executorError(call, `No tap on "execute" for type "${execution.type}" answered the call of "${name}".`);
    if (result.content !== undefined) checkContent(result.content, name);
    this.#isLarge = isLarge(result.output);
    const json = this.#isLarge ? convertLargeResult(name, result.output, this.origin) : toJsonValue(result.output);
    return after(json, (output) => {
      this.#jsonResult = { ...result, output };
      return this.#jsonResult;
    });
  }

  complete({ output, content, structured, meta = {} }: ExecutionResult): MaybePromise<CallOutput> {
    // A tap on validateOutput may have returned another output.
    const json = output === this.#jsonResult?.output ? (output as JsonValue) : toJsonValue(output);
    if (json !== this.#jsonResult?.output) this.#maskingState.masking?.taint();
    const shown = { ...(content === undefined ? {} : { content }), ...(structured === undefined ? {} : { structured }), meta };
    const whole = { output: json, ...shown };
    const masked = this.#isLarge || isLarge(shown) ? this.maskInSlices(whole) : this.mask(whole);
    return after(masked, (members) => {
      const result: CallOutput = { callId: this.callId, tool: this.tool, ...members };
      return after(this.#settle({ type: 'completed', result }), () => result);
    });
  }

  maskInSlices<T>(value: T): MaybePromise<T> {
    return maskInSlices(value, { mask: this.mask, reach: this.#fullMasking.reach });
  }

  /** Returns the output that replaces the error, or throws the error. */
  fail(thrown: unknown): MaybePromise<CallOutput> {
    const reported = maskedError(thrown, this.mask, this.#tool === undefined ? {} : { tool: this.#tool.name });
    const error = withCarriedOut(reported, this.#tool, this.#rawResult);
    return after(this.#settle({ type: 'failed', error }), () => {
      const output = this.#tool === undefined ? undefined : failureOutput(this.#tool.definition, error);
      if (output === undefined) throw error;
      return { callId: this.callId, tool: this.tool, output: toJsonValue(output), meta: {}, error };
    });
  }

  #settle(outcome: CallEnd['outcome']): MaybePromise<void> {
    // Later reports of the tool must not reach the caller.
    this.#hasEnded = true;
    this.#stopFollowing?.();
    this.#ended?.abort(this.#endedError());
    const taps = this.#isTrialOver ? [] : this.#services.plans.settled(this.#tool, this.#request.once !== undefined);
    const notified =
      taps.length === 0 && !this.#isWatched ? undefined : notifyEnd(this.#services, this.#fullMasking, this.#trackHeld(outcome), taps);
    return notified instanceof Promise ? notified.finally(() => this.#leave()) : this.#leave();
  }

  #trackHeld(outcome: CallEnd['outcome']): CallEnd {
    return {
      id: this.callId,
      toolName: this.#request.tool,
      ...(this.#tool === undefined ? {} : { tool: this.#tool }),
      caller: this.caller,
      origin: this.origin,
      parameters: this.#parameters,
      verdict: this.#verdict,
      approvals: this.#approvals,
      durationMs: performance.now() - this.#startedAt,
      isHeld: this.#request.isHeld ?? false,
      outcome,
    };
  }

  #leave(): void {
    this.#services.running.delete(this);
    this.#maskingState.masking?.end();
  }
}

function executorError({ tool }: Call, message: string): ToolkitError {
  return new ToolkitError('EXECUTOR_NOT_FOUND', message, { tool: tool.name });
}
