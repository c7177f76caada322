import { type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';

/** How long one answer may take, in milliseconds. */
const patienceMs = 2000;

/** So long after a failure it is left alone, in milliseconds: nobody waits for it meanwhile. */
const restMs = 5000;

/** A store that a plugin can do without: where it cannot be reached, it has said nothing. */
export class OptionalState {
  readonly #state: StateStore;
  readonly #logger: Logger;
  readonly #meanwhile: string;
  #restsUntil = 0;
  #hasFailed = false;

  /** `meanwhile`: what holds while it cannot be reached, for the log, such as `circuits are those of this process`. */
  constructor(state: StateStore, logger: Logger, meanwhile: string) {
    this.#state = state;
    this.#logger = logger;
    this.#meanwhile = meanwhile;
  }

  /** Whether it would be asked now. */
  get isAwake(): boolean {
    return performance.now() >= this.#restsUntil;
  }

  /** Never rejects. Undefined where the store could not do it, or not in time; that is logged once, until it can again. */
  async ask<T>(work: (state: StateStore) => Promise<T>): Promise<T | undefined> {
    if (!this.isAwake) return undefined;
    try {
      const answer = await inTime(work(this.#state));
      if (this.#hasFailed) this.#logger.info('the store can be reached again');
      this.#hasFailed = false;
      return answer;
    } catch (error) {
      this.#restsUntil = performance.now() + restMs;
      if (!this.#hasFailed) this.#logger.warn(`the store cannot be reached, so ${this.#meanwhile}: ${messageOf(error)}`);
      this.#hasFailed = true;
      return undefined;
    }
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
