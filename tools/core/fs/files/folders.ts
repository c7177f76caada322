import { lstat, mkdir, rmdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { isRealPath, movedError } from './path-race.ts';

/**
 * Creates the missing folders of a real path and returns those that it created, the outermost first. Follows no link that was
 * created since the path was confined. Leaves nothing behind when it throws. Throws what `node:fs` throws.
 */
export async function makeFolders(path: string): Promise<string[]> {
  const made: string[] = [];
  try {
    const missing = await missingFolders(path);
    if (!isRealPath(missing[0] === undefined ? path : nodePath.dirname(missing[0]))) throw movedError(path);
    for (const folder of missing) {
      if (await makeFolder(folder)) made.push(folder);
      if (!isRealPath(folder)) throw movedError(folder);
    }
    return made;
  } catch (error) {
    await removeFolders(made);
    throw error;
  }
}

/** Removes folders that `makeFolders` created and that are still empty. */
export async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of [...made].reverse()) await rmdir(folder).catch(() => {});
}

/** Returns true when something exists at the path itself; a link counts, wherever it leads. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function missingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = path; !(await pathExists(folder)); folder = nodePath.dirname(folder)) missing.unshift(folder);
  return missing;
}

/** Creates a folder. Returns false when another process created it first. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await lstat(folder)).isDirectory()) throw error;
    return false;
  }
}
