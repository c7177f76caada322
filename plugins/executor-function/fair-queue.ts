import { ToolkitError } from '../../kernel/index.ts';
import { halfOfPlaces } from '../shared/fairness/half-of-places.ts';

export interface FairQueueOptions {
  /** The resource that is limited, in the plural, for messages: `worker threads`. */
  readonly resource: string;
  /** The option that raises the number of slots, for messages: `maxThreads of executorFunction`. */
  readonly optionName: string;
  readonly slots: number;
  /** Limit of waiting calls of all tenants. One tenant may have half of it. */
  readonly maxQueued: number;
  readonly maxWaitMs: number;
}

export interface Share {
  readonly running: number;
  readonly waiting: number;
}

/** A call that waits for a slot. */
interface SlotRequest {
  grant(): void;
}

interface Tenant {
  heldSlots: number;
  readonly waiting: Set<SlotRequest>;
}

/**
 * Gives out slots. A free slot goes to the tenant that holds the fewest; among equals, to the tenant that freed one longest
 * ago. No tenant holds more than half of the slots, or of the waiting calls (rounded up), so that a new tenant never waits for
 * a single other tenant.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** In this order: the tenant that freed a slot last comes last. */
  readonly #tenants = new Map<string, Tenant>();
  #heldSlots = 0;
  #waitingCount = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** Running and waiting calls by tenant. */
  get shares(): ReadonlyMap<string, Share> {
    return new Map([...this.#tenants].map(([name, { heldSlots, waiting }]) => [name, { running: heldSlots, waiting: waiting.size }]));
  }

  /**
   * Waits for a slot and returns a function that frees it. Throws the reason of the signal, and RATE_LIMITED when too many calls
   * wait or the wait takes too long.
   */
  async acquire(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const tenant = this.#tenants.get(name) ?? { heldSlots: 0, waiting: new Set<SlotRequest>() };
    this.#tenants.set(name, tenant);
    const { maxQueued, maxWaitMs } = this.#options;
    if (!this.#hasSlotFor(tenant) && (this.#waitingCount >= maxQueued || tenant.waiting.size >= halfOfPlaces(maxQueued)))
      throw this.#refusedError(tenant, 'so that this one was refused');
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        tenant.waiting.delete(request);
        this.#waitingCount--;
      };
      const giveUp = (reasonOf: () => unknown): void => {
        const reason = reasonOf();
        leave();
        if (tenant.heldSlots === 0 && tenant.waiting.size === 0) this.#tenants.delete(name);
        reject(reason);
      };
      const onAbort = (): void => giveUp(() => signal.reason);
      const request: SlotRequest = {
        grant: () => {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(() => giveUp(() => this.#refusedError(tenant, `and this one has waited ${maxWaitMs} ms`)), maxWaitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      tenant.waiting.add(request);
      this.#waitingCount++;
      this.#grantSlots();
    });
    return () => {
      tenant.heldSlots--;
      this.#heldSlots--;
      this.#tenants.delete(name);
      if (tenant.heldSlots > 0 || tenant.waiting.size > 0) this.#tenants.set(name, tenant);
      this.#grantSlots();
    };
  }

  #hasSlotFor(tenant: Tenant): boolean {
    return this.#heldSlots < this.#options.slots && tenant.heldSlots < halfOfPlaces(this.#options.slots);
  }

  #grantSlots(): void {
    for (let next = this.#nextTenant(); next !== undefined; next = this.#nextTenant()) {
      const [request] = next.waiting;
      next.heldSlots++;
      this.#heldSlots++;
      request?.grant();
    }
  }

  #nextTenant(): Tenant | undefined {
    let next: Tenant | undefined;
    for (const tenant of this.#tenants.values())
      if (tenant.waiting.size > 0 && this.#hasSlotFor(tenant) && (next === undefined || tenant.heldSlots < next.heldSlots)) next = tenant;
    return next;
  }

  #refusedError(tenant: Tenant, outcome: string): ToolkitError {
    const { resource, slots, optionName } = this.#options;
    const inUse =
      this.#heldSlots < slots
        ? `${tenant.heldSlots} of ${slots} ${resource} run calls of this caller, its share`
        : `All ${slots} ${resource} are in use`;
    const message = `${inUse}; ${this.#waitingCount === 1 ? '1 call waits' : `${this.#waitingCount} calls wait`}, ${tenant.waiting.size} of them of this caller, ${outcome}. Try again later, with fewer calls at once; the operator can raise ${optionName}.`;
    return new ToolkitError('RATE_LIMITED', message, { waiting: this.#waitingCount });
  }
}
