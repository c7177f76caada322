/** Limit of a quick write, in milliseconds. Above it, letting calls share one write is cheaper. */
const quickMs = 0.5;
/** A write or check that takes longer, in milliseconds, marks the disk as slow. */
const slowMs = 200;
/** Time for which a disk stays marked as slow. */
const penaltyMs = 10_000;

/**
 * Chooses between synchronous and asynchronous file access. Synchronous is the default: a few kilobytes take microseconds, and asynchronous work
 * would wait for a busy event loop. For some seconds after a slow access it is asynchronous, so that a slow disk does not block the event loop.
 */
export class DiskAccess {
  readonly #now: () => number;
  #slowUntil = Number.NEGATIVE_INFINITY;
  #lastDurationMs = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async run<T>(syncWork: () => T, asyncWork: () => Promise<T>): Promise<T> {
    return this.isSlow ? asyncWork() : this.runSync(syncWork);
  }

  get isSlow(): boolean {
    return this.#now() < this.#slowUntil;
  }

  /** True when the last synchronous access took microseconds: gathering several calls for the next one gains nothing. */
  get wasQuick(): boolean {
    return this.#lastDurationMs <= quickMs;
  }

  runSync<T>(syncWork: () => T): T {
    const startedAt = this.#now();
    try {
      return syncWork();
    } finally {
      const endedAt = this.#now();
      this.#lastDurationMs = endedAt - startedAt;
      if (this.#lastDurationMs > slowMs) this.#slowUntil = endedAt + penaltyMs;
    }
  }
}
