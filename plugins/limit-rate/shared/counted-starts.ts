import type { StateStore } from '../../../kernel/index.ts';
import { SharedQueue } from './shared-queue.ts';
import type { Grant, Step, TakeOptions } from './step.ts';

export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

/** Share of a window that one process reserves at once, at most, so that other processes get some as well. */
const maxWindowShare = 0.1;

/**
 * The starts of all processes, which the store counts in windows. A window begins with the first start after the end of the
 * previous one. A counted call stays at the front of this process's queue until it starts, so that no call behind it starts
 * later than its window. One request to the store counts several queued calls: a database counts one after the other, and a
 * rate may be higher than that is fast.
 */
export class CountedStarts implements Step {
  readonly queue: SharedQueue;
  readonly #state: StateStore;
  readonly #key: string;
  readonly #rate: Rate;
  #count = 0;
  #endsAt = 0;
  /** Starts of this window that are counted in advance for the next calls. */
  #reserved = 0;
  /** Time on the clock of `performance.now()` until which they are valid: before the end of the window, however slow the store was. */
  #reservedUntil = 0;

  constructor(state: StateStore, key: string, rate: Rate) {
    this.queue = new SharedQueue(rate.requests);
    this.#state = state;
    this.#key = key;
    this.#rate = rate;
  }

  /** Starts of all processes in this window, as far as this process knows. */
  get inUse(): number {
    return performance.now() < this.#endsAt ? this.#count : 0;
  }

  async take({ tenant, cancelled, beforeWait }: TakeOptions): Promise<Grant> {
    const leaveFront = await this.queue.waitForFront(tenant, cancelled);
    for (;;) {
      const grant = await this.#tryTake(leaveFront);
      cancelled.throwIfAborted();
      if (grant !== undefined) return grant;
      beforeWait();
      await this.queue.wait(Math.ceil(this.#endsAt - performance.now()), cancelled);
    }
  }

  async #tryTake(leaveFront: () => void): Promise<Grant | undefined> {
    if (performance.now() >= this.#reservedUntil) this.#reserved = 0;
    if (this.#reserved === 0) this.#reserved = await this.#reserve();
    if (this.#reserved === 0) return undefined;
    this.#reserved--;
    this.queue.onGranted();
    return { until: this.#endsAt, renew: () => this.#tryTake(leaveFront), start: leaveFront, end: leaveFront };
  }

  /** Counts starts for queued calls and returns their number; 0 where the window is full. */
  async #reserve(): Promise<number> {
    const { requests, perMs } = this.#rate;
    const maxCount = Math.min(this.queue.size + 1, Math.ceil(requests * maxWindowShare));
    for (let by = maxCount; ; ) {
      const askedAt = performance.now();
      const { isCounted, count, endsInMs } = await this.#state.increment(this.#key, { windowMs: perMs, limit: requests, by });
      this.#count = count;
      this.#endsAt = performance.now() + endsInMs;
      this.#reservedUntil = askedAt + endsInMs;
      if (isCounted) return by;
      if (count >= requests) return 0;
      // Fewer are left than were requested.
      by = Math.min(by, requests - count);
    }
  }
}
