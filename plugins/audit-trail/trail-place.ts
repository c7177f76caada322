import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type ChainEnd, chainStart } from './chain.ts';
import { acquireLock, awaitLock, type Lock } from './lock.ts';

/** A file that this process alone writes, until its lock is released. */
export interface TakenFile {
  readonly path: string;
  readonly lock: Lock;
  /** Stands before the first record. */
  readonly start: ChainEnd;
  /** Runs before the file gets a number, and another one its name. `end`: its last record. */
  readonly beforeRotation?: (end: ChainEnd) => Promise<void>;
}

/** Finds the file of a writer's chain. */
export interface TrailPlace {
  /** Takes it, or makes sure of the one that is taken already. `contender` is the name of the writer. Throws while none can be taken. */
  take(contender: string, taken: TakenFile | undefined): Promise<TakenFile>;
}

/**
 * A file that is the whole trail, and has one writer at a time. `whenHeld`: a second process is refused at once, or waits because the first
 * has it for a moment.
 */
export function singleFile(file: string, whenHeld: 'refuse' | 'wait' = 'refuse'): TrailPlace {
  return {
    async take(contender, taken) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      if (taken !== undefined) return taken;
      const lock = await (whenHeld === 'wait' ? awaitLock : acquireLock)(file, contender);
      return { path: file, lock, start: chainStart };
    },
  };
}
