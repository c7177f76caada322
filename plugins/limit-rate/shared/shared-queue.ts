import { SlotQueue } from '../../shared/fairness/slot-queue.ts';

/** The calls of this process that wait for one limit of all processes. The first of them asks the store, the others wait behind it. */
export class SharedQueue {
  /**
   * The number that the store may grant at once, such as starts in a window. So many calls do not count as waiting while the
   * store grants.
   */
  readonly #maxAtOnce: number;
  readonly #front = new SlotQueue({ slots: 1 });
  /** True when the store had nothing for the first call. */
  #isBlocked = false;
  #wake: () => void = () => {};

  constructor(maxAtOnce: number) {
    this.#maxAtOnce = maxAtOnce;
  }

  /** The number of calls behind the first. */
  get size(): number {
    return this.#front.waiting;
  }

  /** Returns the number of waiting calls by tenant. */
  sizes(): Readonly<Record<string, number>> {
    return this.#front.waitingByTenant;
  }

  isFull(maxWaiting: number): boolean {
    return this.#front.held > 0 && this.size + 1 - this.#grantableCount >= maxWaiting;
  }

  isFullOf(tenant: string, maxWaiting: number): boolean {
    return this.#front.held > 0 && this.#front.shareOf(tenant).waiting + 1 - this.#grantableCount >= maxWaiting;
  }

  /**
   * Waits until the call is at the front, and returns a function that leaves the front; an abort leaves it too. Tenants are
   * served in turn. Rejects when `leaving` aborts.
   */
  waitForFront(tenant: string, cancelled: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(cancelled.reason);
      cancelled.addEventListener('abort', leave, { once: true });
      const onGranted = (leaveFront: () => void): void => {
        cancelled.removeEventListener('abort', leave);
        resolve(leaveFront);
      };
      this.#front.take(tenant, onGranted, cancelled);
    });
  }

  /** Waits at the front for some milliseconds, or until `wake` is called. Rejects when `leaving` aborts. */
  async wait(ms: number, cancelled: AbortSignal): Promise<void> {
    cancelled.throwIfAborted();
    this.#isBlocked = true;
    try {
      await new Promise<void>((resolve, reject) => {
        const end = (settle: () => void): void => {
          clearTimeout(timer);
          cancelled.removeEventListener('abort', leave);
          settle();
        };
        const leave = (): void => end(() => reject(cancelled.reason));
        const timer = setTimeout(() => end(resolve), ms);
        cancelled.addEventListener('abort', leave, { once: true });
        this.#wake = () => end(resolve);
      });
    } finally {
      this.#wake = () => {};
      if (cancelled.aborted) this.#isBlocked = false;
    }
  }

  /** Notes that the store granted something to the first call. */
  onGranted(): void {
    this.#isBlocked = false;
  }

  wake(): void {
    this.#wake();
  }

  get #grantableCount(): number {
    return this.#isBlocked ? 0 : this.#maxAtOnce;
  }
}
