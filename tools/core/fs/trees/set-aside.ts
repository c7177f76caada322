import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rmdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isRealPath, movedError } from '../files/path-race.ts';

/** Errors of a rename after which removing in place may still succeed: a mount point, a read-only folder, a busy one. */
const cannotRename = new Set(['EXDEV', 'EBUSY', 'EACCES', 'EPERM']);

/**
 * Renames a file or folder into a new private folder beside it, which no path of a call reaches, and runs the work on the new
 * path. Restores what the work leaves. Where renaming is not possible, the work gets the original path. Throws what `node:fs`
 * and the work throw; errors of the file system name the original path.
 */
export async function setAside<T>(path: string, work: (asidePath: string) => Promise<T>): Promise<T> {
  const folder = nodePath.join(nodePath.dirname(path), `.toolkit-${randomUUID()}.tmp`);
  const asidePath = nodePath.join(folder, nodePath.basename(path));
  if (!(await renamedInto(folder, path, asidePath))) return work(path);
  try {
    return await work(asidePath);
  } catch (error) {
    const { path: failed } = error as NodeJS.ErrnoException;
    if (!ToolkitError.is(error) && failed?.startsWith(asidePath))
      (error as NodeJS.ErrnoException).path = path + failed.slice(asidePath.length);
    throw error;
  } finally {
    if (await pathExists(asidePath)) await putBack(asidePath, path);
    await rmdir(folder).catch(() => {});
  }
}

async function renamedInto(folder: string, path: string, asidePath: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    if (!isRealPath(folder)) throw movedError(path);
    await rename(path, asidePath);
    return true;
  } catch (error) {
    await rmdir(folder).catch(() => {});
    if (cannotRename.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function putBack(asidePath: string, path: string): Promise<void> {
  if (!(await pathExists(path))) return rename(asidePath, path);
  const message = `Another process has created "${excerpt(path)}" meanwhile. The original is now at "${excerpt(asidePath)}": move it back.`;
  throw new ToolkitError('EXECUTION_FAILED', message, { file: asidePath });
}

async function pathExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
