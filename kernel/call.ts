import { randomUUID } from 'node:crypto';
import { CallRun } from './call-context.ts';
import type { CallRequest, CallServices } from './call-request.ts';
import { checkContent } from './definition/content.ts';
import { failureOutput } from './definition/failure-output.ts';
import type { Tool } from './definition/link.ts';
import { type ErrorCode, messageOf, ToolkitError } from './errors.ts';
import {
  type ApprovalDecision,
  anyExecution,
  type Call,
  type CallContext,
  type CallEnd,
  type CallOutput,
  type DraftCall,
  type ExecutionResult,
  type HookName,
} from './hooks.ts';
import { checkParameters } from './parameters.ts';
import { HookRun } from './run.ts';
import { deepFreeze, describeValue, toJsonValue } from './schema/json.ts';
import { maskedError } from './secrets/masked-error.ts';
import { Redactor } from './secrets/redact.ts';
import { Secret } from './secrets/secret.ts';
import { allowed, type Verdict } from './verdict.ts';
import { WatchedRun } from './watched-run.ts';

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

/** The state of one call while it runs. */
class RunningCall {
  readonly #services: CallServices;
  readonly #request: CallRequest;
  readonly #id = randomUUID();
  readonly #startedAt = performance.now();
  readonly #approvals: (ApprovalDecision & { kind: string })[] = [];
  /** Secrets that only this call knows: its own credentials and values composed from secrets. */
  readonly #own = new Redactor();
  #release: () => void = () => {};
  #run: CallRun | undefined;
  #tool: Tool | undefined;
  #verdict: Verdict = allowed;
  #parameters: Readonly<Record<string, unknown>> = {};

  constructor(services: CallServices, request: CallRequest) {
    this.#services = services;
    this.#request = request;
  }

