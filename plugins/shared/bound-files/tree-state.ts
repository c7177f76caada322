import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import nodePath from 'node:path';
import type { ControlFiles } from '../../../kernel/index.ts';
import type { ReadBudget } from './read-budget.ts';

interface TreeOptions {
  readonly controlFiles: ControlFiles;
  readonly signal: AbortSignal;
  readonly budget: ReadBudget;
}

export interface TreeState {
  /** Number of files, folders and links read. */
  readonly entries: number;
  /** Total size of all files read. */
  readonly bytes: number;
  /** Digest of path, kind, size, inode and times of each entry (sha256, hex). */
  readonly state: string;
  /** False when the budget did not cover everything. */
  readonly isWhole: boolean;
}

/** Entries of one folder that are read in parallel. */
const lanes = 32;

/** Reads the state of everything in a folder, level by level, names sorted, without control files. Does not follow links. */
export async function treeState(folder: string, { controlFiles, signal, budget }: TreeOptions): Promise<TreeState> {
  const hash = createHash('sha256');
  let [entries, bytes, isWhole] = [0, 0, true];
  let level = [''];
  while (level.length > 0 && isWhole) {
    const below: string[] = [];
    for (const inside of level) {
      const names = (await namesIn(nodePath.join(folder, inside))).filter(
        (name) => controlFiles.find(nodePath.join(folder, inside, name), 'write') === undefined,
      );
      for (let index = 0; index < names.length && isWhole; index += lanes) {
        signal.throwIfAborted();
        const some = names.slice(index, index + Math.min(lanes, Math.max(budget.entries, 0)));
        isWhole = some.length === Math.min(lanes, names.length - index);
        budget.entries -= some.length;
        for (const [path, stats] of await Promise.all(some.map((name) => seen(folder, nodePath.join(inside, name))))) {
          entries += 1;
          if (stats?.isFile()) bytes += Number(stats.size);
          if (stats?.isDirectory()) below.push(path);
          hash.update(`${JSON.stringify(path)} ${factsOf(stats)}\n`);
        }
      }
    }
    level = below;
  }
  return { entries, bytes, state: hash.digest('hex'), isWhole };
}

async function seen(folder: string, path: string): Promise<readonly [string, BigIntStats | undefined]> {
  return [path, await lstat(nodePath.join(folder, path), { bigint: true }).catch(() => undefined)];
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** Formats an entry's metadata. A folder's times do not count: its entries show what changed. */
function factsOf(stats: BigIntStats | undefined): string {
  if (stats === undefined) return 'gone';
  const { mode, dev, ino, size, mtimeNs, ctimeNs } = stats;
  return stats.isDirectory() ? `folder ${dev} ${ino}` : [mode, dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
