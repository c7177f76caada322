import { setImmediate } from 'node:timers/promises';

/** So long at a time, in milliseconds: a call of somebody else waits no longer. */
const atOnceMs = 10;

/** What all that rest wait for, one after the other: in a turn of the loop no two of them go on. */
let turns: Promise<unknown> = Promise.resolve();

/** Work of many pieces, between which the event loop gets its turn, so that nobody waits for all of it, nor for several such works. */
export class LongWork {
  #since = performance.now();

  /** True when it is time to `rest`. */
  get isDue(): boolean {
    return performance.now() - this.#since >= atOnceMs;
  }

  async rest(): Promise<void> {
    turns = turns.then(() => setImmediate());
    await turns;
    this.#since = performance.now();
  }
}
