import { randomUUID } from 'node:crypto';
import { approveCall } from './approval/approve-call.ts';
import { identityOf, refuseChanged } from './approval/identify.ts';
import { allowed, type Verdict } from './approval/verdict.ts';
import { addressesFor, encodeWith, fetchFor, followSignal } from './call-context.ts';
import { tellEnd } from './call-end.ts';
import type { CallRequest, CallServices } from './call-request.ts';
import type { CallClient } from './client.ts';
import { checkContent } from './definition/content.ts';
import { failureOutput } from './definition/failure-output.ts';
import type { Preview } from './definition/live-registry.ts';
import type { Tool } from './definition/tool.ts';
import { toolView } from './definition/tool-view.ts';
import { ToolkitError } from './errors.ts';
import type { ControlFiles } from './files/control-files.ts';
import {
  type ApprovalDecision,
  anyExecution,
  type Call,
  type CallContext,
  type CallEnd,
  type CallOrigin,
  type CallOutput,
  type DraftCall,
  type ExecutionResult,
  type HookName,
  type Progress,
  type TapEffect,
  type ToolView,
} from './hooks.ts';
import type { Masking } from './log/bounded-text.ts';
import { discard, type Logger } from './log/logger.ts';
import { maskedLogger } from './log/masked-logger.ts';
import { plainProgress } from './log/plain-progress.ts';
import type { OutboundAddresses, OutboundFetch } from './outbound.ts';
import { checkParameters, isPlain } from './parameters.ts';
import { HookRun } from './run.ts';
import { refuseCostlyAnswer, refuseCostlyParameters } from './schema/cost.ts';
import { deepFreeze, toJsonValue } from './schema/json.ts';
import { maskedClient } from './secrets/masked-client.ts';
import { maskedError } from './secrets/masked-error.ts';
import { separateCredentials } from './secrets/own-credentials.ts';
import { ownSecrets } from './secrets/own-secrets.ts';
import { Redactor } from './secrets/redact.ts';
import { renewedCredentials } from './secrets/renewed-credentials.ts';
import type { Secret } from './secrets/secret.ts';

