import { ToolkitError } from '../../kernel/index.ts';
import { halfOfPlaces } from '../shared/fairness/half-of-places.ts';
import { SlotQueue } from '../shared/fairness/slot-queue.ts';

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

interface RunningShare {
  readonly running: number;
  readonly waiting: number;
}

/**
 * Gives out slots for calls, which wait for a limited time. No tenant holds more than half of the slots, or of the waiting calls (rounded
 * up), so that a new tenant never waits for a single other tenant.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #queue: SlotQueue;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#queue = new SlotQueue({ slots: options.slots, maxHeld: halfOfPlaces(options.slots) });
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Running and waiting calls by tenant. */
  get shares(): ReadonlyMap<string, RunningShare> {
    return new Map([...this.#queue.shares].map(([tenant, { held, waiting }]) => [tenant, { running: held, waiting }]));
  }

  /**
   * Waits for a slot and returns a function that frees it. Throws the reason of the signal, and RATE_LIMITED when too many calls
   * wait or the wait takes too long.
   */
  async acquire(tenant: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const { maxQueued, maxWaitMs } = this.#options;
    const isFull = this.waiting >= maxQueued || this.#queue.shareOf(tenant).waiting >= halfOfPlaces(maxQueued);
    if (isFull && !this.#queue.hasSlotFor(tenant)) throw this.#refusedError(tenant, 'so that this one was refused');
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const giveUp = (reason: unknown): void => {
        end();
        leave();
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal.reason);
      const onTimeout = (): void => giveUp(this.#refusedError(tenant, `and this one has waited ${maxWaitMs} ms`));
      const timer = setTimeout(onTimeout, maxWaitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      const leave = this.#queue.take(tenant, (free) => {
        end();
        resolve(free);
      });
    });
  }

  #refusedError(tenant: string, outcome: string): ToolkitError {
    const { resource, slots, optionName } = this.#options;
    const { held, waiting } = this.#queue.shareOf(tenant);
    const inUse =
      this.#queue.held < slots
        ? `${held} of ${slots} ${resource} run calls of this caller, its share`
        : `All ${slots} ${resource} are in use`;
    const message = `${inUse}; ${this.waiting === 1 ? '1 call waits' : `${this.waiting} calls wait`}, ${waiting} of them of this caller, ${outcome}. Try again later, with fewer calls at once; the operator can raise ${optionName}.`;
    return new ToolkitError('RATE_LIMITED', message, { waiting: this.waiting });
  }
}
