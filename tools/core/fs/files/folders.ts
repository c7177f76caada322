import { lstat, mkdir, rmdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { isRealPath, moved } from './unmoved.ts';

/**
 * Creates what is missing of a real path of folders, and gives the folders that it has created, the outermost first. Goes through no link that
 * somebody has put there since the path was confined. Leaves nothing behind when it throws, which is what `node:fs` throws.
 */
export async function makeFolders(path: string): Promise<string[]> {
  const made: string[] = [];
  try {
    const missing = await missingFolders(path);
    if (!isRealPath(missing[0] === undefined ? path : nodePath.dirname(missing[0]))) throw moved(path);
    for (const folder of missing) {
      if (await makeFolder(folder)) made.push(folder);
      if (!isRealPath(folder)) throw moved(folder);
    }
    return made;
  } catch (error) {
    await removeFolders(made);
    throw error;
  }
}

/** Removes folders that `makeFolders` has made and nobody has used since. */
export async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of [...made].reverse()) await rmdir(folder).catch(() => {});
}

/** Whether something is at the path itself; a link counts, whatever it leads to. */
export async function isThere(path: string): Promise<boolean> {
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
  for (let folder = path; !(await isThere(folder)); folder = nodePath.dirname(folder)) missing.unshift(folder);
  return missing;
}

/** False when another one was faster. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await lstat(folder)).isDirectory()) throw error;
    return false;
  }
}
