import type { Dirent } from 'node:fs';
import type { Unreadable } from '../../../../plugins/shared/walks/unreadable.ts';
import { type EnterFolder, enteringFolders } from './entered-folder.ts';
import type { LeftOut } from './left-out.ts';
import { below } from './path-order.ts';

/** A folder that a walk has listed. */
export interface WalkedFolder {
  /** Its absolute path. */
  readonly path: string;
  /** In front of the name of an entry: its path below the top of the walk, with `/` behind each name; empty for the top. */
  readonly prefix: string;
}

interface WalkOptions {
  /** The path of the walked folder below the top, with `/` behind each name. @default the folder is the top */
  readonly prefix?: string;
  /** Takes out what is git's; undefined keeps it. */
  readonly leftOut: LeftOut | undefined;
  /** Gets what could not be listed, and folders that have become links. */
  readonly unreadable: Unreadable;
  /** Tells by its relative path, without a slash at the end, what of a folder below is not walked. @default every folder is */
  readonly enters?: (path: string) => boolean;
  /** Gets each entry: of each folder in code unit order of the whole paths, where that of a folder counts with a `/` at its end. */
  readonly onEntry: (entry: Dirent, folder: WalkedFolder) => void;
}

/**
 * Walks through a folder and everything below it, without following links: what has become a link since it was listed shows nothing. Synchronous,
 * for child processes. Does not throw for what cannot be read, not even the top.
 */
export function walk(top: string, options: WalkOptions): void {
  enteringFolders((enter) => walkFrom({ path: top, prefix: options.prefix ?? '' }, enter, options));
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
