import { setTimeout } from 'node:timers/promises';

/** Messages of a server that are read in one second; more wait, and the server with them. */
const maxPerSecond = 5000;

const secondMs = 1000;

/** Slows a server that floods this process with messages down. Its pipe fills, and it has to wait. */
export class MessageRate {
  #begunAt = 0;
  #count = 0;

  /** Counts a message. Returns a promise for the time at which the next one may be read, when there are too many. */
  count(): Promise<void> | undefined {
    const now = performance.now();
    if (now - this.#begunAt >= secondMs) {
      this.#begunAt = now;
      this.#count = 0;
    }
    this.#count++;
    if (this.#count < maxPerSecond) return undefined;
    return setTimeout(Math.max(1, this.#begunAt + secondMs - now), undefined, { ref: false });
  }
}
