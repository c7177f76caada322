import { closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { GitExclusions } from './git-exclusions.ts';
import { below, inPathOrder } from './path-order.ts';
import { isRealPath, isStillAt, movedError } from './path-race.ts';

/**
 * Access to one folder by the names of its entries, protected against swapped paths. Valid until the next folder is entered.
 * Its methods throw what `node:fs` throws.
 */
export interface EnteredFolder {
  /** Returns the entries in the order of whole paths, without git's own files. */
  list(leftOut: GitExclusions | undefined): readonly Dirent[];
  /** Returns the facts of an entry; those of the link itself for a link. */
  stat(name: string): Stats;
  /** Returns the text of a link. */
  target(name: string): string;
  /** Opens an entry for reading, unless it is a link. Does not wait for the writer of a pipe. */
  open(name: string): number;
}

/** Enters a folder by its absolute path. Throws what `node:fs` throws, and where the path goes through a link. */
export type EnterFolder = (folder: string) => EnteredFolder;

/**
 * Runs synchronous work that enters one folder after the other. The main thread changes its working directory: one check then
 * holds for all entries, even when the path is swapped later, and names resolve faster than paths. A worker thread cannot
 * change the directory; it checks each entry by its path.
 */
export function withEnterFolder<T>(work: (enter: EnterFolder) => T): T {
  if (!isMainThread) return work(enterByPath);
  const before = process.cwd();
  try {
    return work(enterByChangingDirectory);
  } finally {
    process.chdir(before);
  }
}

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const enterByChangingDirectory: EnterFolder = (folder) => {
  process.chdir(folder);
  if (process.cwd() !== folder) throw movedError(folder);
  return {
    list: (leftOut) => entriesIn('.', folder, leftOut),
    stat: (name) => lstatSync(name),
    target: (name) => readlinkSync(name),
    open: (name) => openSync(name, readFlags),
  };
};

const enterByPath: EnterFolder = (folder) => {
  const checked = <T>(found: T): T => {
    if (!isRealPath(folder)) throw movedError(folder);
    return found;
  };
  return {
    list: (leftOut) => checked(entriesIn(folder, folder, leftOut)),
    stat: (name) => checked(lstatSync(below(folder, name))),
    target: (name) => checked(readlinkSync(below(folder, name))),
    open: (name) => {
      const path = below(folder, name);
      const descriptor = openSync(path, readFlags);
      if (isStillAt(descriptor, path)) return descriptor;
      closeSync(descriptor);
      throw movedError(path);
    },
  };
};

function entriesIn(path: string, folder: string, leftOut: GitExclusions | undefined): readonly Dirent[] {
  const entries = readdirSync(path, { withFileTypes: true });
  return inPathOrder(leftOut === undefined ? entries : leftOut.filter(folder, entries, ({ name }) => name));
}
