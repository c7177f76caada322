import type PQueue from 'p-queue';
import type { StateStore } from '../../../kernel/index.ts';
import { SharedLine } from './shared-line.ts';
import type { Asking, Held, Step } from './step.ts';

export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

/**
 * The starts of all processes, counted by the store in windows: one begins with the first start after the end of the last one. Whoever is
 * counted keeps the turn of this process until it starts, so that nobody behind it is counted for a start that comes later.
 */
export class CountedStarts implements Step {
  readonly line: SharedLine;
  readonly #state: StateStore;
  readonly #key: string;
  readonly #rate: Rate;
  #count = 0;
  #endsAt = 0;

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
    const { requests, perMs } = this.#rate;
    const { isCounted, count, endsInMs } = await this.#state.increment(this.#key, { windowMs: perMs, limit: requests });
    this.#count = count;
    this.#endsAt = performance.now() + endsInMs;
    if (!isCounted) return undefined;
    this.line.moved();
    return { until: this.#endsAt, again: () => this.#ask(endTurn), start: endTurn, end: endTurn };
  }
}
