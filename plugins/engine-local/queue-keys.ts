import { callerKey, sortableTime } from '../shared/calls/call-keys.ts';

/** Prefix of the keys of running calls, followed by the process. */
export const runningPrefix = 'running/';

/** Keys of the index entries next to call records. */
export const queueKeys = {
  /** Key of a waiting call. Keys of one caller are adjacent, sorted by the time at which they may run. */
  queue: (caller: string, runAt: number, place: string) => `queue/${callerKey(caller)}/${sortableTime(runAt)}/${place}`,
  /** Key of a running call. Other processes find orphaned calls by it. */
  running: (process: string, place: string) => `${runningPrefix}${process}/${place}`,
} as const;

export interface QueueKey {
  /** The part of the key that identifies the caller. */
  readonly line: string;
  readonly runAt: number;
  readonly place: string;
}

/** Parses a key of the queue. Undefined for any other key. */
export function readQueueKey(key: string): QueueKey | undefined {
  const [, line, runAt, place] = /^queue\/([\da-f]+)\/(\d+)\/(.+)$/.exec(key) ?? [];
  return line === undefined || runAt === undefined || place === undefined ? undefined : { line, runAt: Number(runAt), place };
}

/** Returns a key that sorts after all keys of a caller and before those of the next one. */
export function behindLine(line: string): string {
  // `0` is the character after `/`.
  return `queue/${line}0`;
}

export interface RunningKey {
  readonly process: string;
  readonly place: string;
}

/** Parses the key of a running call. Undefined for any other key. */
export function readRunningKey(key: string): RunningKey | undefined {
  const [, process, place] = /^running\/([^/]+)\/(.+)$/.exec(key) ?? [];
  return process === undefined || place === undefined ? undefined : { process, place };
}
