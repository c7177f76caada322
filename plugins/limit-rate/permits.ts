import type PQueue from 'p-queue';
import { type TenantOptions, TenantQueue } from './tenant-queue.ts';

/** A number of permits, and a queue of calls that wait for one. */
export class Permits {
  readonly #queue: PQueue<TenantQueue, TenantOptions>;
  #waiting = new TenantQueue();

  constructor(Queue: typeof PQueue, count: number) {
    const setQueue = (queue: TenantQueue): void => {
      this.#waiting = queue;
    };
    this.#queue = new Queue<TenantQueue, TenantOptions>({
      concurrency: count,
      // p-queue creates its queue itself.
      queueClass: class extends TenantQueue {
        constructor() {
          super();
          setQueue(this);
        }
      },
    });
  }

  get inUse(): number {
    return this.#queue.pending;
  }

  /** The calls that wait for a permit. */
  get waiting(): Pick<TenantQueue, 'size' | 'sizeOf' | 'sizes'> {
    return this.#waiting;
  }

  /** True when a permit can be taken without waiting. */
  get isFree(): boolean {
    return this.#waiting.size === 0 && this.#queue.pending < this.#queue.concurrency;
  }

  /**
   * Calls `onGranted` with a function that gives the permit back, at once if a permit is free now. When
   * `leaving` aborts, the entry leaves the queue, and a granted permit is given back.
   */
  take(tenant: string, cancelled: AbortSignal, onGranted: (giveBack: () => void) => void): void {
    const hold = (): Promise<void> => new Promise((giveBack) => onGranted(giveBack));
    // Rejects only for callers that have left, which know it already.
    this.#queue.add(hold, { signal: cancelled, tenant }).catch(() => {});
  }
}
