import type PQueue from 'p-queue';
import { type TenantPlace, TenantQueue } from './tenant-queue.ts';

/** A number of permits, and a line of those who wait for one. */
export class Permits {
  readonly #queue: PQueue<TenantQueue, TenantPlace>;
  #line = new TenantQueue();

  constructor(Queue: typeof PQueue, count: number) {
    const take = (line: TenantQueue): void => {
      this.#line = line;
    };
    this.#queue = new Queue<TenantQueue, TenantPlace>({
      concurrency: count,
      // p-queue makes its line itself.
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

  /** Those who wait for one. */
  get line(): Pick<TenantQueue, 'size' | 'sizeOf' | 'sizes'> {
    return this.#line;
  }

  /** Whoever takes one now has it at once. */
  get isFree(): boolean {
    return this.#line.size === 0 && this.#queue.pending < this.#queue.concurrency;
  }

  /**
   * Calls `granted` when there is a permit, before it returns if there is one now. When `leaving` aborts, the place in the line is given
   * up, and so is a permit that was granted already.
   */
  take(tenant: string, leaving: AbortSignal, granted: (giveBack: () => void) => void): void {
    const hold = (): Promise<void> => new Promise((giveBack) => granted(giveBack));
    // It rejects for those who left, and they know.
    this.#queue.add(hold, { signal: leaving, tenant }).catch(() => {});
  }
}
