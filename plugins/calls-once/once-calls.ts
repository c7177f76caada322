import { hash, randomUUID } from 'node:crypto';
import {
  type Call,
  type CallContext,
  type CallEnd,
  type ExecutionResult,
  excerpt,
  type Logger,
  messageOf,
  stateLimits,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import type { LivingProcess } from '../shared/state/living-process.ts';
import { isRepeatable, leftNothing, unknownOutcome } from './effect.ts';
import type { Attempt, Intent, Intents, KeptError, ReadIntent } from './intent.ts';
import { type Verify, verified } from './verify.ts';

/** How often it is looked whether the process of a running call still lives, in milliseconds. */
const lookMs = 1000;

/** How long a process may be late that was held up and does not know it yet, in milliseconds. */
const lateMs = 5000;

/** The time limit of tools that set none is two minutes at most. */
const longestMs = 120_000;

export interface OnceCallsOptions {
  readonly intents: Intents;
  readonly process: LivingProcess;
  readonly verifyOf: (tool: Tool) => Verify | undefined;
  readonly logger: Logger;
}

interface Running {
  readonly id: string;
  readonly written: ReadIntent;
  readonly repeatable: boolean;
  isExecuted: boolean;
}

/** Calls of this process that have a name, from their intent to how they ended. */
export class OnceCalls {
  readonly #options: OnceCallsOptions;
  /** By the id of their calls. */
  readonly #running = new Map<string, Running>();
  /** By their own ids, until how they ended is written. */
  readonly #attempts = new Set<string>();

  constructor(options: OnceCallsOptions) {
    this.#options = options;
  }

  /** Undefined where the call is to run here; else the result that a call of its name had. Throws what that failed with. */
  async begin(call: Call, id: string, context: CallContext): Promise<ExecutionResult | undefined> {
    const { intents, process } = this.#options;
    const asked = await digestOf(call);
    await process.enter();
    let isMine = false;
    try {
      for (;;) {
        context.signal.throwIfAborted();
        const found = await intents.get(id);
        refuseAnother(call, asked, found);
        const answer = found === undefined ? undefined : await this.#answerOf(found, call, id, context);
        if (answer === 'changed') continue;
        if (answer !== undefined && answer !== 'take over') return answer;
        const attempt = { tool: call.tool.name, parameters: asked, at: Date.now(), by: process.id, id: randomUUID() };
        this.#attempts.add(attempt.id);
        const written = await intents.replace(id, found, { attempt, state: 'begun' });
        isMine = written !== undefined;
        if (written === undefined) {
          this.#attempts.delete(attempt.id);
          continue;
        }
        this.#running.set(call.id, { id, written, repeatable: isRepeatable(call.tool), isExecuted: false });
        return undefined;
      }
    } finally {
      if (!isMine) process.leave();
    }
  }

  /** The executor has given a result. */
  executed(callId: string): void {
    const running = this.#running.get(callId);
    if (running !== undefined) running.isExecuted = true;
  }

  /** Writes how a call ended, if it ran here. */
  async settle({ id: callId, outcome, toolName }: CallEnd): Promise<void> {
    const running = this.#running.get(callId);
    if (running === undefined) return;
    this.#running.delete(callId);
    const { intents, process, logger } = this.#options;
    const { id, written } = running;
    try {
      const intent = endOf(running, outcome);
      if (intent === undefined) await intents.forget(id, written);
      else await intents.replace(id, written, intent);
    } catch (error) {
      logger.error(`how a call of "${toolName}" ended could not be written, so it counts as unknown: ${messageOf(error)}`);
    } finally {
      this.#attempts.delete(written.intent.attempt.id);
      process.leave();
    }
  }

  async #answerOf(
    { intent, text }: ReadIntent,
    call: Call,
    id: string,
    context: CallContext,
  ): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intents } = this.#options;
    const read = { intent, text };
    if (intent.state === 'done') return resultOf(intent);
    if (intent.state === 'begun' && (await this.#runs(intent.attempt))) {
      const go = context.pauseClock();
      try {
        await intents.changed(id, read, context.signal, lookMs);
      } finally {
        go();
      }
      return 'changed';
    }
    const why =
      intent.state === 'unknown' ? `it ended with ${intent.error.code}: ${intent.error.message}` : 'the process that ran it has died';
    return this.#afterUnknown(read, call, id, context, why);
  }

  async #runs({ id, by }: Attempt): Promise<boolean> {
    const { process } = this.#options;
    return by === process.id ? this.#attempts.has(id) : process.lives(by);
  }

  /** What to do where nobody knows whether the call has had its effect. */
  async #afterUnknown(
    read: ReadIntent,
    call: Call,
    id: string,
    context: CallContext,
    why: string,
  ): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intents, verifyOf } = this.#options;
    const { intent } = read;
    if (isRepeatable(call.tool)) return 'take over';
    const verify = verifyOf(call.tool);
    if (verify === undefined) {
      if (intent.state === 'begun') {
        const error = { code: 'OUTCOME_UNKNOWN', message: why } as const;
        await intents.replace(id, read, { attempt: intent.attempt, state: 'unknown', error });
      }
      throw unknownOutcome(call.tool, why);
    }
    const { timeout_ms: limitMs = longestMs } = call.tool.execution;
    const waitMs = intent.attempt.at + limitMs + lateMs - Date.now();
    // Its process may only have been held up: until its time is over, what is not there yet may still come.
    if (intent.state === 'begun' && waitMs > 0) {
      await intents.changed(id, read, context.signal, waitMs);
      return 'changed';
    }
    const { happened, output } = await verified(verify, call, context).catch((error: unknown) => {
      throw unknownOutcome(call.tool, `${why}, and what "verify" asks failed: ${excerpt(messageOf(error))}`);
    });
    if (!happened) return 'take over';
    const result = { output: output as never };
    await intents.replace(id, read, fitting({ attempt: intent.attempt, state: 'done', result }));
    return { ...result, meta: { once: 'verified' } };
  }
}

