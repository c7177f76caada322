import type PQueue from 'p-queue';
import { Permits } from '../permits.ts';

/** Those of this process who wait for one limit of all processes: the first of them asks the store, the others stand behind it. */
export class SharedLine {
  /** What may be given at once, such as starts in a window: so many are no line yet while the store has room. */
  readonly #most: number;
  readonly #turns: Permits;
  /** The store said that there is nothing for whoever asks. */
  #isBlocked = false;
  #wake: () => void = () => {};

  constructor(Queue: typeof PQueue, most: number) {
    this.#most = most;
    this.#turns = new Permits(Queue, 1);
  }

  /** How many stand behind who asks. */
  get size(): number {
    return this.#turns.line.size;
  }

  /** How many wait, by tenant. */
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
   * Resolves, when it is one's turn to ask, to what ends it; an abort ends it too. Those of several tenants have their turns one after the
   * other. Rejects when `leaving` aborts.
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

  /** For who has the turn: resolves after some time, or earlier when `wake` is called. Rejects when `leaving` aborts. */
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

  /** It got what it asked for. */
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
