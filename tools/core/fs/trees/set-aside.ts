import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rmdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isRealPath, moved } from '../files/unmoved.ts';

/** Errors of a rename after which removing in place may still succeed: a mount point, a read-only folder, a busy one. */
const cannotRename = new Set(['EXDEV', 'EBUSY', 'EACCES', 'EPERM']);

/**
 * Renames a file or folder into a new private folder beside it, which no path of a call reaches, and runs the work on the new
 * path. Restores what the work leaves. Where renaming is not possible, the work gets the original path. Throws what `node:fs`
 * and the work throw; errors of the file system name the original path.
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
  const message = `Another process has created "${excerpt(path)}" meanwhile. The original is now at "${excerpt(place)}": move it back.`;
  throw new ToolkitError('EXECUTION_FAILED', message, { file: place });
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
