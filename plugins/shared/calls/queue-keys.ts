import { callerKey, sortableTime } from './call-keys.ts';

/**
 * Prefix of the keys of running calls, followed by the process. Not `running/`, in which earlier versions look for calls of processes that
 * they take for dead: they know no process of this version.
 */
export const runningPrefix = 'claimed/';

/** Prefix of the keys of waiting calls, followed by the hash of the caller. */
export const queuePrefix = 'queue/';

/** Keys of the index entries next to call records. */
export const queueKeys = {
  /** Key of a waiting call. Keys of one caller are adjacent, sorted by the time at which they may run. */
  queue: (caller: string, runAt: number, callKey: string) => `${queuePrefix}${callerKey(caller)}/${sortableTime(runAt)}/${callKey}`,
  /** Key of a running call. Other processes find orphaned calls by it. */
  running: (process: string, callKey: string) => `${runningPrefix}${process}/${callKey}`,
} as const;

export interface QueueKey {
  /** The part of the key that identifies the caller. */
  readonly callerHash: string;
  readonly runAt: number;
  readonly callKey: string;
}

/** Parses a key of the queue. Undefined for any other key. */
export function readQueueKey(key: string): QueueKey | undefined {
  const [, callerHash, runAt, callKey] = /^queue\/([\da-f]+)\/(\d+)\/(.+)$/.exec(key) ?? [];
  return callerHash === undefined || runAt === undefined || callKey === undefined
    ? undefined
    : { callerHash, runAt: Number(runAt), callKey };
}

/** Returns a key that sorts after all keys of a caller and before those of the next one. */
export function keyAfterCaller(callerHash: string): string {
  // `0` is the character after `/`.
  return `queue/${callerHash}0`;
}

export interface RunningKey {
  readonly process: string;
  readonly callKey: string;
}

/** Parses the key of a running call. Undefined for any other key. */
export function readRunningKey(key: string): RunningKey | undefined {
  const [, process, callKey] = /^claimed\/([^/]+)\/(.+)$/.exec(key) ?? [];
  return process === undefined || callKey === undefined ? undefined : { process, callKey };
}
