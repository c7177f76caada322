import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rmdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isRealPath, moved } from '../files/unmoved.ts';

/** Errors of a rename that a removal in place may not have: a mount point, a folder that may not be written to, a busy one. */
const cannotRename = new Set(['EXDEV', 'EBUSY', 'EACCES', 'EPERM']);

/**
 * Renames a file or folder into a new private folder beside it, where no path of a call leads, and gives the work its place there. What the work
 * leaves is put back. Where it cannot be renamed the work gets it where it is. Throws what `node:fs` and the work throw; errors of the file
 * system name the path that it had.
 */
export async function setAside<T>(path: string, work: (place: string) => Promise<T>): Promise<T> {
  const folder = nodePath.join(nodePath.dirname(path), `.toolkit-${randomUUID()}.tmp`);
  const place = nodePath.join(folder, nodePath.basename(path));
  if (!(await renamedInto(folder, path, place))) return work(path);
  try {
    return await work(place);
  } catch (error) {
    const { path: failed } = error as NodeJS.ErrnoException;
    if (!ToolkitError.is(error) && failed?.startsWith(place)) (error as NodeJS.ErrnoException).path = path + failed.slice(place.length);
    throw error;
  } finally {
    if (await isThere(place)) await putBack(place, path);
    await rmdir(folder).catch(() => {});
  }
}

async function renamedInto(folder: string, path: string, place: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    if (!isRealPath(folder)) throw moved(path);
    await rename(path, place);
    return true;
  } catch (error) {
    await rmdir(folder).catch(() => {});
    if (cannotRename.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function putBack(place: string, path: string): Promise<void> {
  if (!(await isThere(path))) return rename(place, path);
  const message = `Something has come to "${excerpt(path)}" meanwhile. What was there lies in "${excerpt(place)}" now: move it to where it belongs.`;
  throw new ToolkitError('EXECUTION_FAILED', message, { file: place });
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
