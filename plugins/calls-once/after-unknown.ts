import { type Call, type CallContext, type ExecutionResult, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import { isRepeatable, unknownOutcome } from './effect.ts';
import { fitting } from './end.ts';
import type { Intents, ReadIntent } from './intent.ts';
import { afterMs, type Span, settledAt, spanOf } from './timing.ts';
import type { Verifier } from './verifier.ts';
import type { Verify } from './verify.ts';

/** Maximum wait for a definite answer, in milliseconds. For a longer wait the caller gets an error that says when to call again. */
const longestWaitMs = 30_000;

/** Retry delay of a failed verification, in milliseconds, when the service names none. */
const againMs = 1000;

/** A call whose effect is to be verified. */
interface AskedCall {
  readonly call: Call;
  /** Id of its intent. */
  readonly id: string;
  /** Digest of its current definition. */
  readonly definition: string;
  readonly bringsCredentials: boolean;
}

/** Decides what happens when it is unknown whether a call had its effect. */
export class AfterUnknown {
  readonly #intents: Intents;
  readonly #verifier: Verifier;

  constructor({ intents, verifier }: { readonly intents: Intents; readonly verifier: Verifier }) {
    this.#intents = intents;
    this.#verifier = verifier;
  }

  /** Returns the result of the earlier call, or how to go on. Throws OUTCOME_UNKNOWN when the effect stays unknown. */
  async next(read: ReadIntent, asked: AskedCall, context: CallContext): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intent } = read;
    if (intent.state === 'done') return 'changed';
    const { call, definition, bringsCredentials } = asked;
    const why = intent.state === 'unknown' ? `${intent.error.code}: ${intent.error.message}` : 'the process that ran it has died';
    // A request with another header, or to another service, is not the one that would be sent or verified now.
    if (intent.attempt.definition !== definition)
      return this.#leave(
        read,
        asked,
        `${why}, and since then its definition has changed, or it has credentials of its own now and had none before, or the reverse`,
      );
    if (isRepeatable(call.tool)) return 'take over';
    const verify = await this.#verifier.of(call.tool);
    if (verify === undefined) return this.#leave(read, asked, why);
    // With other credentials it would not be found, and would be run again.
    if (bringsCredentials) return this.#leave(read, asked, `${why}, and the tool of "verify" does not get the credentials that it brings`);
    const { after_ms: ofService = afterMs } = verify;
    const waitMs = settledAt(intent, call.tool, ofService) - Date.now();
    const go = context.pauseClock();
    try {
      // An effect may be found at once. That there is none is certain only later.
      const answer = await this.#ask(read, asked, verify, spanOf(intent, call.tool, ofService), context, why);
      if (answer !== 'not happened') return answer;
      if (waitMs <= 0) return 'take over';
      if (waitMs > longestWaitMs) throw unknownOutcome(call.tool, why, waitMs);
      await this.#intents.changed(asked.id, read, context.signal, waitMs);
      return 'changed';
    } finally {
      go();
    }
  }

  async #ask(
    read: ReadIntent,
    { call, id }: AskedCall,
    verify: Verify,
    span: Span,
    context: CallContext,
    why: string,
  ): Promise<ExecutionResult | 'not happened'> {
    const answer = await this.#verifier.ask(verify, call, span, context).catch((error: unknown) => {
      context.signal.throwIfAborted();
      const again = ToolkitError.is(error) && error.retryable ? (error.details.retryAfterMs ?? againMs) : undefined;
      throw unknownOutcome(call.tool, `${why}, and what "verify" asks failed: ${excerpt(messageOf(error))}`, again);
    });
    if (answer.type === 'not happened') return answer.type;
    if (answer.type === 'unclear') throw unknownOutcome(call.tool, `${why}, and "verify" leaves it open: ${answer.why}`);
    const result = { output: answer.result as never };
    await this.#intents.replace(id, read, fitting({ attempt: read.intent.attempt, state: 'done', result }));
    return { ...result, meta: { once: 'verified' } };
  }

  /** Writes "unknown" for later callers too. The attempt itself may still write how it ended. */
  async #leave(read: ReadIntent, { call, id }: AskedCall, why: string): Promise<never> {
    const { intent } = read;
    if (intent.state === 'begun') {
      const error = { code: 'OUTCOME_UNKNOWN', message: why } as const;
      await this.#intents.replace(id, read, { attempt: intent.attempt, state: 'unknown', error, endedAt: Date.now() });
    }
    throw unknownOutcome(call.tool, why);
  }
}
