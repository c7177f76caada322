import { type Call, type CallContext, type ExecutionResult, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import { isEarlierDigest, isRepeatable, unknownOutcomeError } from './effect.ts';
import { withoutLargeResult } from './end.ts';
import type { Intents, OpenIntent, ReadIntent } from './intent.ts';
import { codeOf, defaultServiceMs, retryHintMs, type Spans, settlingMs, spansOf } from './timing.ts';
import type { Verifier } from './verifier.ts';
import type { Verify } from './verify.ts';

/** Maximum wait for a definite answer, in milliseconds. For a longer wait the caller gets an error that says when to call again. */
const maxWaitMs = 30_000;

/** Interval at which the store is asked whether an attempt has settled, in milliseconds. */
const pollIntervalMs = 1000;

/** Retry delay of a failed verification, in milliseconds, when the service names none. */
const retryDelayMs = 1000;

/** A call whose effect is to be verified. */
interface UnverifiedCall {
  readonly call: Call;
  /** Id of its intent. */
  readonly id: string;
  /** Digest of its current definition. */
  readonly definition: string;
  /** Digest of its `once`. */
  readonly sentAs: string;
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
    const { call, id, definition, sentAs, hasOwnCredentials } = unverified;
    const why = intent.state === 'unknown' ? `${intent.error.code}: ${intent.error.message}` : 'the process that ran it has died';
    // A request with another header, or to another service, is not the one that would be sent or verified now.
    const before = intent.attempt.definition;
    if (before !== definition && !(await isEarlierDigest(before, call.tool, hasOwnCredentials)))
      return this.#markUnknown(
        read,
        unverified,
        `${why}, and since then its definition has changed, or it has credentials of its own now and had none before, or the reverse`,
      );
    if (isRepeatable(call.tool)) {
      // The service recognizes the request only by the header that was sent.
      const isSameHeader = !('idempotency' in call.tool.definition) || (intent.attempt.sentAs ?? id) === sentAs;
      if (isSameHeader) return 'take over';
      return this.#markUnknown(read, unverified, `${why}, and it was sent under the name that an earlier version gave to durable calls`);
    }
    const verify = await this.#verifier.verifyOf(call.tool);
    if (verify === undefined) return this.#markUnknown(read, unverified, why);
    // With other credentials it would not be found, and would be run again.
    if (hasOwnCredentials)
      return this.#markUnknown(read, unverified, `${why}, and the tool of "verify" does not get the credentials that it brings`);
    const { after_ms: serviceMs = defaultServiceMs } = verify;
    if (intent.attempt.isTimed !== true) {
      await this.#startTimer({ ...read, intent }, unverified, serviceMs);
      return 'changed';
    }
    const resumeClock = context.pauseClock();
    try {
      // Asked first: "not happened" is certain only when the effect could not come afterwards.
      const isSettling = await this.#intents.isSettling(id, intent.attempt);
      const answer = await this.#verify(read, unverified, verify, spansOf(intent, call.tool, serviceMs), context, why);
      if (answer !== 'not happened') return answer;
      if (!isSettling) return 'take over';
      await this.#waitUntilSettled({ ...read, intent }, unverified, retryHintMs(intent, call.tool, serviceMs), context.signal, why);
      return 'changed';
    } finally {
      resumeClock();
    }
  }

  /** Starts the timer of an attempt of an earlier version, unless another process has changed the intent. */
  async #startTimer(
    { intent, text }: ReadIntent & { readonly intent: OpenIntent },
    { id, call: { tool } }: UnverifiedCall,
    serviceMs: number,
  ): Promise<void> {
    const timerMs = settlingMs(intent.state, codeOf(intent), tool, serviceMs);
    const timed = { ...intent, attempt: { ...intent.attempt, isTimed: true } } as const;
    await this.#intents.replace(id, { intent, text }, timed, timerMs);
  }

  /** Waits until the attempt has settled by the clock of the store, or its intent changes. Throws OUTCOME_UNKNOWN when that takes too long. */
  async #waitUntilSettled(
    read: ReadIntent,
    { call: { tool }, id }: UnverifiedCall,
    hintMs: number,
    signal: AbortSignal,
    why: string,
  ): Promise<void> {
    if (hintMs > maxWaitMs) throw unknownOutcomeError(tool, why, hintMs);
    const startedAt = performance.now();
    while (await this.#intents.isSettling(id, read.intent.attempt)) {
      if (performance.now() - startedAt > maxWaitMs) throw unknownOutcomeError(tool, why, retryDelayMs);
      await this.#intents.waitForChange(id, read, signal, Math.min(pollIntervalMs, Math.max(hintMs, 10)));
      if ((await this.#intents.get(id))?.text !== read.text) return;
    }
  }

  async #verify(
    read: ReadIntent,
    { call, id }: UnverifiedCall,
    verify: Verify,
    spans: Spans,
    context: CallContext,
    why: string,
  ): Promise<ExecutionResult | 'not happened'> {
    const answer = await this.#verifier.verify(verify, call, spans, context).catch((error: unknown) => {
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
