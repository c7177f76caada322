import { hash } from 'node:crypto';
import type { CallName } from '../../../kernel/index.ts';

/** Digits of a time in epoch ms. */
const digits = 15;
const latest = 10 ** digits - 1;

/** Prefix of the keys of unfinished calls, of all callers. */
export const openPrefix = 'open/';

/** Keys of stored call data. A call key sorts its newest calls first. */
export const keys = {
  /** Key of a call's name. Its value is the call key. */
  name: ({ caller, id }: CallName) => `id/${hash('sha256', JSON.stringify([caller, id]), 'hex')}`,
  call: (place: string) => `call/${place}`,
  /** Key of a result that is too large for the record. */
  result: (place: string, attempt: number) => `result/${place}/${attempt}`,
  /** Key prefix of a caller's unfinished calls. */
  open: (caller: string, place = '') => `${openPrefix}${callerKey(caller)}/${place}`,
  /** Key of a call that was moved here, so that it is moved once, even when it has ended and expired since. */
  moved: (callKey: string) => `moved/${callKey}`,
  /** Key whose change tells the running process to stop the call. */
  cancel: (place: string) => `cancel/${place}`,
} as const;

/** Returns the call key of a new call. */
export function newCallKey(name: CallName, createdAt: number): string {
  return `${sortableTime(latest - createdAt)}-${keys.name(name).slice('id/'.length)}`;
}

/** Formats a time in epoch ms so that text order is time order. */
export function sortableTime(time: number): string {
  return String(time).padStart(digits, '0');
}

/** Returns the hash that stands for a caller in keys. */
export function callerKey(caller: string): string {
  return hash('sha256', caller, 'hex');
}
