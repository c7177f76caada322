import { ToolkitError } from '../../kernel/index.ts';

export interface FairQueueOptions {
  /** The resource that is limited, in the plural, for messages: `worker threads`. */
  readonly what: string;
  /** The option that raises the number of slots, for messages: `maxThreads of executorFunction`. */
  readonly option: string;
  readonly places: number;
  /** Limit of waiting calls of all tenants. One tenant may have half of it. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

export interface Share {
  readonly running: number;
  readonly waiting: number;
}

/** A call that waits for a slot. */
interface Turn {
  grant(): void;
}

interface Tenant {
  held: number;
  readonly waiting: Set<Turn>;
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
  #held = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Running and waiting calls by tenant. */
  get shares(): ReadonlyMap<string, Share> {
    return new Map([...this.#tenants].map(([name, { held, waiting }]) => [name, { running: held, waiting: waiting.size }]));
  }

  /**
   * Waits for a slot and returns a function that frees it. Throws the reason of the signal, and RATE_LIMITED when too many calls
   * wait or the wait takes too long.
   */
  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const tenant = this.#tenants.get(name) ?? { held: 0, waiting: new Set<Turn>() };
    this.#tenants.set(name, tenant);
    const { maxWaiting, maxWaitMs } = this.#options;
    if (!this.#hasRoom(tenant) && (this.#waiting >= maxWaiting || tenant.waiting.size >= half(maxWaiting)))
      throw this.#refused(tenant, 'so that this one was refused');
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        tenant.waiting.delete(turn);
        this.#waiting--;
      };
      const giveUp = (why: () => unknown): void => {
        const reason = why();
        leave();
        if (tenant.held === 0 && tenant.waiting.size === 0) this.#tenants.delete(name);
        reject(reason);
      };
      const onAbort = (): void => giveUp(() => signal.reason);
      const turn: Turn = {
        grant: () => {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(() => giveUp(() => this.#refused(tenant, `and this one has waited ${maxWaitMs} ms`)), maxWaitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      tenant.waiting.add(turn);
      this.#waiting++;
      this.#serve();
    });
    return () => {
      tenant.held--;
      this.#held--;
      this.#tenants.delete(name);
      if (tenant.held > 0 || tenant.waiting.size > 0) this.#tenants.set(name, tenant);
      this.#serve();
    };
  }

  #hasRoom(tenant: Tenant): boolean {
    return this.#held < this.#options.places && tenant.held < half(this.#options.places);
  }

  #serve(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [turn] = next.waiting;
      next.held++;
      this.#held++;
      turn?.grant();
    }
  }

  #next(): Tenant | undefined {
    let next: Tenant | undefined;
    for (const tenant of this.#tenants.values())
      if (tenant.waiting.size > 0 && this.#hasRoom(tenant) && (next === undefined || tenant.held < next.held)) next = tenant;
    return next;
  }

  #refused(tenant: Tenant, outcome: string): ToolkitError {
    const { what, places, option } = this.#options;
    const inUse =
      this.#held < places ? `${tenant.held} of ${places} ${what} run calls of this caller, its share` : `All ${places} ${what} are in use`;
    const message = `${inUse}; ${this.#waiting === 1 ? '1 call waits' : `${this.#waiting} calls wait`}, ${tenant.waiting.size} of them of this caller, ${outcome}. Try again later, with fewer calls at once; the operator can raise ${option}.`;
    return new ToolkitError('RATE_LIMITED', message, { waiting: this.#waiting });
  }
}

function half(number: number): number {
  return Math.ceil(number / 2);
}
