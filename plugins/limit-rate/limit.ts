import Type, { type Static } from 'typebox';
import type { JsonObject } from '../../kernel/index.ts';
import { SlotQueue } from '../shared/fairness/slot-queue.ts';

/** The longest delay of a timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** Limits of how many calls start in a span of time, or run at the same time, for all callers together. */
export const RateLimitSchema = Type.Object(
  {
    /** Limit of calls that start in any span of `per_ms` milliseconds. */
    requests: Type.Optional(Type.Integer({ minimum: 1 })),
    per_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTimerMs })),
    /** Limit of calls that run at the same time. */
    concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
    /**
     * Keeps `concurrency` also where several processes share a store and one is cut off from it: its slots are given to others after
     * `execution.timeout_ms` of their calls, which each tool then needs. The slots of a killed process stay taken as long. Time that a call
     * waits for a thread or a person is not counted. @default false
     */
    fence: Type.Optional(Type.Boolean()),
  },
  {
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    minProperties: 1,
    dependentRequired: { requests: ['per_ms'], per_ms: ['requests'], fence: ['concurrency'] },
  },
);

export type RateLimit = Static<typeof RateLimitSchema>;

export interface WaitLimits {
  readonly maxWaiting: number;
  /** Limit of waiting calls of one tenant. */
  readonly maxOfTenant: number;
}

/** A queue without room for a call. */
export interface FullQueue {
  readonly waiting: number;
  /** The calls that fill it: those of all tenants, or of one. */
  readonly scope: 'all' | 'tenant';
}

/** Wait to suggest when it is unknown when a running call ends, in milliseconds. */
export const unknownWaitMs = 1000;

/**
 * One `rate_limit`. A call needs a permit to run, which it gives back when it ends, and a permit to start, which comes back
 * `per_ms` after the start. So no more than `requests` calls start in any span of `per_ms`, even if a call waits for something
 * else with the permit in hand.
 */
export class Limit {
  /** The owner in words, such as `the tool "shop_get"`. */
  readonly owner: string;
  readonly running: SlotQueue | undefined;
  readonly starts: SlotQueue | undefined;
  readonly perMs: number;
  readonly #requests: number;

  constructor(owner: string, { requests, per_ms: perMs, concurrency }: RateLimit) {
    this.owner = owner;
    this.running = concurrency === undefined ? undefined : new SlotQueue({ slots: concurrency });
    this.starts = requests === undefined ? undefined : new SlotQueue({ slots: requests });
    this.perMs = perMs ?? 0;
    this.#requests = requests ?? 1;
  }

  /**
   * Returns the full queue, where too many calls wait already: as many as may wait at all, or as many as may wait of this
   * tenant. Undefined where there is room.
   */
  fullQueueFor(tenant: string, { maxWaiting, maxOfTenant }: WaitLimits): FullQueue | undefined {
    const queues = [this.running, this.starts].filter((permits) => permits !== undefined).filter((permits) => !permits.hasSlotFor(tenant));
    if (queues.some(({ waiting }) => waiting >= maxWaiting)) return { waiting: maxWaiting, scope: 'all' };
    return queues.some((queue) => queue.shareOf(tenant).waiting >= maxOfTenant) ? { waiting: maxOfTenant, scope: 'tenant' } : undefined;
  }

  /** Time until the waiting calls have started, in milliseconds, if only the rate delays them. */
  get waitMs(): number {
    const spans = Math.ceil(((this.starts?.waiting ?? 0) + 1) / this.#requests);
    return Math.max(spans * this.perMs, this.running === undefined ? 0 : unknownWaitMs);
  }

  /** The permits in use; undefined where none is. */
  get status(): JsonObject | undefined {
    const permitsByName = { running: this.running, starts: this.starts };
    const used = Object.entries(permitsByName).flatMap(([name, permits]) =>
      permits === undefined || permits.held === 0 ? [] : [[name, { taken: permits.held, waiting: permits.waitingByTenant }] as const],
    );
    return used.length === 0 ? undefined : Object.fromEntries(used);
  }
}
