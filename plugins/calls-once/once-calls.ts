import { hash, randomUUID } from 'node:crypto';
import type { Call, CallContext, CallEnd, DraftCall, ExecutionResult, Liveness, Tool } from '../../kernel/index.ts';
import { AbandonedAttempts } from './abandoned-attempts.ts';
import { definitionDigest } from './effect.ts';
import { intentAfterEnd, storedResult } from './end.ts';
import type { Attempt, Intent, Intents, ReadIntent } from './intent.ts';
import { intentIdsOf } from './intent-ids.ts';
import type { Outcomes } from './outcomes.ts';
import { refuseReusedName } from './reused-name.ts';
import { defaultServiceMs, maxStartMs, settlingMs } from './timing.ts';
import { UnknownOutcomes } from './unknown-outcomes.ts';
import type { Verifier } from './verifier.ts';

/** Interval at which the process of a running call is checked, in milliseconds. */
const checkIntervalMs = 1000;

export interface OnceCallsOptions {
  readonly intents: Intents;
  readonly outcomes: Outcomes;
  readonly process: Liveness;
  readonly verifier: Verifier;
}

interface RunningCall {
  readonly id: string;
  readonly tool: Tool;
  readonly written: ReadIntent;
  /** The intent of an earlier attempt. */
  readonly before: ReadIntent | undefined;
  /** Time for which the service may work on an abandoned request. Absent where the effect cannot be verified. */
  readonly serviceMs: number | undefined;
  isExecuted: boolean;
}

/** A call whose intent is written. */
interface ClaimedCall {
  readonly call: Call;
  readonly id: string;
  readonly facts: Pick<Attempt, 'tool' | 'parameters' | 'definition' | 'sentAs'>;
  /** The intent of an earlier attempt. */
  readonly before: ReadIntent | undefined;
  readonly serviceMs: number | undefined;
}

/** The named calls of this process, from their intent to their outcome. */
export class OnceCalls {
  readonly #options: OnceCallsOptions;
  readonly #unknownOutcomes: UnknownOutcomes;
  /** Running calls, by call id. */
  readonly #running = new Map<string, RunningCall>();
  /** Ids of attempts whose outcome is not written yet. */
  readonly #attempts = new Set<string>();
  readonly #abandoned: AbandonedAttempts;

  /** Ids of calls with credentials of their own. */
  readonly #withOwnCredentials = new Set<string>();

  constructor(options: OnceCallsOptions) {
    this.#options = options;
    this.#unknownOutcomes = new UnknownOutcomes(options);
    this.#abandoned = new AbandonedAttempts(options);
  }

  /** Notes a call with its own credentials: later hooks do not see them. */
  prepare({ id, ownCredentials }: Pick<DraftCall, 'id' | 'ownCredentials'>): void {
    if (ownCredentials.size > 0) this.#withOwnCredentials.add(id);
  }

  /** Returns undefined when the call must run here, else the result of the earlier call with its name. Throws the error of that call. */
  async begin(call: Call, context: CallContext): Promise<ExecutionResult | undefined> {
    // The time limit is that of the tool: a slow store would use it up, and the call would end although nothing was sent.
    const resumeClock = context.pauseClock();
    try {
      return await this.#claimOrAnswer(call, context);
    } finally {
      resumeClock();
    }
  }

