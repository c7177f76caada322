import { type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';

export interface OptionalStateOptions {
  /** Timeout of one answer in milliseconds. @default 2000 */
  readonly patienceMs?: number;
  /** Pause after a failure before the store is asked again, in milliseconds. Calls do not wait meanwhile. @default 5000 */
  readonly restMs?: number;
}

/** A store that a plugin can do without: an unreachable store gives no answer. */
export class OptionalState {
  readonly #state: StateStore;
  readonly #logger: Logger;
  readonly #meanwhile: string;
  readonly #patienceMs: number;
  readonly #restMs: number;
  #restsUntil = 0;
  #hasFailed = false;

  /** `meanwhile`: consequence while the store is unreachable, for the log, such as `circuits are those of this process`. */
  constructor(state: StateStore, logger: Logger, meanwhile: string, { patienceMs = 2000, restMs = 5000 }: OptionalStateOptions = {}) {
    this.#state = state;
    this.#logger = logger;
    this.#meanwhile = meanwhile;
    this.#patienceMs = patienceMs;
    this.#restMs = restMs;
  }

  /** True when the store would be asked now. */
  get isAwake(): boolean {
    return performance.now() >= this.#restsUntil;
  }

  /**
   * Runs work on the store. Never rejects. Undefined when the store fails or exceeds the timeout, which is logged once until it works
   * again.
   */
  async ask<T>(work: (state: StateStore) => Promise<T>): Promise<T | undefined> {
    if (!this.isAwake) return undefined;
    try {
      const answer = await inTime(work(this.#state), this.#patienceMs);
      if (this.#hasFailed) this.#logger.info('the store can be reached again');
      this.#hasFailed = false;
      return answer;
    } catch (error) {
      this.#restsUntil = performance.now() + this.#restMs;
      if (!this.#hasFailed) this.#logger.warn(`the store cannot be reached, so ${this.#meanwhile}: ${messageOf(error)}`);
      this.#hasFailed = true;
      return undefined;
    }
  }
}

function inTime<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
