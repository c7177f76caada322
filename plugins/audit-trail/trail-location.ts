import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type ChainEnd, chainStart } from './chain.ts';
import { acquireLock, awaitLock, type Lock } from './lock.ts';

/** A file that only this process writes, until its lock is released. */
export interface LockedFile {
  readonly path: string;
  readonly lock: Lock;
  /** The chain end before the first record. */
  readonly start: ChainEnd;
  /** Runs before the file is renamed by a rotation. `end`: its last record. */
  readonly beforeRotation?: (end: ChainEnd) => Promise<void>;
}

/** Finds the file of a writer's chain. */
export interface TrailLocation {
  /** Takes a file, or checks the one taken before. `contender` is the name of the writer. Throws while no file can be taken. */
  lockFile(contender: string, taken: LockedFile | undefined): Promise<LockedFile>;
}

/**
 * Returns a trail in one file, which has one writer at a time. `whenHeld`: `refuse` rejects a second process at once, `wait` waits for a lock
 * that is held for moments only.
 */
export function singleFile(file: string, whenHeld: 'refuse' | 'wait' = 'refuse'): TrailLocation {
  return {
    async lockFile(contender, taken) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      if (taken !== undefined) return taken;
      const lock = await (whenHeld === 'wait' ? awaitLock : acquireLock)(file, contender);
      return { path: file, lock, start: chainStart };
    },
  };
}
