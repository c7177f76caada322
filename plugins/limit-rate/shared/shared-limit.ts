import { createHash } from 'node:crypto';
import type { JsonObject, StateStore } from '../../../kernel/index.ts';
import { type FullQueue, unknownWaitMs, type WaitLimits } from '../limit.ts';
import type { OwnedLimit } from '../limits.ts';
import { CountedStarts } from './counted-starts.ts';
import { HeldSlots, type SlotOptions } from './held-slots.ts';
import type { Step } from './step.ts';

/** Prefix of the keys of all slots. */
export const slotsPrefix = 'running/';

/** One `rate_limit` of all processes that share the store. */
export class SharedLimit {
  readonly owner: string;
  /** The id of the limit: the same in all processes for the same definition. */
  readonly id: string;
  readonly slots: HeldSlots | undefined;
  readonly #starts: CountedStarts | undefined;
  readonly #waitMs: (waiting: number) => number;

  constructor(state: StateStore, key: string, { owner, declared }: OwnedLimit, options: Omit<SlotOptions, 'count' | 'isFenced'>) {
    const { requests, per_ms: perMs = 0, concurrency, fence: isFenced = false } = declared;
    this.owner = owner;
    this.id = createHash('sha256').update(key).digest('base64url');
    const slotOptions = concurrency === undefined ? undefined : { ...options, count: concurrency, isFenced };
    this.slots = slotOptions && new HeldSlots(state, `${slotsPrefix}${this.id}/`, slotOptions);
    this.#starts = requests === undefined ? undefined : new CountedStarts(state, `starts/${this.id}`, { requests, perMs });
    this.#waitMs = (waiting) => Math.ceil((waiting + 1) / (requests ?? 1)) * perMs;
  }

  get steps(): readonly Step[] {
    return [this.slots, this.#starts].filter((step) => step !== undefined);
  }

  fullQueueFor(tenant: string, { maxWaiting, maxOfTenant }: WaitLimits): FullQueue | undefined {
    if (this.steps.some(({ queue: line }) => line.isFull(maxWaiting))) return { waiting: maxWaiting, scope: 'all' };
    return this.steps.some(({ queue: line }) => line.isFullOf(tenant, maxOfTenant)) ? { waiting: maxOfTenant, scope: 'tenant' } : undefined;
  }

  get waitMs(): number {
    return Math.max(this.#waitMs(this.#starts?.queue.size ?? 0), this.slots === undefined ? 0 : unknownWaitMs);
  }

  get status(): JsonObject | undefined {
    const used = Object.entries({ running: this.slots, starts: this.#starts }).flatMap(([name, step]) =>
      step === undefined || (step.inUse === 0 && step.queue.size === 0)
        ? []
        : [[name, { taken: step.inUse, waiting: step.queue.sizes() }] as const],
    );
    return used.length === 0 ? undefined : Object.fromEntries(used);
  }
}
