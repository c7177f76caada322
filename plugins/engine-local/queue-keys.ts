import { callerKey, sortableTime } from '../shared/calls/call-keys.ts';

/** Keys of what is stored of calls beside their records. */
export const queueKeys = {
  /** Calls that wait, those of each caller together, in the order in which they may run. */
  queue: (caller: string, runAt: number, place: string) => `queue/${callerKey(caller)}/${sortableTime(runAt)}/${place}`,
  /** The places of the calls that a process runs, and of some that it ran: others look here for what one has left behind that died. */
  running: (process: string) => `running/${process}`,
} as const;

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
