import type PQueue from 'p-queue';
import type { StateStore } from '../../../kernel/index.ts';
import { SharedLine } from './shared-line.ts';
import type { Asking, Held, Step } from './step.ts';

export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

/** Share of a window that one process reserves at once, at most, so that other processes get some as well. */
const shareOfWindow = 0.1;

/**
 * The starts of all processes, which the store counts in windows. A window begins with the first start after the end of the
 * previous one. A counted call stays at the front of this process's queue until it starts, so that no call behind it starts
 * later than its window. One request to the store counts several queued calls: a database counts one after the other, and a
 * rate may be higher than that is fast.
 */
export class CountedStarts implements Step {
  readonly line: SharedLine;
  readonly #state: StateStore;
  readonly #key: string;
  readonly #rate: Rate;
  #count = 0;
  #endsAt = 0;
  /** Starts of this window that are counted in advance for the next calls. */
  #ahead = 0;
  /** Time on the clock of `performance.now()` until which they are valid: before the end of the window, however slow the store was. */
  #aheadUntil = 0;

  constructor(Queue: typeof PQueue, state: StateStore, key: string, rate: Rate) {
    this.line = new SharedLine(Queue, rate.requests);
    this.#state = state;
    this.#key = key;
    this.#rate = rate;
  }

  /** Starts of all processes in this window, as far as this process knows. */
  get taken(): number {
    return performance.now() < this.#endsAt ? this.#count : 0;
  }

  async take({ tenant, leaving, beforeWait }: Asking): Promise<Held> {
    const endTurn = await this.line.turn(tenant, leaving);
    for (;;) {
      const held = await this.#ask(endTurn);
      leaving.throwIfAborted();
      if (held !== undefined) return held;
      beforeWait();
      await this.line.wait(Math.ceil(this.#endsAt - performance.now()), leaving);
    }
  }

  async #ask(endTurn: () => void): Promise<Held | undefined> {
    if (performance.now() >= this.#aheadUntil) this.#ahead = 0;
    if (this.#ahead === 0) this.#ahead = await this.#countSome();
    if (this.#ahead === 0) return undefined;
    this.#ahead--;
    this.line.moved();
    return { until: this.#endsAt, again: () => this.#ask(endTurn), start: endTurn, end: endTurn };
  }

  /** Counts starts for queued calls and returns their number; 0 where the window is full. */
  async #countSome(): Promise<number> {
    const { requests, perMs } = this.#rate;
    const most = Math.min(this.line.size + 1, Math.ceil(requests * shareOfWindow));
    for (let by = most; ; ) {
      const askedAt = performance.now();
      const { isCounted, count, endsInMs } = await this.#state.increment(this.#key, { windowMs: perMs, limit: requests, by });
      this.#count = count;
      this.#endsAt = performance.now() + endsInMs;
      this.#aheadUntil = askedAt + endsInMs;
      if (isCounted) return by;
      if (count >= requests) return 0;
      // Fewer are left than were requested.
      by = Math.min(by, requests - count);
    }
  }
}
