import type { Liveness, StateEntry, StateStore } from '../../../kernel/index.ts';
import { fencedValue, holderOf } from './slot-holder.ts';

export interface OrphanedSlotsOptions {
  readonly state: StateStore;
  readonly member: Liveness;
  /** Returns true for the value of a slot that a call of this process has, takes or gives back. */
  readonly isKnown: (value: string) => boolean;
}

/** Finds slots whose holders are dead, no more often than once per interval. */
export class OrphanedSlots {
  readonly #options: OrphanedSlotsOptions;
  readonly #intervalMs: number;
  #searchedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OrphanedSlotsOptions, intervalMs: number) {
    this.#options = options;
    this.#intervalMs = intervalMs;
  }

  /** Returns the slots that may be taken now. Fences the slots whose calls may still run. Rejects when the store cannot be reached. */
  async *in(entries: readonly StateEntry[]): AsyncGenerator<StateEntry> {
    if (performance.now() - this.#searchedAt < this.#intervalMs) return;
    this.#searchedAt = performance.now();
    const { state, member, isKnown } = this.#options;
    for (const entry of entries) {
      const { key, value } = entry;
      const holder = holderOf(value);
      if (holder === undefined) continue;
      // Of a statement that got no answer, and has run after the slot was withdrawn: its call did not start.
      if (holder.by === member.id && !isKnown(value)) yield entry;
      if (holder.by === member.id || !(await member.isDead(holder.by))) continue;
      if (holder.fenceMs === undefined) yield entry;
      // The store counts the time: no clock of this machine decides.
      else await state.compareAndSet(key, value, fencedValue(value), { ttlMs: holder.fenceMs });
    }
  }
}
