import { InFlight, type JsonObject, ToolkitError } from '../../../../kernel/index.ts';

/** Limits of one tenant. */
export interface ShareLimits {
  readonly requests: number;
  readonly connections: number;
  readonly subscriptions: number;
}

type Kind = keyof ShareLimits;

const advice: Readonly<Record<Kind, string>> = {
  requests: 'requests of yours run already (maxRequests). Wait until some have ended, or cancel some, and send it again',
  connections: 'connections of yours are open already (maxConnections). Close some, and send it again',
  subscriptions: 'subscriptions of yours are kept already (maxSubscriptions). End some, and subscribe again',
};

const retryAfterMs = 1000;

/** Counts the requests and subscriptions of each tenant, and enforces the limits. */
export class Shares {
  readonly #limits: ShareLimits;
  /** Holds only tenants with something in use. */
  readonly #inUse = new InFlight<string, Record<Kind, number>>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Counts one more. Returns the function that releases it; a second call of that does nothing. Throws RATE_LIMITED above the limit. */
  take(tenant: string, kind: Kind): () => void {
    const most = this.#limits[kind];
    const used = this.#inUse.get(tenant) ?? { requests: 0, connections: 0, subscriptions: 0 };
    if (used[kind] >= most)
      throw new ToolkitError('RATE_LIMITED', `This was refused: ${most} ${advice[kind]}.`, { limit: most, retryAfterMs });
    used[kind]++;
    this.#inUse.set(tenant, used);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      used[kind]--;
      if (used.requests + used.connections + used.subscriptions === 0) this.#inUse.delete(tenant);
    };
  }

  /** Counts by tenant. */
  get status(): JsonObject {
    return Object.fromEntries(this.#inUse.entries().map(([tenant, used]) => [tenant, { ...used }]));
  }
}
