import type { Queue, QueueAddOptions } from 'p-queue';
import { RoundRobinQueue } from './round-robin-queue.ts';

export interface TenantOptions extends QueueAddOptions {
  readonly tenant: string;
}

type Run = () => Promise<unknown>;

interface Waiting {
  readonly id: string;
  readonly tenant: string;
  readonly run: Run;
}

/** The queue of a p-queue, in which tenants are served in turn. */
export class TenantQueue implements Queue<Run, TenantOptions> {
  readonly #entries = new RoundRobinQueue<Waiting>();
  readonly #byId = new Map<string, Waiting>();

  get size(): number {
    return this.#entries.size;
  }

  sizeOf(tenant: string): number {
    return this.#entries.sizeOf(tenant);
  }

  /** Returns the number of waiting entries by tenant. */
  sizes(): Readonly<Record<string, number>> {
    return this.#entries.sizes();
  }

  enqueue(run: Run, { id = '', tenant = '' }: Partial<TenantOptions> = {}): void {
    const waiting = { id, tenant, run };
    this.#byId.set(id, waiting);
    this.#entries.add(tenant, waiting);
  }

  dequeue(): Run | undefined {
    const waiting = this.#entries.next();
    this.#byId.delete(waiting?.id ?? '');
    return waiting?.run;
  }

  /** Removes an entry whose signal has aborted. */
  remove(id: string): void {
    const waiting = this.#byId.get(id);
    if (waiting !== undefined) this.#entries.remove(waiting.tenant, waiting);
    this.#byId.delete(id);
  }

  /** Returns the entries of one tenant. */
  filter({ tenant }: Readonly<Partial<TenantOptions>>): Run[] {
    return [...this.#byId.values()].filter((waiting) => waiting.tenant === tenant).map(({ run }) => run);
  }

  /** Does nothing: the order of tenants decides, and there are no priorities. */
  setPriority(): void {}
}
