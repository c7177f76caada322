import { hash } from 'node:crypto';
import type { CallName } from '../../kernel/index.ts';

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
  open: (caller: string, place = '') => `open/${hashOf(caller)}/${place}`,
  /** Calls that wait, those of each caller together, in the order in which they may run. */
  queue: (caller: string, runAt: number, place: string) => `queue/${hashOf(caller)}/${padded(runAt)}/${place}`,
  /** The places of the calls that a process runs, and of some that it ran: others look here for what one has left behind that died. */
  running: (process: string) => `running/${process}`,
  /** Tells the process that runs a call to end it. */
  cancel: (place: string) => `cancel/${place}`,
} as const;

/** Where a new call is kept. */
export function newPlace(name: CallName, createdAt: number): string {
  return `${padded(latest - createdAt)}-${keys.place(name).slice('id/'.length)}`;
}

export interface QueueKey {
  /** What stands for the caller. */
  readonly line: string;
  readonly runAt: number;
  readonly place: string;
}

/** Undefined for what is no key of the queue. */
export function readQueueKey(key: string): QueueKey | undefined {
  const [, line, runAt, place] = /^queue\/([\da-f]+)\/(\d+)\/(.+)$/.exec(key) ?? [];
  return line === undefined || runAt === undefined || place === undefined ? undefined : { line, runAt: Number(runAt), place };
}

/** Between the last key of a caller in the queue and the first of the next one. */
export function behindLine(line: string): string {
  // The character after the slash.
  return `queue/${line}0`;
}

function hashOf(caller: string): string {
  return hash('sha256', caller, 'hex');
}

function padded(time: number): string {
  return String(time).padStart(digits, '0');
}
