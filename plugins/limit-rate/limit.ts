import type PQueue from 'p-queue';
import Type, { type Static } from 'typebox';
import type { JsonObject } from '../../kernel/index.ts';
import { Permits } from './permits.ts';

/** The longest time that a timer can wait, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** How many calls may start in a span of time, or run side by side: those of all callers together. */
export const RateLimitSchema = Type.Object(
  {
    /** Calls that may start in any span of `per_ms` milliseconds. */
    requests: Type.Optional(Type.Integer({ minimum: 1 })),
    per_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTimerMs })),
    /** Calls that may run at the same time. */
    concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  {
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    minProperties: 1,
    dependentRequired: { requests: ['per_ms'], per_ms: ['requests'] },
  },
);

export type RateLimit = Static<typeof RateLimitSchema>;

export interface WaitLimits {
  readonly maxWaiting: number;
  /** Of one tenant. */
  readonly maxOfTenant: number;
}

/** A line in which there is no place. */
export interface FullLine {
  readonly waiting: number;
  /** Whose calls these are. */
  readonly of: 'all' | 'tenant';
}

/** How long to wait where nobody knows when a running call ends, in milliseconds. */
export const unknownWaitMs = 1000;

/**
 * One `rate_limit`. A call needs a permit for running at the same time as others, which it gives back when it ends, and one for its
 * start, which comes back `per_ms` after that start. So in no span of `per_ms` do more than `requests` calls start, however long they
 * waited for something else with the permit in hand.
 */
export class Limit {
  /** Such as `the tool "shop_get"`. */
  readonly owner: string;
  readonly running: Permits | undefined;
  readonly starts: Permits | undefined;
  readonly perMs: number;
  readonly #requests: number;

  constructor(Queue: typeof PQueue, owner: string, { requests, per_ms: perMs, concurrency }: RateLimit) {
    this.owner = owner;
    this.running = concurrency === undefined ? undefined : new Permits(Queue, concurrency);
    this.starts = requests === undefined ? undefined : new Permits(Queue, requests);
    this.perMs = perMs ?? 0;
    this.#requests = requests ?? 1;
  }

  /** How many calls wait before whoever comes now, where that is too many: as many as may wait at all, or all that may of its tenant. */
  fullFor(tenant: string, { maxWaiting, maxOfTenant }: WaitLimits): FullLine | undefined {
    const lines = [this.running, this.starts].filter((permits) => permits !== undefined && !permits.isFree).map((permits) => permits?.line);
    if (lines.some((line) => (line?.size ?? 0) >= maxWaiting)) return { waiting: maxWaiting, of: 'all' };
    return lines.some((line) => (line?.sizeOf(tenant) ?? 0) >= maxOfTenant) ? { waiting: maxOfTenant, of: 'tenant' } : undefined;
  }

  /** In which time those who wait will have started, in milliseconds, if the rate alone holds them. */
  get waitMs(): number {
    const spans = Math.ceil(((this.starts?.line.size ?? 0) + 1) / this.#requests);
    return Math.max(spans * this.perMs, this.running === undefined ? 0 : unknownWaitMs);
  }

  /** How much of it is in use; undefined where nothing is. */
  get status(): JsonObject | undefined {
    const lines = { running: this.running, starts: this.starts };
    const used = Object.entries(lines).flatMap(([name, permits]) =>
      permits === undefined || permits.taken === 0 ? [] : [[name, { taken: permits.taken, waiting: permits.line.sizes() }] as const],
    );
    return used.length === 0 ? undefined : Object.fromEntries(used);
  }
}
