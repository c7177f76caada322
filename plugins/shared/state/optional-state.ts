import { type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';

export interface OptionalStateOptions {
  /** Timeout of one answer in milliseconds. @default 2000 */
  readonly timeoutMs?: number;
  /** Pause after a failure before the store is asked again, in milliseconds. Calls do not wait meanwhile. @default 5000 */
  readonly backoffMs?: number;
}

/** A store that a plugin can do without: an unreachable store gives no answer. */
export class OptionalState {
  readonly #state: StateStore;
  readonly #logger: Logger;
  readonly #consequence: string;
  readonly #timeoutMs: number;
  readonly #backoffMs: number;
  #retryAt = 0;
  #hasFailed = false;

  /** `meanwhile`: consequence while the store is unreachable, for the log, such as `circuits are those of this process`. */
  constructor(state: StateStore, logger: Logger, consequence: string, { timeoutMs = 2000, backoffMs = 5000 }: OptionalStateOptions = {}) {
    this.#state = state;
    this.#logger = logger;
    this.#consequence = consequence;
    this.#timeoutMs = timeoutMs;
    this.#backoffMs = backoffMs;
  }

  /** True when the store would be asked now. */
  get isAvailable(): boolean {
    return performance.now() >= this.#retryAt;
  }

  /**
   * Runs work on the store. Never rejects. Undefined when the store fails or exceeds the timeout, which is logged once until it works
   * again.
   */
  async ask<T>(work: (state: StateStore) => Promise<T>): Promise<T | undefined> {
    if (!this.isAvailable) return undefined;
    try {
      const answer = await withTimeout(work(this.#state), this.#timeoutMs);
      if (this.#hasFailed) this.#logger.info('the store can be reached again');
      this.#hasFailed = false;
      return answer;
    } catch (error) {
      this.#retryAt = performance.now() + this.#backoffMs;
      if (!this.#hasFailed) this.#logger.warn(`the store cannot be reached, so ${this.#consequence}: ${messageOf(error)}`);
      this.#hasFailed = true;
      return undefined;
    }
  }
}

function withTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
