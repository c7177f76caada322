import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';
import { readTextIfReadable } from '../../../plugins/shared/text/read-text.ts';
import { runParallel } from '../fs/files/parallel.ts';

/** Maximum number of links to follow. */
const maxLinks = 40;

/** Maximum depth of alternates of alternates; git itself has this limit. */
const maxAlternates = 5;

/** Number of folders that are read in parallel. */
const lanes = 8;

/** Parts of a Git folder that tools do not use: those of other programs and of submodules, and hooks, which never run. */
const unused = new Set(['hooks', 'modules', 'lfs', 'annex']);

/** Returns true when something exists at the path, whatever it is. */
export async function pathExists(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

/** Folders of a repository in which git reads and writes, with links resolved. */
export interface GitFolders {
  /** Folder of the working tree, with HEAD and index. */
  readonly own: string;
  /** Folder with objects, refs and configuration (git-common-dir). Differs from `own` in a linked working tree only. */
  readonly common: string;
}

/** Returns the folders that belong to a Git folder whose links are resolved. */
export async function gitFoldersOf(own: string): Promise<GitFolders> {
  const common = await pathIn(own, 'commondir');
  return { own, common: common === undefined ? own : await resolvePath(common) };
}

/**
 * Returns the absolute path that a file of a Git folder holds, without the newlines at its end, as git reads it. Undefined when
 * there is none. Does not follow a symbolic link: an error message would reveal content of the file behind it.
 */
export async function pathIn(gitFolder: string, name: string): Promise<string | undefined> {
  const file = path.join(gitFolder, name);
  const found = await lstat(file).catch(() => undefined);
  const text = found?.isFile() === true ? await readTextIfReadable(file) : undefined;
  if (text !== undefined) return path.resolve(gitFolder, text.replace(/[\r\n]+$/, ''));
  return found === undefined ? undefined : file;
}

/** Link or alternate of a Git folder that leads outside of the allowed folders. */
export interface EscapingReference {
  /** Description, such as `the symbolic link objects`. */
  readonly what: string;
  readonly to: string;
}

/** Returns true for a path, with links resolved, that git may use. */
export type IsAllowed = (place: string) => boolean;

/**
 * Finds a reference out of Git folders to a path that is not allowed: a symbolic link through which git would read or write, or
 * the objects of another repository (gitrepository-layout). Returns undefined when there is none.
 */
export async function findEscapingReference({ own, common }: GitFolders, isAllowed: IsAllowed): Promise<EscapingReference | undefined> {
  const walked = isInside(own, common) ? [common] : [own, common];
  for (const folder of walked) {
    const link = await findEscapingLink(folder, isAllowed);
    if (link !== undefined) return link;
  }
  return findEscapingAlternate(path.join(common, 'objects'), isAllowed, maxAlternates);
}

async function findEscapingLink(gitFolder: string, isAllowed: IsAllowed): Promise<EscapingReference | undefined> {
  const links: string[] = [];
  let folders = [gitFolder];
  // One level of folders after the other, so that several, but not all, are read at a time.
  while (folders.length > 0) {
    const below: string[] = [];
    await runParallel(folders, lanes, async (folder) => {
      for (const entry of await entriesOf(folder)) {
        if (folder === gitFolder && unused.has(entry.name)) continue;
        if (entry.isSymbolicLink()) links.push(path.join(folder, entry.name));
        else if (entry.isDirectory() && !holdsObjects(folder, entry.name)) below.push(path.join(folder, entry.name));
      }
    });
    folders = below;
  }
  for (const link of links.sort()) {
    const to = await resolvePath(link);
    if (!isAllowed(to)) return { what: `the symbolic link ${path.relative(path.dirname(gitFolder), link)}`, to };
  }
  return undefined;
}

/** Returns true for a folder of loose objects, which holds only files named by their hash. */
function holdsObjects(folder: string, name: string): boolean {
  return path.basename(folder) === 'objects' && /^[0-9a-f]{2}$/.test(name);
}

async function findEscapingAlternate(objects: string, isAllowed: IsAllowed, depth: number): Promise<EscapingReference | undefined> {
  const lines = ((await readTextIfReadable(path.join(objects, 'info/alternates'))) ?? '').split('\n');
  for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
    const to = await resolvePath(path.resolve(objects, line));
    // git itself writes no quoted paths.
    if (line.startsWith('"') || depth === 0 || !isAllowed(to)) return { what: 'objects/info/alternates', to };
    const further = await findEscapingAlternate(to, isAllowed, depth - 1);
    if (further !== undefined) return further;
  }
  return undefined;
}

/** Resolves a path, even when nothing exists there: git would create it. */
export async function resolvePath(unresolved: string, links = maxLinks): Promise<string> {
  try {
    return await realpath(unresolved);
  } catch {
    const parent = path.dirname(unresolved);
    if (parent === unresolved || links === 0) return unresolved;
    const real = path.join(await resolvePath(parent, links), path.basename(unresolved));
    const target = await readlink(real).catch(() => undefined);
    return target === undefined ? real : resolvePath(path.resolve(path.dirname(real), target), links - 1);
  }
}

// git cannot read an unreadable folder either.
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
