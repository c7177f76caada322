import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';
import { readTextIfReadable } from '../../../plugins/shared/text/read-text.ts';
import { inLanes } from '../fs/files/in-lanes.ts';

/** Links followed to something that is not there, at most. */
const maxLinks = 40;

/** Alternates of alternates, at most; git itself stops there. */
const maxAlternates = 5;

/** Folders of a Git folder that are read at a time. */
const lanes = 8;

/** Parts of a Git folder that no tool has read or written: those of other programs and of submodules, and hooks, which never run. */
const unused = new Set(['hooks', 'modules', 'lfs', 'annex']);

/** Something is there, whatever it is. */
export async function isThere(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

/** The folders of a repository in which git reads and writes, links resolved. */
export interface GitFolders {
  /** That of the working tree, with its HEAD and its index. */
  readonly own: string;
  /** That with objects, refs and configuration (git-common-dir). Another one in a linked working tree only. */
  readonly common: string;
}

/** The folders that belong to a Git folder, whose links are resolved. */
export async function gitFoldersOf(own: string): Promise<GitFolders> {
  const common = await pathIn(own, 'commondir');
  return { own, common: common === undefined ? own : await realPlace(common) };
}

/**
 * The path that a file of a Git folder holds, absolute, without the newlines behind it, which is all that git takes away. Undefined when there
 * is none. A symbolic link is not followed: it would show in an error what a file elsewhere holds.
 */
export async function pathIn(gitFolder: string, name: string): Promise<string | undefined> {
  const file = path.join(gitFolder, name);
  const found = await lstat(file).catch(() => undefined);
  const text = found?.isFile() === true ? await readTextIfReadable(file) : undefined;
  if (text !== undefined) return path.resolve(gitFolder, text.replace(/[\r\n]+$/, ''));
  return found === undefined ? undefined : file;
}

/** Something that belongs to a Git folder and leads out of where it has to be. */
export interface WayOut {
  /** In words, such as `the symbolic link objects`. */
  readonly what: string;
  readonly to: string;
}

/** Tells whether git may come to a place, whose links are resolved. */
export type IsAllowed = (place: string) => boolean;

/**
 * A way on which git would come from Git folders to a place that is not allowed: by a symbolic link, through which it would read or write, or by the
 * objects of another repository (gitrepository-layout). Undefined when there is no way.
 */
export async function wayOut({ own, common }: GitFolders, isAllowed: IsAllowed): Promise<WayOut | undefined> {
  const walked = isInside(own, common) ? [common] : [own, common];
  for (const folder of walked) {
    const link = await linkOut(folder, isAllowed);
    if (link !== undefined) return link;
  }
  return alternateOut(path.join(common, 'objects'), isAllowed, maxAlternates);
}

async function linkOut(gitFolder: string, isAllowed: IsAllowed): Promise<WayOut | undefined> {
  const links: string[] = [];
  let folders = [gitFolder];
  // By levels: several folders are read at a time, and not all at once.
  while (folders.length > 0) {
    const below: string[] = [];
    await inLanes(folders, lanes, async (folder) => {
      for (const entry of await entriesOf(folder)) {
        if (folder === gitFolder && unused.has(entry.name)) continue;
        if (entry.isSymbolicLink()) links.push(path.join(folder, entry.name));
        else if (entry.isDirectory() && !holdsObjects(folder, entry.name)) below.push(path.join(folder, entry.name));
      }
    });
    folders = below;
  }
  for (const link of links.sort()) {
    const to = await realPlace(link);
    if (!isAllowed(to)) return { what: `the symbolic link ${path.relative(path.dirname(gitFolder), link)}`, to };
  }
  return undefined;
}

/** The folders of single objects hold nothing but files that are named by their content. */
function holdsObjects(folder: string, name: string): boolean {
  return path.basename(folder) === 'objects' && /^[0-9a-f]{2}$/.test(name);
}

async function alternateOut(objects: string, isAllowed: IsAllowed, depth: number): Promise<WayOut | undefined> {
  const lines = ((await readTextIfReadable(path.join(objects, 'info/alternates'))) ?? '').split('\n');
  for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
    const to = await realPlace(path.resolve(objects, line));
    // git writes no quoted paths.
    if (line.startsWith('"') || depth === 0 || !isAllowed(to)) return { what: 'objects/info/alternates', to };
    const further = await alternateOut(to, isAllowed, depth - 1);
    if (further !== undefined) return further;
  }
  return undefined;
}

/** Where a path leads, also when nothing is there: git would create it. */
export async function realPlace(place: string, links = maxLinks): Promise<string> {
  try {
    return await realpath(place);
  } catch {
    const parent = path.dirname(place);
    if (parent === place || links === 0) return place;
    const real = path.join(await realPlace(parent, links), path.basename(place));
    const target = await readlink(real).catch(() => undefined);
    return target === undefined ? real : realPlace(path.resolve(path.dirname(real), target), links - 1);
  }
}

// What cannot be read here git cannot read either.
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
