/** A write that takes longer, in milliseconds, costs more than calls that wait for each other to share one. */
const quickMs = 0.5;
/** A write or a look that takes longer, in milliseconds, makes a disk slow. */
const slowMs = 200;
/** How long a disk counts as slow. */
const penaltyMs = 10_000;

/**
 * Where the disk is waited for: in the turn itself, because the system takes a few kilobytes in microseconds and a thread would need turns of
 * an event loop that others may keep busy; or, for some seconds after it was slow, beside the loop, so that only calls wait for it.
 */
export class DiskPace {
  readonly #now: () => number;
  #slowUntil = Number.NEGATIVE_INFINITY;
  #tookMs = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async run<T>(inTurn: () => T, beside: () => Promise<T>): Promise<T> {
    return this.isSlow ? beside() : this.runNow(inTurn);
  }

  get isSlow(): boolean {
    return this.#now() < this.#slowUntil;
  }

  /** What was done last in the turn took microseconds: there is nothing to gain from doing the next thing for several calls at once. */
  get isQuick(): boolean {
    return this.#tookMs <= quickMs;
  }

  runNow<T>(inTurn: () => T): T {
    const startedAt = this.#now();
    try {
      return inTurn();
    } finally {
      const endedAt = this.#now();
      this.#tookMs = endedAt - startedAt;
      if (this.#tookMs > slowMs) this.#slowUntil = endedAt + penaltyMs;
    }
  }
}
