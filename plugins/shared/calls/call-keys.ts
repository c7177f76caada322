import { hash } from 'node:crypto';
import type { CallName } from '../../../kernel/index.ts';

/** Digits of a time in epoch ms. */
const digits = 15;
const latest = 10 ** digits - 1;

/** Keys of what is stored of calls. `place` is that of a call: its newest come first in the order of keys. */
export const keys = {
  /** By its name, the place of a call. */
  place: ({ caller, id }: CallName) => `id/${hash('sha256', JSON.stringify([caller, id]), 'hex')}`,
  call: (place: string) => `call/${place}`,
  /** Where it is too large for the record. */
  result: (place: string, attempt: number) => `result/${place}/${attempt}`,
  /** Calls of one caller that have not ended. */
  open: (caller: string, place = '') => `open/${callerKey(caller)}/${place}`,
  /** Tells the process that runs a call to end it. */
  cancel: (place: string) => `cancel/${place}`,
} as const;

/** Where a new call is kept. */
export function newPlace(name: CallName, createdAt: number): string {
  return `${sortableTime(latest - createdAt)}-${keys.place(name).slice('id/'.length)}`;
}

/** A time in epoch ms whose order as a text is that of times. */
export function sortableTime(time: number): string {
  return String(time).padStart(digits, '0');
}

/** What stands for a caller in keys. */
export function callerKey(caller: string): string {
  return hash('sha256', caller, 'hex');
}
