import { type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';

export interface ReadinessOptions {
  /** The process takes no new work once it aborts. */
  readonly closing: AbortSignal;
  /** Time for which an answer of the store holds. It is also not asked again for that long. @default 1000 */
  readonly cacheMs?: number;
  /** Time before a store that refused is asked again, in milliseconds. @default 500 */
  readonly retryMs?: number;
  /** Time limit of an answer of `/ready`, in milliseconds: below the default timeout of Kubernetes probes. @default 800 */
  readonly timeoutMs?: number;
}

/** Time after which a check without any answer is given up, in milliseconds: longer than the time limits of a store. */
const maxCheckMs = 15_000;

/** Lifetime of the count that a check writes, in milliseconds. */
const windowMs = 60_000;

/** Why a process takes no new work. */
export type Unready = 'stopping' | 'store';

/**
 * Readiness of this process for new work. The store is ready when it can be written to: a count of its own, once a second at most for any number
 * of probes. A check that hangs is not repeated meanwhile, so that probes do not use up the connections; it counts when it ends.
 */
export class Readiness {
  readonly #state: StateStore;
  readonly #logger: Logger;
  readonly #options: Required<ReadinessOptions>;
  /** True once the process is to leave. It still handles requests until it is closed. */
  isLeaving = false;
  #nextCheckAt = Number.NEGATIVE_INFINITY;
  #isReached = true;
  #check: { readonly result: Promise<boolean>; readonly startedAt: number } | undefined;

  constructor(state: StateStore, logger: Logger, options: ReadinessOptions) {
    this.#state = state;
    this.#logger = logger;
    this.#options = { cacheMs: 1000, retryMs: 500, timeoutMs: 800, ...options };
  }

  get isStopping(): boolean {
    return this.isLeaving || this.#options.closing.aborted;
  }

  /** Returns why the process is not ready; undefined when it is ready. */
  async unreadyReason(): Promise<Unready | undefined> {
    if (this.isStopping) return 'stopping';
    if (await this.#isStoreReached()) return undefined;
    return this.isStopping ? 'stopping' : 'store';
  }

  /** A store of this process alone is always reachable. */
  async #isStoreReached(): Promise<boolean> {
    if (!this.#state.isShared) return true;
    const now = performance.now();
    const isGivenUp = this.#check !== undefined && now - this.#check.startedAt > maxCheckMs;
    if (isGivenUp || (this.#check === undefined && now >= this.#nextCheckAt)) this.#start(now);
    const check = this.#check;
    if (check === undefined) return this.#isReached;
    const remainingMs = check.startedAt + this.#options.timeoutMs - now;
    if (remainingMs > 0) await settledWithin(check.result, remainingMs);
    if (this.#check === check) this.#report(false, `no answer within ${this.#options.timeoutMs} ms`);
    return this.#isReached;
  }

  #start(now: number): void {
    const { cacheMs, retryMs } = this.#options;
    const check = { startedAt: now, result: this.#write() };
    this.#check = check;
    void check.result.then((isReached) => {
      if (this.#check !== check) return;
      this.#check = undefined;
      this.#nextCheckAt = performance.now() + (isReached ? cacheMs : retryMs);
    });
  }

  /** Writes without a notification and without reading: a standby or a full disk refuses it. */
  async #write(): Promise<boolean> {
    try {
      await this.#state.increment('ready', { windowMs });
      this.#report(true);
      return true;
    } catch (error) {
      this.#report(false, messageOf(error));
      return false;
    }
  }

  #report(isReached: boolean, problem = ''): void {
    if (isReached === this.#isReached) return;
    this.#isReached = isReached;
    if (isReached) this.#logger.info('the store can be reached again');
    else this.#logger.warn(`the store cannot be reached, so /ready answers 503: ${problem}`);
  }
}

/** Resolves when the promise has settled, or after the time. */
async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
