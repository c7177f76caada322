import { type Call, type CallContext, type ExecutionResult, excerpt, messageOf, type Tool } from '../../kernel/index.ts';
import { isRepeatable, unknownOutcome } from './effect.ts';
import { fitting } from './end.ts';
import type { Intents, ReadIntent } from './intent.ts';
import { afterMs, settledAt } from './timing.ts';
import { type Verify, verified } from './verify.ts';

/** Who would have to wait longer for what can be found out is told when to come again, in milliseconds. */
const longestWaitMs = 30_000;

/** What to do where nobody knows whether a call has had its effect. */
export class AfterUnknown {
  readonly #intents: Intents;
  readonly #verifyOf: (tool: Tool) => Verify | undefined;

  constructor({ intents, verifyOf }: { readonly intents: Intents; readonly verifyOf: (tool: Tool) => Verify | undefined }) {
    this.#intents = intents;
    this.#verifyOf = verifyOf;
  }

  /** Throws OUTCOME_UNKNOWN where it stays so. `definition`: digest of what the call would do now. */
  async next(
    read: ReadIntent,
    call: Call,
    id: string,
    definition: string,
    context: CallContext,
  ): Promise<ExecutionResult | 'changed' | 'take over'> {
    const { intent } = read;
    if (intent.state === 'done') return 'changed';
    const why = intent.state === 'unknown' ? `${intent.error.code}: ${intent.error.message}` : 'the process that ran it has died';
    // What was sent with a header, or to another service, is not what would be sent or asked now.
    if (intent.attempt.definition !== definition) return this.#leave(read, call, id, `${why}, and its definition has changed since`);
    if (isRepeatable(call.tool)) return 'take over';
    const verify = this.#verifyOf(call.tool);
    if (verify === undefined) return this.#leave(read, call, id, why);
    const waitMs = settledAt(intent, call.tool, verify.after_ms ?? afterMs) - Date.now();
    if (waitMs > longestWaitMs) throw unknownOutcome(call.tool, why, waitMs);
    const go = context.pauseClock();
    try {
      if (waitMs > 0) {
        await this.#intents.changed(id, read, context.signal, waitMs);
        return 'changed';
      }
      return await this.#verified(read, verify, call, id, context, why);
    } finally {
      go();
    }
  }

  async #verified(
    read: ReadIntent,
    verify: Verify,
    call: Call,
    id: string,
    context: CallContext,
    why: string,
  ): Promise<ExecutionResult | 'take over'> {
    const { happened, output } = await verified(verify, call, context).catch((error: unknown) => {
      throw unknownOutcome(call.tool, `${why}, and what "verify" asks failed: ${excerpt(messageOf(error))}`);
    });
    if (!happened) return 'take over';
    const result = { output: output as never };
    await this.#intents.replace(id, read, fitting({ attempt: read.intent.attempt, state: 'done', result }));
    return { ...result, meta: { once: 'verified' } };
  }

  /** Says so also to those who look later. The attempt itself may still write how it ended. */
  async #leave(read: ReadIntent, call: Call, id: string, why: string): Promise<never> {
    const { intent } = read;
    if (intent.state === 'begun') {
      const error = { code: 'OUTCOME_UNKNOWN', message: why } as const;
      await this.#intents.replace(id, read, { attempt: intent.attempt, state: 'unknown', error, endedAt: Date.now() });
    }
    throw unknownOutcome(call.tool, why);
  }
}
