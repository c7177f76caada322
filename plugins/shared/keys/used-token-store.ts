import { type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';
import type { ConsumeRefusal, UsedTokens } from './used-tokens.ts';

/** Time that a token is remembered beyond its expiry, in milliseconds: clocks of machines differ, and may be set back. */
const graceMs = 3_600_000;

/** Remembers used tokens for all processes that share a store: only one of them consumes a token. */
export class UsedTokenStore implements UsedTokens {
  readonly id = 'store';
  readonly #state: StateStore;
  readonly #prefix: string;
  readonly #logger: Pick<Logger, 'warn'>;

  /** `purpose`: a word. */
  constructor(state: StateStore, purpose: string, logger: Pick<Logger, 'warn'>) {
    this.#state = state;
    this.#prefix = `used/${purpose}/`;
    this.#logger = logger;
  }

  async consume(nonce: string, until: number, now: number): Promise<ConsumeRefusal | undefined> {
    try {
      const ttlMs = Math.max(1, until - now + graceMs);
      return (await this.#state.compareAndSet(this.#prefix + nonce, undefined, '', { ttlMs })) ? undefined : 'used';
    } catch (error) {
      return this.#failed(error, 'unwritable');
    }
  }

  async has(nonce: string): Promise<boolean> {
    try {
      return (await this.#state.get(this.#prefix + nonce)) !== undefined;
    } catch (error) {
      return this.#failed(error, true);
    }
  }

  #failed<T>(error: unknown, answer: T): T {
    this.#logger.warn(`the store cannot say which tokens are used: ${messageOf(error)}`);
    return answer;
  }
}
