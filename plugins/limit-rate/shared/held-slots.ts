import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Liveness, StateEntry, StateStore } from '../../../kernel/index.ts';
import { enterWithin } from './enter-within.ts';
import { OrphanedSlots } from './orphaned-slots.ts';
import { SharedQueue } from './shared-queue.ts';
import { fencedValue, newSlotValue } from './slot-holder.ts';
import { SlotReturns } from './slot-returns.ts';
import type { Grant, Step, TakeOptions } from './step.ts';

/** Poll interval of waiting calls, in milliseconds: the store does not notify when a holder dies, or when a fenced slot is free. */
const pollIntervalMs = 1000;

/**
 * Time from the question to the store until the start of the call, in milliseconds. Later the slot is checked again: others take a process
 * that they have not seen for eight seconds for dead.
 */
const maxStartMs = 5000;

/** Limit of attempts to take slots back that others change at the same time, and delay after one that failed, in milliseconds. */
const maxRetakes = 50;
const retryDelayMs = 500;

export interface SlotOptions {
  readonly count: number;
  /** True where the slot of a dead process stays taken for as long as its call could run. */
  readonly isFenced: boolean;
  /** This process among those that share the store. */
  readonly member: Liveness;
  /** Delays the end of the process until the work is done, so that slots given back are free for others. */
  readonly hold: (work: Promise<unknown>) => void;
  /** Called when others had slots of running calls, because they took this process for dead. */
  readonly onLost: (count: number) => void;
}

/**
 * The slots of all processes, as keys in the store, numbered from 0. A slot belongs to its process until the call gives it back, or until
 * another process finds its holder dead. No clock decides about it.
 */
