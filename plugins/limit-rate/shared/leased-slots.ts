import { randomInt, randomUUID } from 'node:crypto';
import type { StateStore } from '../../../kernel/index.ts';
import { SharedQueue } from './shared-queue.ts';
import type { Grant, Step, TakeOptions } from './step.ts';

/** Duration of a lease, in milliseconds: the slot of a killed process is free again after it. */
const leaseMs = 3000;
const renewIntervalMs = 1000;

/** Poll interval of waiting calls, in milliseconds: the store does not notify when a lease expires. */
const pollIntervalMs = 500;

export interface SlotOptions {
  readonly count: number;
  /** Delays the end of the process until the work is done, so that slots given back are free for others. */
  readonly hold: (work: Promise<unknown>) => void;
  /** Called when a process stood still for longer than a lease and lost its slot. The call runs on. */
  readonly onLost: () => void;
}

/** The slots of all processes, as keys in the store, numbered from 0. A call leases one and renews it while it runs. */
export class LeasedSlots implements Step {
  readonly queue: SharedQueue;
  readonly #state: StateStore;
  readonly #prefix: string;
  readonly #options: SlotOptions;
  /** Slots that this process has given back: probably still free. */
  readonly #returned: number[] = [];
  #hasChanged = false;
  #inUse = 0;

  /** `prefix`: of the keys in the store. */
  constructor(state: StateStore, prefix: string, options: SlotOptions) {
    this.queue = new SharedQueue(options.count);
    this.#state = state;
    this.#prefix = prefix;
    this.#options = options;
  }

  /** Slots that calls of this process hold. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Called when any process has taken, renewed or given back a slot. */
  onChange(): void {
    this.#hasChanged = true;
    this.queue.wake();
  }

  async take({ tenant, cancelled, beforeWait }: TakeOptions): Promise<Grant> {
    const leaveFront = await this.queue.waitForFront(tenant, cancelled);
    for (;;) {
      this.#hasChanged = false;
      const grant = await this.#lease();
      if (grant !== undefined) {
        if (cancelled.aborted) grant.end();
        cancelled.throwIfAborted();
        this.queue.onGranted();
        leaveFront();
        return grant;
      }
      beforeWait();
      // A change since the last check is not notified again.
      if (!this.#hasChanged) await this.queue.wait(pollIntervalMs, cancelled);
      cancelled.throwIfAborted();
    }
  }

  async #lease(): Promise<Grant | undefined> {
    const { count } = this.#options;
    const returned = this.#returned.pop();
    const grant = returned === undefined ? undefined : await this.#leaseOne(returned);
    if (grant !== undefined) return grant;
    for (;;) {
      const entries = await this.#state.list(this.#prefix, { limit: count });
      const taken = new Set(entries.map(({ key }) => Number(key.slice(this.#prefix.length))));
      if (taken.size >= count) return undefined;
      const free = await this.#leaseOne(randomFreeSlot(count, taken));
      // Another process was faster.
      if (free !== undefined) return free;
    }
  }

  async #leaseOne(slot: number): Promise<Grant | undefined> {
    const key = `${this.#prefix}${slot}`;
    const lease = randomUUID();
    if (!(await this.#state.compareAndSet(key, undefined, lease, { ttlMs: leaseMs }))) return undefined;
    this.#inUse++;
    const renewing = setInterval(() => void this.#renew(key, lease, renewing), renewIntervalMs).unref();
    const end = (): void => {
      clearInterval(renewing);
      this.#inUse--;
      this.#options.hold(this.#giveBack(slot, key, lease));
    };
    return { until: Number.POSITIVE_INFINITY, renew: async () => undefined, start: () => {}, end: once(end) };
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

  async #giveBack(slot: number, key: string, lease: string): Promise<void> {
    // Where this fails, the lease expires by itself.
    const isReleased = await this.#state.compareAndSet(key, lease, undefined).catch(() => false);
    if (isReleased) this.#returned.push(slot);
  }
}

/** Returns a random free slot, because other processes look for one at the same time. */
function randomFreeSlot(count: number, taken: ReadonlySet<number>): number {
  let slot = randomInt(count);
  while (taken.has(slot)) slot = (slot + 1) % count;
  return slot;
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
