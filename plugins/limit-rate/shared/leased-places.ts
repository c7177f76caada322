import { randomInt, randomUUID } from 'node:crypto';
import type PQueue from 'p-queue';
import type { StateStore } from '../../../kernel/index.ts';
import { SharedLine } from './shared-line.ts';
import type { Asking, Held, Step } from './step.ts';

/** So long after its process was killed a place is there again, in milliseconds. */
const leaseMs = 3000;
const renewMs = 1000;

/** The store does not tell that a lease is over: who waits looks again after so many milliseconds. */
const lookMs = 500;

export interface PlacesOptions {
  readonly count: number;
  /** Waits with the end of the process until what is given back is there for others. */
  readonly hold: (work: Promise<unknown>) => void;
  /** A process that stood still for longer than a lease has lost its place, and the call runs on. */
  readonly onLost: () => void;
}

/** The places of all processes, as keys in the store, from 0: each is leased by one call, and renewed while it runs. */
export class LeasedPlaces implements Step {
  readonly line: SharedLine;
  readonly #state: StateStore;
  readonly #prefix: string;
  readonly #options: PlacesOptions;
  /** Given back by this process: probably still free. */
  readonly #left: number[] = [];
  #hasChanged = false;
  #taken = 0;

  /** `prefix` of the keys. */
  constructor(Queue: typeof PQueue, state: StateStore, prefix: string, options: PlacesOptions) {
    this.line = new SharedLine(Queue, options.count);
    this.#state = state;
    this.#prefix = prefix;
    this.#options = options;
  }

  /** By calls of this process. */
  get taken(): number {
    return this.#taken;
  }

  /** A place was taken, renewed or given back, by whichever process. */
  changed(): void {
    this.#hasChanged = true;
    this.line.wake();
  }

  async take({ tenant, leaving, beforeWait }: Asking): Promise<Held> {
    const endTurn = await this.line.turn(tenant, leaving);
    for (;;) {
      this.#hasChanged = false;
      const held = await this.#lease();
      if (held !== undefined) {
        if (leaving.aborted) held.end();
        leaving.throwIfAborted();
        this.line.moved();
        endTurn();
        return held;
      }
      beforeWait();
      // What has changed since it looked is not told again.
      if (!this.#hasChanged) await this.line.wait(lookMs, leaving);
      leaving.throwIfAborted();
    }
  }

  async #lease(): Promise<Held | undefined> {
    const { count } = this.#options;
    const left = this.#left.pop();
    const held = left === undefined ? undefined : await this.#leaseOne(left);
    if (held !== undefined) return held;
    for (;;) {
      const entries = await this.#state.list(this.#prefix, { limit: count });
      const taken = new Set(entries.map(({ key }) => Number(key.slice(this.#prefix.length))));
      if (taken.size >= count) return undefined;
      const free = await this.#leaseOne(freeOne(count, taken));
      // Somebody else was faster.
      if (free !== undefined) return free;
    }
  }

  async #leaseOne(place: number): Promise<Held | undefined> {
    const key = `${this.#prefix}${place}`;
    const lease = randomUUID();
    if (!(await this.#state.compareAndSet(key, undefined, lease, { ttlMs: leaseMs }))) return undefined;
    this.#taken++;
    const renewing = setInterval(() => void this.#renew(key, lease, renewing), renewMs).unref();
    const end = (): void => {
      clearInterval(renewing);
      this.#taken--;
      this.#options.hold(this.#giveBack(place, key, lease));
    };
    return { until: Number.POSITIVE_INFINITY, again: async () => undefined, start: () => {}, end: once(end) };
  }

  async #renew(key: string, lease: string, renewing: NodeJS.Timeout): Promise<void> {
    try {
      if (await this.#state.compareAndSet(key, lease, lease, { ttlMs: leaseMs })) return;
      clearInterval(renewing);
      this.#options.onLost();
    } catch {
      // While the store cannot be reached nobody can take it.
    }
  }

  async #giveBack(place: number, key: string, lease: string): Promise<void> {
    // Where this fails, the lease ends by itself.
    const was = await this.#state.compareAndSet(key, lease, undefined).catch(() => false);
    if (was) this.#left.push(place);
  }
}

/** Any of those that are free: others look for one at the same time. */
function freeOne(count: number, taken: ReadonlySet<number>): number {
  let place = randomInt(count);
  while (taken.has(place)) place = (place + 1) % count;
  return place;
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
