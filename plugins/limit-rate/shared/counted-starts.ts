import type PQueue from 'p-queue';
import type { StateStore } from '../../../kernel/index.ts';
import { SharedLine } from './shared-line.ts';
import type { Asking, Held, Step } from './step.ts';

export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

/** What one process takes of a window at once, at most: so that the others come to something as well. */
const shareOfWindow = 0.1;

/**
 * The starts of all processes, counted by the store in windows: one begins with the first start after the end of the last one. Whoever is
 * counted keeps the turn of this process until it starts, so that nobody behind it starts later than it is counted for. One request counts
 * several who stand in the line: a database counts one after the other, and a rate may be higher than that is fast.
 */
export class CountedStarts implements Step {
  readonly line: SharedLine;
  readonly #state: StateStore;
  readonly #key: string;
  readonly #rate: Rate;
  #count = 0;
  #endsAt = 0;
  /** Counted in this window for who comes next. */
  #ahead = 0;
  /** Before the end of the window, however long the answer took. */
  #aheadUntil = 0;

  constructor(Queue: typeof PQueue, state: StateStore, key: string, rate: Rate) {
    this.line = new SharedLine(Queue, rate.requests);
    this.#state = state;
    this.#key = key;
    this.#rate = rate;
  }

  /** Those of all processes, in this window, as far as this one has heard. */
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

  /** How many of those who stand here were counted: none where the window is full. */
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
      // Less is left than was asked for.
      by = Math.min(by, requests - count);
    }
  }
}
