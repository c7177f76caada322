import { randomInt, randomUUID } from 'node:crypto';
import type PQueue from 'p-queue';
import type { StateStore } from '../../../kernel/index.ts';
import { SharedLine } from './shared-line.ts';
import type { Asking, Held, Step } from './step.ts';

/** Duration of a lease, in milliseconds: the slot of a killed process is free again after it. */
const leaseMs = 3000;
const renewMs = 1000;

/** Poll interval of waiting calls, in milliseconds: the store does not notify when a lease expires. */
const lookMs = 500;

export interface PlacesOptions {
  readonly count: number;
  /** Delays the end of the process until the work is done, so that slots given back are free for others. */
  readonly hold: (work: Promise<unknown>) => void;
  /** Called when a process stood still for longer than a lease and lost its slot. The call runs on. */
  readonly onLost: () => void;
}

/** The slots of all processes, as keys in the store, numbered from 0. A call leases one and renews it while it runs. */
export class LeasedPlaces implements Step {
  readonly line: SharedLine;
  readonly #state: StateStore;
  readonly #prefix: string;
  readonly #options: PlacesOptions;
  /** Slots that this process has given back: probably still free. */
  readonly #left: number[] = [];
  #hasChanged = false;
  #taken = 0;

  /** `prefix`: of the keys in the store. */
  constructor(Queue: typeof PQueue, state: StateStore, prefix: string, options: PlacesOptions) {
    this.line = new SharedLine(Queue, options.count);
    this.#state = state;
    this.#prefix = prefix;
    this.#options = options;
  }

  /** Slots that calls of this process hold. */
  get taken(): number {
    return this.#taken;
  }

  /** Called when any process has taken, renewed or given back a slot. */
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
      // A change since the last check is not notified again.
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
      // Another process was faster.
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
      // While the store cannot be reached, no other process can take the slot.
    }
  }

  async #giveBack(place: number, key: string, lease: string): Promise<void> {
    // Where this fails, the lease expires by itself.
    const was = await this.#state.compareAndSet(key, lease, undefined).catch(() => false);
    if (was) this.#left.push(place);
  }
}

/** Returns a random free slot, because other processes look for one at the same time. */
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
