import { readlinkSync } from 'node:fs';
import nodePath from 'node:path';
import { Unreadable, type UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { folderAt } from '../files/folder-at.ts';
import { GitExclusions, type LeftOutResult } from '../files/git-exclusions.ts';
import { ignorePattern, readdirWithoutLinks } from '../searching/files-below.ts';
import { drawTree } from './tree-drawing.ts';

interface TreeParameters {
  readonly path: string;
  readonly depth: number;
  readonly ignore: readonly string[];
  readonly max_entries: number;
}

interface TreeResult extends LeftOutResult, UnreadableResult {
  readonly tree: string;
  readonly entries: number;
  readonly truncated: boolean;
}

/**
 * Draws the content of a folder. When there are more than `max_entries`, the upper levels come first. Throws NOT_FOUND and
 * EXECUTION_FAILED.
 */
export async function tree({ path, depth, ignore, max_entries }: TreeParameters): Promise<TreeResult> {
  const folder = await folderAt(path);
  const links = new Set<string>();
  const leftOut = new GitExclusions(folder);
  const unreadable = new Unreadable(folder);
  const all = await pathsBelow(folder, { depth, ignore, leftOut, unreadable, onLink: (link) => links.add(link) });
  const kept = all.slice(0, max_entries);
  const shownLinks = kept.filter((name) => links.has(nodePath.join(folder, name)));
  const targets = new Map(shownLinks.map((name) => [name, linkTarget(nodePath.join(folder, name))]));
  const text = drawTree(nodePath.basename(path), kept, { targets, cut: all.slice(max_entries) });
  return { tree: text, entries: kept.length, truncated: kept.length < all.length, ...unreadable.result, ...leftOut.result };
}

interface Walk {
  readonly depth: number;
  readonly ignore: readonly string[];
  readonly leftOut: GitExclusions;
  readonly unreadable: Unreadable;
  readonly onLink: (path: string) => void;
}

/** Returns relative paths, folders with `/` at the end: level by level, in code unit order within a level. */
async function pathsBelow(folder: string, { depth, ignore, leftOut, unreadable, onLink }: Walk): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const paths = await glob('**/*', {
    cwd: folder,
    dot: true,
    onlyFiles: false,
    expandDirectories: false,
    followSymbolicLinks: false,
    // tinyglobby counts levels from 0.
    deep: depth - 1,
    ignore: ignore.map(ignorePattern),
    fs: { readdir: readdirWithoutLinks({ leftOut, unreadable, onLink }) },
  });
  const levels = Array.from({ length: depth }, (): string[] => []);
  for (const path of paths) levels[levelOf(path)]?.push(path);
  return levels.flatMap((level) => level.sort());
}

/** Returns the number of folders between the drawn folder and the path. */
function levelOf(path: string): number {
  let level = 0;
  for (let at = path.indexOf('/'); at !== -1 && at < path.length - 1; at = path.indexOf('/', at + 1)) level += 1;
  return level;
}

/** Returns the text of a link; undefined when it is no longer a link. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
