import type { Queue, QueueAddOptions } from 'p-queue';
import { FairLine } from './fair-line.ts';

export interface TenantPlace extends QueueAddOptions {
  readonly tenant: string;
}

type Run = () => Promise<unknown>;

interface Waiting {
  readonly id: string;
  readonly tenant: string;
  readonly run: Run;
}

/** The queue of a p-queue, in which tenants are served in turn. */
export class TenantQueue implements Queue<Run, TenantPlace> {
  readonly #line = new FairLine<Waiting>();
  readonly #byId = new Map<string, Waiting>();

  get size(): number {
    return this.#line.size;
  }

  sizeOf(tenant: string): number {
    return this.#line.sizeOf(tenant);
  }

  /** Returns the number of waiting entries by tenant. */
  sizes(): Readonly<Record<string, number>> {
    return this.#line.sizes();
  }

  enqueue(run: Run, { id = '', tenant = '' }: Partial<TenantPlace> = {}): void {
    const waiting = { id, tenant, run };
    this.#byId.set(id, waiting);
    this.#line.add(tenant, waiting);
  }

  dequeue(): Run | undefined {
    const waiting = this.#line.next();
    this.#byId.delete(waiting?.id ?? '');
    return waiting?.run;
  }

  /** Removes an entry whose signal has aborted. */
  remove(id: string): void {
    const waiting = this.#byId.get(id);
    if (waiting !== undefined) this.#line.remove(waiting.tenant, waiting);
    this.#byId.delete(id);
  }

  /** Returns the entries of one tenant. */
  filter({ tenant }: Readonly<Partial<TenantPlace>>): Run[] {
    return [...this.#byId.values()].filter((waiting) => waiting.tenant === tenant).map(({ run }) => run);
  }

  /** Does nothing: the order of tenants decides, and there are no priorities. */
  setPriority(): void {}
}
