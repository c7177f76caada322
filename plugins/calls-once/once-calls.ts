import { hash, randomUUID } from 'node:crypto';
import {
  type Call,
  type CallContext,
  type CallEnd,
  type DraftCall,
  type ExecutionResult,
  type Liveness,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { definitionDigest } from './effect.ts';
import { intentAfterEnd, storedResult } from './end.ts';
import type { Attempt, Intents, ReadIntent } from './intent.ts';
import type { Outcomes } from './outcomes.ts';
import { maxStartMs } from './timing.ts';
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
  isExecuted: boolean;
}

/** The named calls of this process, from their intent to their outcome. */
export class OnceCalls {
  readonly #options: OnceCallsOptions;
  readonly #unknownOutcomes: UnknownOutcomes;
  /** Running calls, by call id. */
  readonly #running = new Map<string, RunningCall>();
  /** Ids of attempts whose outcome is not written yet. */
  readonly #attempts = new Set<string>();

  /** Ids of calls with credentials of their own. */
  readonly #withOwnCredentials = new Set<string>();

  constructor(options: OnceCallsOptions) {
    this.#options = options;
    this.#unknownOutcomes = new UnknownOutcomes(options);
  }

  /** Notes a call with its own credentials: later hooks do not see them. */
  prepare({ id, ownCredentials }: Pick<DraftCall, 'id' | 'ownCredentials'>): void {
    if (ownCredentials.size > 0) this.#withOwnCredentials.add(id);
  }

  /** Returns undefined when the call must run here, else the result of the earlier call with its name. Throws the error of that call. */
  async begin(call: Call, id: string, context: CallContext): Promise<ExecutionResult | undefined> {
    const { intents, process, verifier } = this.#options;
    await verifier.verifyOf(call.tool);
    const digests = {
      parameters: await digestOf(call),
      definition: await definitionDigest(call.tool, this.#withOwnCredentials.has(call.id)),
    };
    await process.enter();
    let isMine = false;
    try {
      for (;;) {
        context.signal.throwIfAborted();
        const found = await intents.get(id);
        refuseReusedName(call, digests.parameters, found);
        const answer = found === undefined ? undefined : await this.#takeExchange(found, call, id, digests.definition, context);
        if (answer === 'changed') continue;
        if (answer !== undefined && answer !== 'take over') return answer;
        isMine = await this.#claim(call, id, { tool: call.tool.name, ...digests }, found, context.signal);
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
  async settle({ id: callId, outcome }: CallEnd): Promise<void> {
    this.#withOwnCredentials.delete(callId);
    const running = this.#running.get(callId);
    if (running === undefined) return;
    this.#running.delete(callId);
    const { outcomes, process } = this.#options;
    const { id, written } = running;
    await outcomes.write(id, written, intentAfterEnd(running, outcome), () => {
      this.#attempts.delete(written.intent.attempt.id);
      process.leave();
    });
  }

  /** Writes the intent. False when another process was faster, or when the write took so long that others may have taken this process for dead. */
  async #claim(
    call: Call,
    id: string,
    facts: Pick<Attempt, 'tool' | 'parameters' | 'definition'>,
    found: ReadIntent | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { intents, process } = this.#options;
    const attempt = { ...facts, at: Date.now(), by: process.id, id: randomUUID() };
    const since = performance.now();
    this.#attempts.add(attempt.id);
    let isMine = false;
    try {
      const written = await intents.replace(id, found, { attempt, state: 'begun' });
      if (written === undefined) return false;
      // The call has not run yet.
      if (signal.aborted || performance.now() - since > maxStartMs) {
        await intents.end(id, written, found?.intent);
        signal.throwIfAborted();
        return false;
      }
      this.#running.set(call.id, { id, tool: call.tool, written, before: found, isExecuted: false });
      isMine = true;
      return true;
    } finally {
      if (!isMine) this.#attempts.delete(attempt.id);
    }
  }

  async #takeExchange(
    read: ReadIntent,
    call: Call,
    id: string,
    definition: string,
    context: CallContext,
  ): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intent } = read;
    if (intent.state === 'done') return storedResult(intent);
    if (intent.state !== 'begun' || !(await this.#isRunning(intent.attempt)))
      return this.#unknownOutcomes.resolve(
        read,
        { call, id, definition, hasOwnCredentials: this.#withOwnCredentials.has(call.id) },
        context,
      );
    const go = context.pauseClock();
    try {
      await this.#options.intents.waitForChange(id, read, context.signal, checkIntervalMs);
    } finally {
      go();
    }
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

/** Refuses a name that is used for another tool or other parameters: the stored result would be wrong. */
function refuseReusedName({ tool: { name: tool } }: Call, parametersDigest: string, found: ReadIntent | undefined): void {
  if (found === undefined) return;
  const { attempt } = found.intent;
  if (attempt.tool === tool && attempt.parameters === parametersDigest) return;
  const other = attempt.tool === tool ? 'with other parameters' : `of "${attempt.tool}"`;
  const message = `"${tool}" was called with a "once" that names a call ${other}. Give each call a name of its own.`;
  throw new ToolkitError('INVALID_PARAMETERS', message, { tool });
}
