import { setImmediate } from 'node:timers/promises';

/** So long at a time, in milliseconds: a call of somebody else waits no longer. */
const atOnceMs = 10;

/** Work of many pieces, between which the event loop gets its turn, so that nobody waits for all of it. */
export class LongWork {
  #since = performance.now();

  /** True when it is time to `rest`. */
  get isDue(): boolean {
    return performance.now() - this.#since >= atOnceMs;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