export class HeldSlots implements Step {
  readonly queue: SharedQueue;
  readonly #state: StateStore;
  readonly #prefix: string;
  readonly #options: SlotOptions;
  readonly #returns: SlotReturns;
  readonly #orphaned: OrphanedSlots;
  /** Keys of the slots of this process by value, from the first attempt until the store has them back. */
  readonly #held = new Map<string, string>();
  /** Keys of slots that this process has given back: probably still free. */
  readonly #returned: string[] = [];
  #hasChanged = false;
  /** Keys of the slots of calls that have not ended, by value. */
  readonly #running = new Map<string, string>();
  /** Resolves when slots are taken back: a call that ends meanwhile gives its slot back later. */
  #retaken: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `prefix`: of the keys in the store. */
  constructor(state: StateStore, prefix: string, options: SlotOptions) {
    this.queue = new SharedQueue(options.count);
    this.#state = state;
    this.#prefix = prefix;
    this.#options = options;
    this.#returns = new SlotReturns({
      state,
      onReturned: (...returned) => this.#onReturned(...returned),
      onRetried: () => this.onChange(),
    });
    this.#orphaned = new OrphanedSlots({ state, member: options.member, isKnown: (value) => this.#held.has(value) }, pollIntervalMs / 2);
  }

  /** Slots that calls of this process hold. */
  get inUse(): number {
    return this.#running.size;
  }

  /** Called when any process has taken or given back a slot. */
  onChange(): void {
    this.#hasChanged = true;
    this.queue.wake();
  }

  async take({ tenant, timeoutMs, cancelled, beforeWait }: TakeOptions): Promise<Grant> {
    const leaveFront = await this.queue.waitForFront(tenant, cancelled);
    for (;;) {
      this.#hasChanged = false;
      const grant = await this.#takeOne(timeoutMs, cancelled);
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

  /**
   * Takes the slots of running calls back, when others see this process again: these calls come before those that wait. A call of another
   * process that has such a slot meanwhile runs on without one.
   */
  onReturn(): void {
    this.#retaken = this.#retaken.then(() => this.#retake());
    this.#options.hold(this.#retaken);
  }

  /** Ends the attempts to give slots back. Others take them when this process has ended. */
  close(): void {
    this.#isClosed = true;
    this.#returns.close();
  }

  async #takeOne(timeoutMs: number, cancelled: AbortSignal): Promise<Grant | undefined> {
    const { isFenced, member } = this.#options;
    await enterWithin(member, cancelled);
    const value = newSlotValue({ by: member.id, ...(isFenced ? { fenceMs: timeoutMs } : {}) });
    try {
      const returned = this.#returned.pop();
      return (returned && (await this.#replace(returned, undefined, value))) || (await this.#takeAny(value));
    } finally {
      if (!this.#held.has(value)) member.leave();
    }
  }

  async #takeAny(value: string): Promise<Grant | undefined> {
    const { count } = this.#options;
    for (;;) {
      const entries = await this.#list();
      const taken = new Set(entries.map(({ key }) => key));
      if (taken.size >= count) return this.#takeOrphaned(entries, value);
      const grant = await this.#replace(this.#randomFree(taken), undefined, value);
      // Another process was faster.
      if (grant !== undefined) return grant;
    }
  }

  async #takeOrphaned(entries: readonly StateEntry[], value: string): Promise<Grant | undefined> {
    for await (const orphaned of this.#orphaned.in(entries)) {
      const grant = await this.#replace(orphaned.key, orphaned.value, value);
      if (grant !== undefined) return grant;
    }
    return undefined;
  }

  async #replace(key: string, expected: string | undefined, value: string): Promise<Grant | undefined> {
    const askedAt = performance.now();
    this.#held.set(value, key);
    try {
      if (!(await this.#state.compareAndSet(key, expected, value))) {
        this.#held.delete(value);
        return undefined;
      }
    } catch (error) {
      this.#returns.withdraw(key, value);
      throw error;
    }
    this.#running.set(value, key);
    const end = (): void => {
      if (this.#running.delete(value)) this.#options.hold(this.#retaken.then(() => this.#returns.giveBack(key, value)));
    };
    return this.#grant(key, value, end, askedAt);
  }

  #grant(key: string, value: string, end: () => void, askedAt: number): Grant {
    const renew = async (): Promise<Grant | undefined> => {
      const now = performance.now();
      return (await this.#state.compareAndSet(key, value, value)) ? this.#grant(key, value, end, now) : undefined;
    };
    return { until: askedAt + maxStartMs, renew, start: () => {}, end };
  }

  /** Repeated while others change the slots. Running calls of this process that find theirs taken by others are reported once. */
  async #retake(): Promise<void> {
    const lost = new Set<string>();
    for (let attempt = 0; attempt < maxRetakes && !this.#isClosed; attempt++) {
      if (this.#running.size === 0) break;
      try {
        const found = new Map((await this.#list()).map(({ key, value }) => [key, value]));
        const missing = [...this.#running].filter(([value, key]) => found.get(key) !== value);
        if (missing.length === 0) break;
        for (const [value, key] of missing) {
          const current = found.get(key);
          if (current !== undefined && current !== fencedValue(value)) lost.add(value);
          await this.#state.compareAndSet(key, current, value);
        }
      } catch {
        await setTimeout(retryDelayMs, undefined, { ref: false });
      }
    }
    if (lost.size > 0) this.#options.onLost(lost.size);
  }

  #onReturned(value: string, key: string, isFree: boolean): void {
    this.#held.delete(value);
    this.#options.member.leave();
    if (isFree) this.#returned.push(key);
  }

  #list(): Promise<readonly StateEntry[]> {
    return this.#state.list(this.#prefix, { limit: this.#options.count });
  }

  /** Returns the key of a random free slot, because other processes look for one at the same time. */
  #randomFree(taken: ReadonlySet<string>): string {
    const { count } = this.#options;
    let slot = randomInt(count);
    while (taken.has(`${this.#prefix}${slot}`)) slot = (slot + 1) % count;
    return `${this.#prefix}${slot}`;
  }
}
