import type { Dirent } from 'node:fs';
import type { Unreadable } from '../../../../plugins/shared/walks/unreadable.ts';
import { type EnterFolder, withEnterFolder } from './entered-folder.ts';
import type { GitExclusions } from './git-exclusions.ts';
import { below } from './path-order.ts';

/** Folder that a walk has listed. */
export interface WalkedFolder {
  /** Absolute path. */
  readonly path: string;
  /** Prefix for names of entries: the path relative to the top of the walk, with `/` after each name; empty for the top. */
  readonly prefix: string;
}

interface WalkOptions {
  /** Path of the walked folder relative to the top, with `/` after each name. @default the folder is the top */
  readonly prefix?: string;
  /** Filter for git's own files; undefined includes them. */
  readonly leftOut: GitExclusions | undefined;
  /** Collects folders that could not be listed or have become links. */
  readonly unreadable: Unreadable;
  /** Returns true for a folder to walk, by its relative path without a slash at the end. @default every folder */
  readonly enters?: (path: string) => boolean;
  /** Receives each entry: within each folder in code unit order of the whole paths, where a folder's path ends with `/`. */
  readonly onEntry: (entry: Dirent, folder: WalkedFolder) => void;
}

/**
 * Walks a folder and everything below it, without following links. A folder that has become a link since it was listed counts
 * as empty. Synchronous, for child processes. Does not throw for unreadable folders, not even for the top.
 */
export function walk(top: string, options: WalkOptions): void {
  withEnterFolder((enter) => walkFrom({ path: top, prefix: options.prefix ?? '' }, enter, options));
}

function walkFrom(folder: WalkedFolder, enter: EnterFolder, options: WalkOptions): void {
  for (const entry of entriesOf(folder.path, enter, options)) {
    options.onEntry(entry, folder);
    if (!entry.isDirectory()) continue;
    const path = folder.prefix + entry.name;
    if (options.enters?.(path) === false) continue;
    walkFrom({ path: below(folder.path, entry.name), prefix: `${path}/` }, enter, options);
  }
}

function entriesOf(folder: string, enter: EnterFolder, { leftOut, unreadable }: WalkOptions): readonly Dirent[] {
  try {
    return enter(folder).list(leftOut);
  } catch (error) {
    unreadable.add(folder, error);
    return [];
  }
}
