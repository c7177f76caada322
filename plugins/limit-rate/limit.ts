import type PQueue from 'p-queue';
import Type, { type Static } from 'typebox';
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

/** How long to wait where nobody knows when a running call ends, in milliseconds. */
const unknownWaitMs = 1000;

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

  /** True when whoever comes now must wait, and `maxWaiting` wait already. */
  isFull(maxWaiting: number): boolean {
    return [this.running, this.starts].some((permits) => permits !== undefined && !permits.isFree && permits.waiting >= maxWaiting);
  }

  /** In which time those who wait will have started, in milliseconds, if the rate alone holds them. */
  get waitMs(): number {
    const spans = Math.ceil(((this.starts?.waiting ?? 0) + 1) / this.#requests);
    return Math.max(spans * this.perMs, this.running === undefined ? 0 : unknownWaitMs);
  }
}
