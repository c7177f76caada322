import type PQueue from 'p-queue';
import { Permits } from '../permits.ts';

/** The calls of this process that wait for one limit of all processes. The first of them asks the store, the others wait behind it. */
export class SharedLine {
  /**
   * The number that the store may grant at once, such as starts in a window. So many calls do not count as waiting while the
   * store grants.
   */
  readonly #most: number;
  readonly #turns: Permits;
  /** True when the store had nothing for the first call. */
  #isBlocked = false;
  #wake: () => void = () => {};

  constructor(Queue: typeof PQueue, most: number) {
    this.#most = most;
    this.#turns = new Permits(Queue, 1);
  }

  /** The number of calls behind the first. */
  get size(): number {
    return this.#turns.line.size;
  }

  /** Returns the number of waiting calls by tenant. */
  sizes(): Readonly<Record<string, number>> {
    return this.#turns.line.sizes();
  }

  isFull(most: number): boolean {
    return !this.#turns.isFree && this.size + 1 - this.#room >= most;
  }

  isFullOf(tenant: string, most: number): boolean {
    return !this.#turns.isFree && this.#turns.line.sizeOf(tenant) + 1 - this.#room >= most;
  }

  /**
   * Waits until the call is at the front, and returns a function that leaves the front; an abort leaves it too. Tenants are
   * served in turn. Rejects when `leaving` aborts.
   */
  turn(tenant: string, leaving: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(leaving.reason);
      leaving.addEventListener('abort', leave, { once: true });
      this.#turns.take(tenant, leaving, (end) => {
        leaving.removeEventListener('abort', leave);
        resolve(end);
      });
    });
  }

  /** Waits at the front for some milliseconds, or until `wake` is called. Rejects when `leaving` aborts. */
  async wait(ms: number, leaving: AbortSignal): Promise<void> {
    leaving.throwIfAborted();
    this.#isBlocked = true;
    try {
      await new Promise<void>((resolve, reject) => {
        const end = (settle: () => void): void => {
          clearTimeout(timer);
          leaving.removeEventListener('abort', leave);
          settle();
        };
        const leave = (): void => end(() => reject(leaving.reason));
        const timer = setTimeout(() => end(resolve), ms);
        leaving.addEventListener('abort', leave, { once: true });
        this.#wake = () => end(resolve);
      });
    } finally {
      this.#wake = () => {};
      if (leaving.aborted) this.#isBlocked = false;
    }
  }

  /** Notes that the store granted something to the first call. */
  moved(): void {
    this.#isBlocked = false;
  }

  wake(): void {
    this.#wake();
  }

  get #room(): number {
    return this.#isBlocked ? 0 : this.#most;
  }
}
