import { createHash } from 'node:crypto';
import type PQueue from 'p-queue';
import type { JsonObject, StateStore } from '../../../kernel/index.ts';
import { type FullLine, unknownWaitMs, type WaitLimits } from '../limit.ts';
import type { OwnedLimit } from '../limits.ts';
import { CountedStarts } from './counted-starts.ts';
import { LeasedPlaces, type PlacesOptions } from './leased-places.ts';
import type { Step } from './step.ts';

/** Prefix of the keys of all slots. */
export const placesPrefix = 'running/';

/** One `rate_limit` of all processes that share the store. */
export class SharedLimit {
  readonly owner: string;
  /** The id of the limit: the same in all processes for the same definition. */
  readonly id: string;
  readonly places: LeasedPlaces | undefined;
  readonly #starts: CountedStarts | undefined;
  readonly #waitMs: (waiting: number) => number;

  constructor(
    Queue: typeof PQueue,
    state: StateStore,
    key: string,
    { owner, written }: OwnedLimit,
    options: Pick<PlacesOptions, 'hold' | 'onLost'>,
  ) {
    const { requests, per_ms: perMs = 0, concurrency } = written;
    this.owner = owner;
    this.id = createHash('sha256').update(key).digest('base64url');
    const places = concurrency === undefined ? undefined : { ...options, count: concurrency };
    this.places = places && new LeasedPlaces(Queue, state, `${placesPrefix}${this.id}/`, places);
    this.#starts = requests === undefined ? undefined : new CountedStarts(Queue, state, `starts/${this.id}`, { requests, perMs });
    this.#waitMs = (waiting) => Math.ceil((waiting + 1) / (requests ?? 1)) * perMs;
  }

  get steps(): readonly Step[] {
    return [this.places, this.#starts].filter((step) => step !== undefined);
  }

  fullFor(tenant: string, { maxWaiting, maxOfTenant }: WaitLimits): FullLine | undefined {
    if (this.steps.some(({ line }) => line.isFull(maxWaiting))) return { waiting: maxWaiting, of: 'all' };
    return this.steps.some(({ line }) => line.isFullOf(tenant, maxOfTenant)) ? { waiting: maxOfTenant, of: 'tenant' } : undefined;
  }

  get waitMs(): number {
    return Math.max(this.#waitMs(this.#starts?.line.size ?? 0), this.places === undefined ? 0 : unknownWaitMs);
  }

  get status(): JsonObject | undefined {
    const used = Object.entries({ running: this.places, starts: this.#starts }).flatMap(([name, step]) =>
      step === undefined || (step.taken === 0 && step.line.size === 0)
        ? []
        : [[name, { taken: step.taken, waiting: step.line.sizes() }] as const],
    );
    return used.length === 0 ? undefined : Object.fromEntries(used);
  }
}