async function digestOf({ parameters }: Call): Promise<string> {
  const { default: canonicalize } = await import('canonicalize');
  return hash('sha256', canonicalize(parameters) ?? '', 'hex');
}

/** One name is one call: with other parameters, the result of the first would be none of the second. */
function refuseAnother({ tool: { name: tool } }: Call, asked: string, found: ReadIntent | undefined): void {
  if (found === undefined) return;
  const { attempt } = found.intent;
  if (attempt.tool === tool && attempt.parameters === asked) return;
  const other = attempt.tool === tool ? 'with other parameters' : `of "${attempt.tool}"`;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `"${tool}" was called with a "once" that names a call ${other}. Give each call a name of its own.`,
    {
      tool,
    },
  );
}

function resultOf(intent: Intent & { readonly state: 'done' }): ExecutionResult {
  if ('error' in intent) throw new ToolkitError(intent.error.code, intent.error.message, { tool: intent.attempt.tool });
  return { ...intent.result, meta: { once: 'before' } };
}

function kept({ code, message }: ToolkitError): KeptError {
  return { code, message: excerpt(message, 2000) };
}

/** What is remembered of a call that has ended here; nothing where it may be made again. */
function endOf({ written, isExecuted, repeatable }: Running, outcome: CallEnd['outcome']): Intent | undefined {
  const { attempt } = written.intent;
  if (outcome.type === 'completed') {
    const { output, content } = outcome.result;
    return fitting({ attempt, state: 'done', result: { output, ...(content === undefined ? {} : { content }) } });
  }
  const error = kept(outcome.error);
  if (isExecuted) return { attempt, state: 'done', error };
  return repeatable || leftNothing(outcome.error) ? undefined : { attempt, state: 'unknown', error };
}

/** What a store does not take is known to be done all the same. */
function fitting(intent: Intent & { readonly state: 'done' }): Intent {
  if (Buffer.byteLength(JSON.stringify(intent)) <= stateLimits.valueBytes) return intent;
  const { attempt } = intent;
  const message = `"${attempt.tool}" has had its effect, but its result was too large to be kept.`;
  return { attempt, state: 'done', error: { code: 'OUTPUT_TOO_LARGE', message } };
}