  open(tool: Tool): CallContext {
    this.#tool = tool;
    const Run = this.#request.onTap === undefined ? CallRun : WatchedRun;
    const run = new Run(this.#services, this.#request, this.#id, tool, this.#own, (value) => this.#mask(value));
    this.#run = run;
    this.#release = this.#services.track(run);
    const { caller, origin } = run;
    run.logger.debug('call started', { tool: tool.name, callId: this.#id, caller, origin });
    return run;
  }

  draft(tool: Tool): DraftCall {
    const { parameters, own } = this.#separateCredentials(tool);
    // What was tried, for the trail, also when it is refused.
    this.#parameters = parameters;
    this.#parameters = checkParameters(tool, parameters, true);
    return Object.freeze({
      id: this.#id,
      tool,
      parameters: this.#parameters,
      credentials: new Map(),
      ownCredentials: own,
      caller: this.#request.caller ?? 'default',
      origin: this.#request.origin ?? 'host',
      approved: this.#request.approved ?? false,
      ...(this.#request.approval === undefined ? {} : { approval: this.#request.approval }),
      verdict: allowed,
    });
  }

  /** A host may give credentials beside the parameters, or among them under their own name; a model may give none. */
  #separateCredentials(tool: Tool): { parameters: Record<string, unknown>; own: ReadonlyMap<string, Secret> } {
    const parameters: Record<string, unknown> = { ...this.#request.parameters };
    if (this.#request.origin === 'model') return { parameters, own: new Map() };
    const values: Record<string, unknown> = { ...this.#request.credentials };
    for (const { name } of tool.credentials) {
      if (Object.hasOwn(tool.parameters, name) || parameters[name] === undefined) continue;
      values[name] = parameters[name];
      delete parameters[name];
    }
    const own = new Map<string, Secret>();
    for (const [name, value] of Object.entries(values)) {
      const need = tool.credentials.find((declared) => declared.name === name);
      if (typeof value !== 'string' || need === undefined) throw refusedCredential(tool, name, value);
      const secret = new Secret(name, value);
      own.set(name, secret);
      if (need.isSecret) this.#own.add(secret);
    }
    return { parameters, own };
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
    const run = this.#opened();
    run.logger.debug('call stage', { stage: hook, tool: run.tool.name, callId: this.#id });
    const limit =
      hook === 'execute'
        ? (run.tool.definition.execution.timeout_ms ?? this.#services.timeoutsMs.execute)
        : this.#services.timeoutsMs[hook];
    return run.stage(hook, limit, work);
  }

  /** Settles the verdict: every reason of an `ask` needs its own yes. */
  async approve(draft: DraftCall, context: CallContext): Promise<Call> {
    this.#verdict = draft.verdict;
    if (draft.parameters !== this.#parameters) this.#parameters = checkParameters(draft.tool, draft.parameters, false);
    const parameters = deepFreeze(this.#parameters);
    const frozen = Object.freeze({ ...draft, parameters });
    const { effect, reasons } = draft.verdict;
    if (effect === 'deny') throw verdictError('POLICY_DENIED', draft, `is refused: ${reasons.at(-1)?.message ?? 'a policy denies it'}`);
    for (const reason of effect === 'ask' ? reasons : []) {
      const request = { call: frozen, reason: this.#mask(reason), shownParameters: this.#mask(parameters) };
      const decision = await this.#stage('approve', () => this.#services.hooks.approve.promise(request, context));
      if (decision === undefined) throw verdictError('APPROVAL_REQUIRED', draft, `needs approval and was not run: ${reason.message}`);
      this.#approvals.push({ ...decision, kind: reason.kind });
      if (decision.approved !== true)
        throw verdictError(
          'APPROVAL_DENIED',
          draft,
          `was not approved by ${decision.by}${decision.reason === undefined ? '' : `: ${decision.reason}`}`,
        );
    }
    const { approved: _approved, approval: _approval, ownCredentials: _ownCredentials, ...call } = frozen;
    return Object.freeze(call);
  }

  async execute(call: Call, context: CallContext): Promise<ExecutionResult> {
    const { type } = call.tool.execution;
    const { execute } = this.#services.hooks;
    const before = execute.get(anyExecution);
    const own = execute.get(type);
    if (own === undefined) throw executorError(call, `No plugin executes type "${type}" of tool "${call.tool.name}".`);
    const result = await this.#stage('execute', async () => (await before?.promise(call, context)) ?? own.promise(call, context));
    if (result === undefined) throw executorError(call, `No tap on "execute" for type "${type}" answered the call of "${call.tool.name}".`);
    if (result.content !== undefined) checkContent(result.content, call.tool.name);
    return { ...result, output: toJsonValue(result.output) };
  }

  async complete(result: ExecutionResult): Promise<CallOutput> {
    const output: CallOutput = this.#mask({
      callId: this.#id,
      output: toJsonValue(result.output),
      ...(result.content === undefined ? {} : { content: result.content }),
      meta: result.meta ?? {},
    });
    await this.#settle({ type: 'completed', result: output });
    return output;
  }

  async fail(thrown: unknown): Promise<ToolkitError> {
    const error = this.#maskError(
      ToolkitError.is(thrown) ? thrown : new ToolkitError('EXECUTION_FAILED', messageOf(thrown), {}, { cause: thrown }),
    );
    await this.#settle({ type: 'failed', error });
    return error;
  }

  /** What the caller gets instead of the error; undefined when it is to be thrown. */
  answerTo(error: ToolkitError): CallOutput | undefined {
    const output = this.#tool === undefined ? undefined : failureOutput(this.#tool.definition, error);
    return output === undefined ? undefined : { callId: this.#id, output: toJsonValue(output), meta: {}, error };
  }

  async #settle(outcome: CallEnd['outcome']): Promise<void> {
    this.#run?.end();
    try {
      await this.#tellSettled(outcome);
    } finally {
      this.#release();
    }
  }

  async #tellSettled(outcome: CallEnd['outcome']): Promise<void> {
    const { hooks, logger, timeoutsMs } = this.#services;
    logger.debug('call ended', {
      tool: this.#request.tool,
      callId: this.#id,
      outcome: outcome.type === 'failed' ? outcome.error.code : 'completed',
      durationMs: Math.round(performance.now() - this.#startedAt),
    });
    if (!hooks.settled.isUsed()) return;
    const end: CallEnd = {
      id: this.#id,
      toolName: this.#mask(this.#request.tool),
      ...(this.#tool === undefined ? {} : { tool: this.#tool }),
      caller: this.#request.caller ?? 'default',
      origin: this.#request.origin ?? 'host',
      parameters: this.#mask(this.#parameters),
      verdict: this.#mask(this.#verdict),
      approvals: this.#mask(this.#approvals),
      durationMs: performance.now() - this.#startedAt,
      outcome,
    };
    const run = new HookRun(logger, (value) => this.#mask(value), this.#request.tool);
    await run
      .stage('settled', timeoutsMs.settled, () => hooks.settled.promise(end, run))
      .catch((error: unknown) => run.collect(error as ToolkitError));
    for (const error of run.collected) logger.error(error.message, { code: error.code });
  }

  #opened(): CallRun {
    if (this.#run === undefined) throw new Error('the call is not open');
    return this.#run;
  }

  #mask<T>(value: T): T {
    return this.#services.redactor.value(this.#own.value(value));
  }

  #maskError(error: ToolkitError): ToolkitError {
    const tool = this.#tool === undefined ? {} : { tool: this.#tool.name };
    return maskedError(error, (value) => this.#mask(value), tool);
  }
}

function refusedCredential(tool: Tool, name: string, value: unknown): ToolkitError {
  const known = tool.credentials.map((need) => need.name).join(', ') || 'none';
  const problem =
    typeof value === 'string'
      ? `is not a credential of this tool (expected ${known})`
      : `expected a string, received ${describeValue(value)}`;
  return new ToolkitError('INVALID_PARAMETERS', `Credential "${name}" of "${tool.name}" ${problem}.`, {
    tool: tool.name,
    issues: [{ path: name, message: problem }],
  });
}

function executorError({ tool }: Call, message: string): ToolkitError {
  return new ToolkitError('EXECUTOR_NOT_FOUND', message, { tool: tool.name });
}

function verdictError(code: ErrorCode, draft: DraftCall, message: string): ToolkitError {
  return new ToolkitError(code, `"${draft.tool.name}" ${message}`, { tool: draft.tool.name, reasons: draft.verdict.reasons });
}
