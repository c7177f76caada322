import { type Call, type CallContext, type ExecutionResult, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import { isRepeatable, unknownOutcomeError } from './effect.ts';
import { withoutLargeResult } from './end.ts';
import type { Intents, ReadIntent } from './intent.ts';
import { defaultServiceMs, type Span, settledAt, spanOf } from './timing.ts';
import type { Verifier } from './verifier.ts';
import type { Verify } from './verify.ts';

/** Maximum wait for a definite answer, in milliseconds. For a longer wait the caller gets an error that says when to call again. */
const maxWaitMs = 30_000;

/** Retry delay of a failed verification, in milliseconds, when the service names none. */
const retryDelayMs = 1000;

/** A call whose effect is to be verified. */
interface UnverifiedCall {
  readonly call: Call;
  /** Id of its intent. */
  readonly id: string;
  /** Digest of its current definition. */
  readonly definition: string;
  readonly hasOwnCredentials: boolean;
}

/** Decides what happens when it is unknown whether a call had its effect. */
export class UnknownOutcomes {
  readonly #intents: Intents;
  readonly #verifier: Verifier;

  constructor({ intents, verifier }: { readonly intents: Intents; readonly verifier: Verifier }) {
    this.#intents = intents;
    this.#verifier = verifier;
  }

  /** Returns the result of the earlier call, or how to go on. Throws OUTCOME_UNKNOWN when the effect stays unknown. */
  async resolve(read: ReadIntent, unverified: UnverifiedCall, context: CallContext): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intent } = read;
    if (intent.state === 'done') return 'changed';
    const { call, definition, hasOwnCredentials } = unverified;
    const why = intent.state === 'unknown' ? `${intent.error.code}: ${intent.error.message}` : 'the process that ran it has died';
    // A request with another header, or to another service, is not the one that would be sent or verified now.
    if (intent.attempt.definition !== definition)
      return this.#markUnknown(
        read,
        unverified,
        `${why}, and since then its definition has changed, or it has credentials of its own now and had none before, or the reverse`,
      );
    if (isRepeatable(call.tool)) return 'take over';
    const verify = await this.#verifier.verifyOf(call.tool);
    if (verify === undefined) return this.#markUnknown(read, unverified, why);
    // With other credentials it would not be found, and would be run again.
    if (hasOwnCredentials)
      return this.#markUnknown(read, unverified, `${why}, and the tool of "verify" does not get the credentials that it brings`);
    const { after_ms: serviceMs = defaultServiceMs } = verify;
    const waitMs = settledAt(intent, call.tool, serviceMs) - Date.now();
    const resumeClock = context.pauseClock();
    try {
      // An effect may be found at once. That there is none is certain only later.
      const answer = await this.#verify(read, unverified, verify, spanOf(intent, call.tool, serviceMs), context, why);
      if (answer !== 'not happened') return answer;
      if (waitMs <= 0) return 'take over';
      if (waitMs > maxWaitMs) throw unknownOutcomeError(call.tool, why, waitMs);
      await this.#intents.waitForChange(unverified.id, read, context.signal, waitMs);
      return 'changed';
    } finally {
      resumeClock();
    }
  }

  async #verify(
    read: ReadIntent,
    { call, id }: UnverifiedCall,
    verify: Verify,
    span: Span,
    context: CallContext,
    why: string,
  ): Promise<ExecutionResult | 'not happened'> {
    const answer = await this.#verifier.verify(verify, call, span, context).catch((error: unknown) => {
      context.signal.throwIfAborted();
      const retryAfterMs = ToolkitError.is(error) && error.retryable ? (error.details.retryAfterMs ?? retryDelayMs) : undefined;
      throw unknownOutcomeError(call.tool, `${why}, and what "verify" asks failed: ${excerpt(messageOf(error))}`, retryAfterMs);
    });
    if (answer.type === 'not happened') return answer.type;
    if (answer.type === 'unclear') throw unknownOutcomeError(call.tool, `${why}, and "verify" leaves it open: ${answer.why}`);
    const result = { output: answer.result as never };
    await this.#intents.replace(id, read, withoutLargeResult({ attempt: read.intent.attempt, state: 'done', result }));
    return { ...result, meta: { once: 'verified' } };
  }

  /** Writes "unknown" for later callers too. The attempt itself may still write how it ended. */
  async #markUnknown(read: ReadIntent, { call, id }: UnverifiedCall, why: string): Promise<never> {
    const { intent } = read;
    if (intent.state === 'begun') {
      const error = { code: 'OUTCOME_UNKNOWN', message: why } as const;
      await this.#intents.replace(id, read, { attempt: intent.attempt, state: 'unknown', error, endedAt: Date.now() });
    }
    throw unknownOutcomeError(call.tool, why);
  }
}
