import type PQueue from 'p-queue';
import { type TenantPlace, TenantQueue } from './tenant-queue.ts';

/** A number of permits, and a queue of calls that wait for one. */
export class Permits {
  readonly #queue: PQueue<TenantQueue, TenantPlace>;
  #line = new TenantQueue();

  constructor(Queue: typeof PQueue, count: number) {
    const take = (line: TenantQueue): void => {
      this.#line = line;
    };
    this.#queue = new Queue<TenantQueue, TenantPlace>({
      concurrency: count,
      // p-queue creates its queue itself.
      queueClass: class extends TenantQueue {
        constructor() {
          super();
          take(this);
        }
      },
    });
  }

  get taken(): number {
    return this.#queue.pending;
  }

  /** The calls that wait for a permit. */
  get line(): Pick<TenantQueue, 'size' | 'sizeOf' | 'sizes'> {
    return this.#line;
  }

  /** True when a permit can be taken without waiting. */
  get isFree(): boolean {
    return this.#line.size === 0 && this.#queue.pending < this.#queue.concurrency;
  }

  /**
   * Calls `onGranted` with a function that gives the permit back, at once if a permit is free now. When
   * `leaving` aborts, the entry leaves the queue, and a granted permit is given back.
   */
  take(tenant: string, leaving: AbortSignal, granted: (giveBack: () => void) => void): void {
    const hold = (): Promise<void> => new Promise((giveBack) => granted(giveBack));
    // Rejects only for callers that have left, which know it already.
    this.#queue.add(hold, { signal: leaving, tenant }).catch(() => {});
  }
}
