import { randomUUID } from 'node:crypto';
import { isPlainObject } from '../../../kernel/index.ts';

/** The holder of a slot, as it is stored. */
export interface SlotHolder {
  /** The member of the store (`Liveness.id`) whose call has the slot. */
  readonly by: string;
  /** Time for which the slot stays taken once the holder is found dead, in milliseconds. @default none */
  readonly fenceMs?: number;
}

/** Returns the value of a slot for one call. No other call has the same. */
export function newSlotValue(holder: SlotHolder): string {
  return JSON.stringify({ ...holder, id: randomUUID() });
}

/** Returns the value of a slot whose holder is dead, while its call may still run. */
export function fencedValue(value: string): string {
  return `fenced ${value}`;
}

/** Returns the holder; undefined for a fenced slot, and for one of an earlier version. Both expire. */
export function holderOf(value: string): SlotHolder | undefined {
  if (!value.startsWith('{')) return undefined;
  // Own text: a record of the store.
  const holder: unknown = JSON.parse(value);
  if (!isPlainObject(holder) || typeof holder['by'] !== 'string') return undefined;
  return { by: holder['by'], ...(typeof holder['fenceMs'] === 'number' ? { fenceMs: holder['fenceMs'] } : {}) };
}
