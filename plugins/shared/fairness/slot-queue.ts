import { Holdings } from './holdings.ts';

export interface SlotQueueOptions {
  readonly slots: number;
  /** Limit of the slots that one tenant holds at the same time. @default all */
  readonly maxHeld?: number;
}

/** Slots that a tenant holds, and its calls that wait for one. */
export interface Share {
  readonly held: number;
  readonly waiting: number;
}

type Grant = () => void;

/**
 * Gives out slots. A free slot goes to the tenant that holds the fewest; among equals, to the tenant that got one or gave one back longest
 * ago. Calls of one tenant get theirs in the order in which they came. So a thousand calls of one tenant delay another tenant by one call.
 */
export class SlotQueue {
  readonly #slots: number;
  readonly #maxHeld: number;
  readonly #held = new Holdings<string>();
  /** In this order: the tenant that is served first among equals comes first. */
  readonly #waiting = new Map<string, Set<Grant>>();
  #waitingCount = 0;

  constructor({ slots, maxHeld = slots }: SlotQueueOptions) {
    this.#slots = slots;
    this.#maxHeld = maxHeld;
  }

  /** Number of slots that are held. */
  get held(): number {
    return this.#held.total;
  }

  /** Number of calls that wait. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** Returns the slots and waiting calls of one tenant. */
  shareOf(tenant: string): Share {
    return { held: this.#held.of(tenant), waiting: this.#waiting.get(tenant)?.size ?? 0 };
  }

  /** Shares of all tenants that hold a slot or wait for one. */
  get shares(): ReadonlyMap<string, Share> {
    const tenants = new Set([...[...this.#held].map(([tenant]) => tenant), ...this.#waiting.keys()]);
    return new Map([...tenants].map((tenant) => [tenant, this.shareOf(tenant)]));
  }

  /** Number of waiting calls by tenant, in the order in which tenants are served among equals. */
  get waitingByTenant(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#waiting].map(([tenant, { size }]) => [tenant, size]));
  }

  /** Returns true when this tenant can take a slot without waiting. */
  hasSlotFor(tenant: string): boolean {
    return this.#held.total < this.#slots && this.#held.of(tenant) < this.#maxHeld;
  }

  /**
   * Takes a slot: calls `onGranted` at once when one is free, or else when the tenant has its turn. Returns the function that leaves the
   * queue or gives the slot back, which `onGranted` gets as well; a second call of it does nothing. An abort of `signal` calls it.
   */
  take(tenant: string, onGranted: (leave: () => void) => void, signal?: AbortSignal): () => void {
    let state: 'waiting' | 'holding' | 'left' = 'waiting';
    const leave = (): void => {
      const previous = state;
      state = 'left';
      signal?.removeEventListener('abort', leave);
      if (previous === 'waiting') this.#remove(tenant, grant);
      if (previous === 'holding') this.#giveBack(tenant);
    };
    const grant = (): void => {
      // The listener of this call may come after that of the call whose slot this is.
      if (signal?.aborted === true) {
        leave();
        return;
      }
      state = 'holding';
      this.#held.add(tenant, 1);
      onGranted(leave);
    };
    if (signal?.aborted === true) return leave;
    signal?.addEventListener('abort', leave, { once: true });
    if (this.hasSlotFor(tenant)) grant();
    else this.#add(tenant, grant);
    return leave;
  }

  #add(tenant: string, grant: Grant): void {
    this.#waiting.set(tenant, (this.#waiting.get(tenant) ?? new Set()).add(grant));
    this.#waitingCount++;
  }

  #remove(tenant: string, grant: Grant): void {
    const own = this.#waiting.get(tenant);
    if (own?.delete(grant) !== true) return;
    this.#waitingCount--;
    if (own.size === 0) this.#waiting.delete(tenant);
  }

  #giveBack(tenant: string): void {
    this.#held.add(tenant, -1);
    this.#moveLast(tenant);
    for (let next = this.#nextTenant(); next !== undefined; next = this.#nextTenant()) {
      const [grant] = this.#waiting.get(next) ?? [];
      if (grant === undefined) return;
      this.#remove(next, grant);
      this.#moveLast(next);
      grant();
    }
  }

  #moveLast(tenant: string): void {
    const own = this.#waiting.get(tenant);
    if (own !== undefined && this.#waiting.delete(tenant)) this.#waiting.set(tenant, own);
  }

  #nextTenant(): string | undefined {
    let next: string | undefined;
    let fewest = this.#maxHeld;
    if (this.#held.total >= this.#slots) return undefined;
    for (const tenant of this.#waiting.keys()) {
      const held = this.#held.of(tenant);
      if (held >= fewest) continue;
      next = tenant;
      fewest = held;
      if (held === 0) break;
    }
    return next;
  }
}
