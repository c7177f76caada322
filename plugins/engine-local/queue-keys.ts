import { callerKey, sortableTime } from '../shared/calls/call-keys.ts';

/** Calls that run, by process. */
export const runningPrefix = 'running/';

/** Keys of what is stored of calls beside their records. */
export const queueKeys = {
  /** Calls that wait, those of each caller together, in the order in which they may run. */
  queue: (caller: string, runAt: number, place: string) => `queue/${callerKey(caller)}/${sortableTime(runAt)}/${place}`,
  /** A call that a process runs: others look here for what one has left behind that died. */
  running: (process: string, place: string) => `${runningPrefix}${process}/${place}`,
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

export interface RunningKey {
  readonly process: string;
  readonly place: string;
}

/** Undefined for what is no key of a call that runs. */
export function readRunningKey(key: string): RunningKey | undefined {
  const [, process, place] = /^running\/([^/]+)\/(.+)$/.exec(key) ?? [];
  return process === undefined || place === undefined ? undefined : { process, place };
}
