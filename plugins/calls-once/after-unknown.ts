import { type Call, type CallContext, type ExecutionResult, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import { isRepeatable, unknownOutcome } from './effect.ts';
import { fitting } from './end.ts';
import type { Intents, ReadIntent } from './intent.ts';
import { afterMs, type Span, settledAt, spanOf } from './timing.ts';
import type { Verifier } from './verifier.ts';
import type { Verify } from './verify.ts';

/** Who would have to wait longer for what can be found out is told when to come again, in milliseconds. */
const longestWaitMs = 30_000;

/** When what failed for now is asked again, where the service does not say it, in milliseconds. */
const againMs = 1000;

/** A call of which it is asked whether it had its effect. */
interface AskedCall {
  readonly call: Call;
  /** Of its intent. */
  readonly id: string;
  /** Digest of what it would do now. */
  readonly definition: string;
  readonly bringsCredentials: boolean;
}

/** What to do where nobody knows whether a call has had its effect. */
export class AfterUnknown {
  readonly #intents: Intents;
  readonly #verifier: Verifier;

  constructor({ intents, verifier }: { readonly intents: Intents; readonly verifier: Verifier }) {
    this.#intents = intents;
    this.#verifier = verifier;
  }

  /** Throws OUTCOME_UNKNOWN where it stays so. */
  async next(read: ReadIntent, asked: AskedCall, context: CallContext): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intent } = read;
    if (intent.state === 'done') return 'changed';
    const { call, definition, bringsCredentials } = asked;
    const why = intent.state === 'unknown' ? `${intent.error.code}: ${intent.error.message}` : 'the process that ran it has died';
    // What was sent with a header, or to another service, is not what would be sent or asked now.
    if (intent.attempt.definition !== definition)
      return this.#leave(read, asked, `${why}, and since then its definition has changed, or whether it brings credentials`);
    if (isRepeatable(call.tool)) return 'take over';
    const verify = await this.#verifier.of(call.tool);
    if (verify === undefined) return this.#leave(read, asked, why);
    // With those of somebody else it would not be found, and made again.
    if (bringsCredentials) return this.#leave(read, asked, `${why}, and the tool of "verify" does not get the credentials that it brings`);
    const { after_ms: ofService = afterMs } = verify;
    const waitMs = settledAt(intent, call.tool, ofService) - Date.now();
    const go = context.pauseClock();
    try {
      // What it has done may be found at once. That it has done nothing is certain later.
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

  /** Says so also to those who look later. The attempt itself may still write how it ended. */
  async #leave(read: ReadIntent, { call, id }: AskedCall, why: string): Promise<never> {
    const { intent } = read;
    if (intent.state === 'begun') {
      const error = { code: 'OUTCOME_UNKNOWN', message: why } as const;
      await this.#intents.replace(id, read, { attempt: intent.attempt, state: 'unknown', error, endedAt: Date.now() });
    }
    throw unknownOutcome(call.tool, why);
  }
}
