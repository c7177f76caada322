import type PQueue from 'p-queue';

/** A number of permits, and a line of those who wait for one, in the order in which they came. */
export class Permits {
  readonly #queue: PQueue;

  constructor(Queue: typeof PQueue, count: number) {
    this.#queue = new Queue({ concurrency: count });
  }

  /** How many wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Whoever takes one now has it at once. */
  get isFree(): boolean {
    return this.#queue.size === 0 && this.#queue.pending < this.#queue.concurrency;
  }

  /**
   * Calls `granted` when there is a permit, before it returns if there is one now. When `leaving` aborts, the place in the line is given
   * up, and so is a permit that was granted already.
   */
  take(leaving: AbortSignal, granted: (giveBack: () => void) => void): void {
    const hold = (): Promise<void> => new Promise((giveBack) => granted(giveBack));
    // It rejects for those who left, and they know.
    this.#queue.add(hold, { signal: leaving }).catch(() => {});
  }
}