/** One call, a line per stage. Throws ToolkitError; `settled` sees every end. */
export async function runCall(services: CallServices, request: CallRequest): Promise<CallOutput> {
  const call = new RunningCall(services, request);
  try {
    const tool = services.registry().get(request.tool, request.isVisible);
    const context = call.open(tool);
    const checked = call.draft(tool);
    const bound = await call.through('injectAuth', checked, context);
    const decided = await call.through('beforeExecute', bound, context);
    const approved = await call.approve(decided, context);
    const executed = await call.execute(approved, context);
    const validated = await call.validate(executed, context);
    return await call.complete(validated);
  } catch (thrown) {
    const error = await call.fail(thrown);
    const answer = call.answerTo(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

/** Secrets that only one call knows: what it brought along, and values composed from secrets. Made when there is one. */
interface Own {
  secrets: Redactor | undefined;
}

/** A model can give none. */
const noCredentials: ReadonlyMap<string, Secret> = new Map();

/** One call while it runs: its state, and the context that its taps get. */
class RunningCall extends HookRun implements CallContext {
  readonly callId = randomUUID();
  readonly caller: string;
  readonly tenant: string;
  readonly origin: CallOrigin;
  /** Only where the caller wants to know what each tap does. */
  readonly onTap?: (effect: TapEffect) => void;
  readonly #services: CallServices;
  readonly #request: CallRequest;
  readonly #startedAt = performance.now();
  readonly #approvals: (ApprovalDecision & { kind: string })[] = [];
  readonly #own: Own;
  #tool: Tool | undefined;
  #verdict: Verdict = allowed;
  #parameters: Readonly<Record<string, unknown>> = {};
  #unfollow: (() => void) | undefined;
  #hasEnded = false;
  #maskedLogger: Logger | undefined;
  #client: CallClient | undefined;
  #tools: ToolView | undefined;
  #preview: Promise<Preview> | undefined;
  /** Aborts when the call has ended: nobody waits for an answer of its caller's side then. */
  #ended: AbortController | undefined;

  constructor(services: CallServices, request: CallRequest) {
    const own: Own = { secrets: undefined };
    super(
      services.logger,
      (value) => services.masking.redactor.value(own.secrets === undefined ? value : own.secrets.value(value)),
      request.tool,
    );
    this.#services = services;
    this.#request = request;
    this.#own = own;
    this.caller = request.caller ?? 'default';
    this.tenant = request.tenant ?? this.caller;
    this.origin = request.origin ?? 'host';
    const { onTap } = request;
    if (onTap !== undefined) this.onTap = (effect) => this.#tell('onTap', () => onTap(this.mask(effect)));
  }

  open(tool: Tool): CallContext {
    this.#tool = tool;
    const { signal } = this.#request;
    if (signal !== undefined) this.#unfollow = followSignal(this, signal);
    this.#services.running.add(this);
    if (this.#isWatched)
      this.logger.debug('call started', { tool: tool.name, callId: this.callId, caller: this.caller, origin: this.origin });
    return this;
  }

  get tool(): Tool {
    if (this.#tool === undefined) throw new Error('the call is not open');
    return this.#tool;
  }

  override get logger(): Logger {
    this.#maskedLogger ??= maskedLogger(super.logger, this.#masking());
    return this.#maskedLogger;
  }

  get fetch(): OutboundFetch {
    return fetchFor(this.tool, this.tenant, this.#services.extensions.fetch);
  }

  get addressesOf(): OutboundAddresses {
    return addressesFor(this.tool, this.#services.extensions.addresses);
  }

  get controlFiles(): ControlFiles {
    return this.#services.extensions.controlFiles.current;
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
    this.#client ??= maskedClient(this.#request.client ?? {}, this.#masking(), () => this.#askingSignal());
    return this.#client;
  }

  encode(...given: Parameters<CallContext['encode']>): Promise<unknown> {
    return encodeWith(this.#services, this.tool, ...given);
  }

  progress(progress: Progress): void {
    const { onProgress } = this.#request;
    if (onProgress === undefined || this.abortReason !== undefined || this.#hasEnded) return;
    this.#tell('onProgress', () => onProgress(this.mask(plainProgress(progress))));
  }

  renewCredentials(call: Call): Promise<ReadonlyMap<string, Secret> | undefined> {
    return renewedCredentials(this.#services, call, this);
  }

  maskAlso(name: string, value: string): void {
    this.#secrets.maskAlso(name, value);
  }

  /** Somebody reads what is logged of each call. */
  get #isWatched(): boolean {
    return this.#services.logger.debug !== discard;
  }

  get #secrets(): Redactor {
    this.#own.secrets ??= new Redactor();
    return this.#own.secrets;
  }

  #masking(): Masking {
    return { mask: this.mask, reach: () => Math.max(this.#own.secrets?.longest ?? 0, this.#services.masking.redactor.longest) };
  }

  #askingSignal(): AbortSignal {
    if (this.#hasEnded) return AbortSignal.abort(this.#endedError());
    if (this.#ended === undefined) {
      const ended = new AbortController();
      // Not AbortSignal.any: Node keeps such a signal, and this call with it, for as long as it has a listener that nobody takes away.
      if (this.signal.aborted) ended.abort(this.signal.reason);
      else this.signal.addEventListener('abort', () => ended.abort(this.signal.reason), { once: true });
      this.#ended = ended;
    }
    return this.#ended.signal;
  }

  #endedError(): ToolkitError {
    return new ToolkitError('ABORTED', 'The call has ended.', { tool: this.#request.tool });
  }

  /** Calls code of the caller. Where that fails, the call goes on. */
  #tell(what: string, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.logger.warn(`${what} failed`, { error });
    }
  }

  draft(tool: Tool): DraftCall {
    refuseCostlyParameters(tool, this.#request.parameters);
    const isModel = this.origin === 'model';
    const { parameters, own } = isModel
      ? { parameters: this.#request.parameters ?? {}, own: noCredentials }
      : separateCredentials(tool, this.#request);
    const { approval } = this.#request;
    if (own.size > 0 || approval !== undefined || !isPlain(tool, parameters)) {
      this.#own.secrets = ownSecrets(tool, { own, parameters, approval }, this.#services.registry().secretNames);
      if (this.#own.secrets !== undefined) this.#services.masking.include(this.#own.secrets);
    }
    // What was tried, for the trail, also when it is refused.
    this.#parameters = parameters;
    this.#parameters = checkParameters(tool, parameters, true);
    return Object.freeze({
      id: this.callId,
      tool,
      parameters: this.#parameters,
      credentials: new Map(),
      ownCredentials: own,
      caller: this.caller,
      origin: this.origin,
      approved: this.#request.approved ?? false,
      ...(approval === undefined ? {} : { approval }),
      verdict: allowed,
    });
  }

  through(name: 'injectAuth' | 'beforeExecute', draft: DraftCall, context: CallContext): DraftCall | Promise<DraftCall> {
    const hook = this.#services.hooks[name];
    return hook.isUsed() ? this.#stage(name, () => hook.promise(draft, context)) : draft;
  }

  validate(result: ExecutionResult, context: CallContext): ExecutionResult | Promise<ExecutionResult> {
    const hook = this.#services.hooks.validateOutput;
    return hook.isUsed() ? this.#stage('validateOutput', () => hook.promise(result, context)) : result;
  }

  #stage<T>(hook: HookName, work: () => Promise<T>): Promise<T> {
    if (this.#isWatched) this.logger.debug('call stage', { stage: hook, tool: this.tool.name, callId: this.callId });
    const ofTool = hook === 'execute' ? this.tool.definition.execution.timeout_ms : undefined;
    return this.stage(hook, ofTool ?? this.#services.timeoutsMs[hook], work);
  }

  async approve(draft: DraftCall, context: CallContext): Promise<Call> {
    this.#verdict = draft.verdict;
    if (draft.parameters !== this.#parameters) this.#parameters = checkParameters(draft.tool, draft.parameters, false);
    const frozen = Object.freeze({ ...draft, parameters: deepFreeze(this.#parameters) });
    const { approved: _approved, approval: _approval, ownCredentials: _ownCredentials, ...call } = frozen;
    if (draft.verdict.effect === 'allow') return Object.freeze(call);
    return approveCall(frozen, call, {
      mask: this.mask,
      identify: () => this.#stage('approve', () => identityOf(this.#services, call, context)),
      ask: (request) => this.#stage('approve', () => this.#services.hooks.approve.promise(request, context)),
      keep: (decision) => this.#approvals.push(decision),
    });
  }

  async execute(call: Call, context: CallContext): Promise<ExecutionResult> {
    const { type } = call.tool.execution;
    const { execute } = this.#services.hooks;
    const before = execute.get(anyExecution);
    const own = execute.get(type);
    if (own === undefined) throw executorError(call, `No plugin executes type "${type}" of tool "${call.tool.name}".`);
    const result = await this.#stage('execute', async () => {
      const answer = await before?.promise(call, context);
      if (answer !== undefined) return answer;
      if (call.identity !== undefined) await refuseChanged(this.#services, call, context);
      return own.promise(call, context);
    });
    if (result === undefined) throw executorError(call, `No tap on "execute" for type "${type}" answered the call of "${call.tool.name}".`);
    if (result.content !== undefined) checkContent(result.content, call.tool.name);
    if (this.origin === 'model') refuseCostlyAnswer(call.tool.name, result.output);
    return { ...result, output: toJsonValue(result.output) };
  }

  async complete({ output, content, structured, meta = {} }: ExecutionResult): Promise<CallOutput> {
    const shown = { ...(content === undefined ? {} : { content }), ...(structured === undefined ? {} : { structured }), meta };
    const result: CallOutput = { callId: this.callId, tool: this.tool, ...this.mask({ output: toJsonValue(output), ...shown }) };
    await this.#settle({ type: 'completed', result });
    return result;
  }

  async fail(thrown: unknown): Promise<ToolkitError> {
    const error = maskedError(thrown, this.mask, this.#tool === undefined ? {} : { tool: this.#tool.name });
    await this.#settle({ type: 'failed', error });
    return error;
  }

  /** What the caller gets instead of the error; undefined when it is to be thrown. */
  answerTo(error: ToolkitError): CallOutput | undefined {
    const output = this.#tool === undefined ? undefined : failureOutput(this.#tool.definition, error);
    return output === undefined ? undefined : { callId: this.callId, tool: this.tool, output: toJsonValue(output), meta: {}, error };
  }

  async #settle(outcome: CallEnd['outcome']): Promise<void> {
    // Nothing that the tool says from now on reaches the caller.
    this.#hasEnded = true;
    this.#unfollow?.();
    this.#ended?.abort(this.#endedError());
    const tool = this.#tool === undefined ? {} : { tool: this.#tool };
    try {
      await tellEnd(this.#services, this.mask, {
        id: this.callId,
        toolName: this.#request.tool,
        ...tool,
        caller: this.caller,
        origin: this.origin,
        parameters: this.#parameters,
        verdict: this.#verdict,
        approvals: this.#approvals,
        durationMs: performance.now() - this.#startedAt,
        outcome,
      });
    } finally {
      this.#services.running.delete(this);
      if (this.#own.secrets !== undefined) this.#services.masking.exclude(this.#own.secrets);
    }
  }
}

function executorError({ tool }: Call, message: string): ToolkitError {
  return new ToolkitError('EXECUTOR_NOT_FOUND', message, { tool: tool.name });
}
