import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, messageOf } from '../../../kernel/index.ts';
import { Chain, type ChainEnd } from '../chain.ts';
import { findChainEnd } from '../chain-ends.ts';
import { DiskAccess } from '../disk-access.ts';
import { tryLock } from '../lock.ts';
import { rotatedFiles } from '../rotated-files.ts';
import { isErrno, trailError } from '../trail-error.ts';
import { TrailFile } from '../trail-file.ts';
import type { LockedFile, TrailLocation } from '../trail-location.ts';
import { beginEntry, rotationEntry } from './index-entries.ts';
import { findForeignName, indexName, newSegmentName, segmentNames } from './segment-names.ts';
import { TrailIndex } from './trail-index.ts';

export interface TrailFolderOptions {
  readonly key?: string;
  readonly logger: Logger;
}

/**
 * A folder that is the whole trail, for any number of processes. Each process writes its own segment: a chain that begins at its entry in the
 * index. A new process continues the segment of an ended one, so that there are never more segments than concurrent processes.
 */
export class TrailFolder implements TrailLocation {
  readonly #folder: string;
  readonly #chain: Chain;
  readonly #index: TrailIndex;
  readonly #logger: Logger;

  constructor(folder: string, { key, logger }: TrailFolderOptions) {
    this.#folder = folder;
    this.#chain = new Chain(key);
    this.#index = new TrailIndex(folder, key, logger);
    this.#logger = logger;
  }

  async lockFile(contender: string, current: LockedFile | undefined): Promise<LockedFile> {
    await this.#prepareFolder();
    if (current !== undefined) {
      // If the folder was removed, a new index must name the segment.
      if ((await this.#index.read()).get(path.basename(current.path)) === undefined)
        await this.#index.enter(beginEntry(path.basename(current.path)));
      return current;
    }
    return (await this.#takeOver(contender)) ?? (await this.#beginSegment(contender));
  }

  async #prepareFolder(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await refuseOtherThanFolder(this.#folder);
  }

  /** Takes over a segment whose process has ended. */
  async #takeOver(contender: string): Promise<LockedFile | undefined> {
    for (const name of await segmentNames(this.#folder)) {
      const lock = await tryLock(path.join(this.#folder, name), contender);
      if (!('release' in lock)) continue;
      const start = await this.#startOf(name);
      if (start !== undefined) return this.#toLockedFile(name, lock, start);
      await lock.release();
    }
    return undefined;
  }

  /** Returns the start of a segment that can be continued. Undefined when it is damaged, or has records and no entry: `audit verify` reports it. */
  async #startOf(name: string): Promise<ChainEnd | undefined> {
    const file = path.join(this.#folder, name);
    try {
      const opened = await TrailFile.open(file, new DiskAccess());
      try {
        const entry = (await this.#index.read()).get(name);
        const isUnwritten = opened.size === 0 && (await rotatedFiles(file)).length === 0;
        // Its process was killed before it wrote the entry.
        if (entry === undefined) return isUnwritten ? await this.#enterSegment(name) : undefined;
        await findChainEnd(opened, { chain: this.#chain, start: entry.start, known: undefined });
        return entry.start;
      } finally {
        await opened.close();
      }
    } catch (error) {
      this.#logger.error(`The audit trail "${file}" is not continued, another segment begins: ${messageOf(error)}`);
      return undefined;
    }
  }

  async #beginSegment(contender: string): Promise<LockedFile> {
    const name = newSegmentName(new Date());
    const file = path.join(this.#folder, name);
    const lock = await tryLock(file, contender);
    if (!('release' in lock)) throw lock;
    try {
      await (await TrailFile.open(file, new DiskAccess())).close();
      return this.#toLockedFile(name, lock, await this.#enterSegment(name));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async #enterSegment(name: string): Promise<ChainEnd> {
    const { hash } = await this.#index.enter(beginEntry(name));
    return { seq: 0, hash };
  }

  #toLockedFile(name: string, lock: LockedFile['lock'], start: ChainEnd): LockedFile {
    return {
      path: path.join(this.#folder, name),
      lock,
      start,
      beforeRotation: async (end) => void (await this.#index.enter(rotationEntry(name, end))),
    };
  }
}

/** Refuses a folder that holds other files: tools have no access to anything in it. */
export async function refuseOtherThanFolder(folder: string): Promise<void> {
  const stats = await lstatIfThere(folder);
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) throw trailError(folder, 'it is a symbolic link', 'Name the folder itself in "path".');
  if (!stats.isDirectory())
    throw trailError(folder, 'it is not a folder', 'Leave out the "/" at the end of "path", or move the file away.');
  const foreign = await findForeignName(folder);
  if (foreign !== undefined && (await lstatIfThere(path.join(folder, indexName))) === undefined)
    throw trailError(
      folder,
      'its folder holds other files',
      `Name a folder of its own in "path": in this one is "${foreign.slice(0, 100)}".`,
    );
}

async function lstatIfThere(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