  async #claimOrAnswer(call: Call, context: CallContext): Promise<ExecutionResult | undefined> {
    const { intents, process, verifier } = this.#options;
    const verify = await verifier.verifyOf(call.tool);
    const serviceMs = verify === undefined ? undefined : (verify.after_ms ?? defaultServiceMs);
    const ids = intentIdsOf(call);
    const facts = {
      tool: call.tool.name,
      parameters: await digestOf(call),
      definition: await definitionDigest(call.tool, this.#withOwnCredentials.has(call.id)),
      sentAs: ids.sentAs,
    };
    await process.enter();
    let isMine = false;
    try {
      for (;;) {
        context.signal.throwIfAborted();
        const { id, found } = await intents.find(ids);
        if (found !== undefined && (await this.#abandoned.undo(id, found))) continue;
        refuseReusedName(call, facts.parameters, found);
        const claimed = { call, id, facts, before: found, serviceMs };
        const answer = found === undefined ? undefined : await this.#takeExchange(found, claimed, context);
        if (answer === 'changed') continue;
        if (answer !== undefined && answer !== 'take over') return answer;
        isMine = await this.#claim(claimed, context.signal);
        if (isMine) return undefined;
      }
    } finally {
      if (!isMine) process.leave();
    }
  }

  /** Notes that the executor has returned a result. */
  onExecuted(callId: string): void {
    const running = this.#running.get(callId);
    if (running !== undefined) running.isExecuted = true;
  }

  /** Writes the outcome of a call that ran here. */
  async settle({ id: callId, outcome, isUnsent }: CallEnd): Promise<void> {
    this.#withOwnCredentials.delete(callId);
    const running = this.#running.get(callId);
    if (running === undefined) return;
    this.#running.delete(callId);
    const { outcomes, process } = this.#options;
    const { id, written, tool, serviceMs } = running;
    const { attempt } = written.intent;
    const end = intentAfterEnd({ ...running, isUnsent: isUnsent === true }, outcome);
    const isOwnUnknown = end?.state === 'unknown' && end.attempt.id === attempt.id;
    const timer = isOwnUnknown && serviceMs !== undefined ? { timerMs: settlingMs('unknown', end.error.code, tool, serviceMs) } : {};
    const isWritten = (): void => {
      this.#attempts.delete(attempt.id);
      process.leave();
    };
    await outcomes.write({ id, written, end, isWritten, ...timer });
  }

  /** Writes the intent. False when another process was faster, or when the write took so long that others may have taken this process for dead. */
  async #claim(claimed: ClaimedCall, signal: AbortSignal): Promise<boolean> {
    const { process, outcomes } = this.#options;
    const { call, id, facts, before, serviceMs } = claimed;
    const timed = serviceMs === undefined ? {} : ({ isTimed: true } as const);
    const attempt: Attempt = { ...facts, at: Date.now(), by: process.id, id: randomUUID(), ...timed };
    const since = performance.now();
    this.#attempts.add(attempt.id);
    const isWritten = (): void => void this.#attempts.delete(attempt.id);
    const written = await this.#writeIntent(claimed, { attempt, state: 'begun' }, isWritten);
    if (written === undefined) {
      isWritten();
      return false;
    }
    // The call has not run yet.
    if (signal.aborted || performance.now() - since > maxStartMs) {
      await outcomes.write({ id, written, end: before?.intent, isWritten });
      signal.throwIfAborted();
      return false;
    }
    this.#running.set(call.id, { id, tool: call.tool, written, before, serviceMs, isExecuted: false });
    return true;
  }

  /**
   * Writes an intent. A write that failed may have happened: the intent is read before anything is said, and taken back when it arrives too late
   * for its call.
   */
  async #writeIntent(
    { call: { tool }, id, before, serviceMs }: ClaimedCall,
    intent: Intent,
    isWritten: () => void,
  ): Promise<ReadIntent | undefined> {
    const { intents, outcomes } = this.#options;
    const timerMs = serviceMs === undefined ? undefined : settlingMs('begun', undefined, tool, serviceMs);
    try {
      return await intents.replace(id, before, intent, timerMs);
    } catch (error) {
      const written = { intent, text: JSON.stringify(intent) };
      const found = await intents.get(id).catch(() => undefined);
      if (found?.text === written.text) return found;
      this.#abandoned.add(intent.attempt.id, before);
      // In the background: the call does not wait for a store that is away.
      void outcomes.write({ id, written, end: before?.intent, isWritten });
      throw error;
    }
  }

  async #takeExchange(
    read: ReadIntent,
    { call, id, facts: { definition, sentAs = '' } }: ClaimedCall,
    context: CallContext,
  ): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intent } = read;
    if (intent.state === 'done') return storedResult(intent);
    const hasOwnCredentials = this.#withOwnCredentials.has(call.id);
    if (intent.state !== 'begun' || !(await this.#isRunning(intent.attempt))) {
      // An attempt that is over has written its end, perhaps since the intent was read.
      if (intent.state === 'begun' && (await this.#options.intents.get(id))?.text !== read.text) return 'changed';
      return this.#unknownOutcomes.resolve(read, { call, id, definition, sentAs, hasOwnCredentials }, context);
    }
    await this.#options.intents.waitForChange(id, read, context.signal, checkIntervalMs);
    return 'changed';
  }

  async #isRunning({ id, by }: Attempt): Promise<boolean> {
    const { process } = this.#options;
    return by === process.id ? this.#attempts.has(id) : !(await process.isDead(by));
  }
}

async function digestOf({ parameters }: Call): Promise<string> {
  const { default: canonicalize } = await import('canonicalize');
  return hash('sha256', canonicalize(parameters) ?? '', 'hex');
}
