import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { refuseMoved } from './path-race.ts';

/** Owner and permissions for a file. An omitted owner is the user of the process. */
interface OwnerAndMode {
  readonly uid?: number;
  readonly gid?: number;
  readonly mode: number;
}

/** Returns a name for a temporary file beside another file, and so on the same file system. */
export function temporaryPath(target: string): string {
  return nodePath.join(nodePath.dirname(target), `.toolkit-${randomUUID()}.tmp`);
}

/**
 * Writes the whole content of a file into a temporary file beside it, synced to disk and ready for a rename; returns its path.
 * `like`: source of owner and permissions. Leaves nothing behind when it throws. Throws what `node:fs` throws.
 */
export async function stageFile(target: string, bytes: Buffer | AsyncIterable<Buffer>, like?: OwnerAndMode): Promise<string> {
  const temporary = temporaryPath(target);
  try {
    const file = await open(temporary, 'wx');
    try {
      // The rename happens in the folder of the temporary file. When that folder was swapped, the rename finds no file.
      await refuseMoved(file.fd, temporary, target);
      for await (const part of Buffer.isBuffer(bytes) ? [bytes] : bytes) await file.writeFile(part);
      if (like !== undefined) await keepOwnerAndMode(file, like);
      await file.sync();
    } finally {
      await file.close();
    }
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function keepOwnerAndMode(file: FileHandle, { uid, gid, mode }: OwnerAndMode): Promise<void> {
  const own = await file.stat();
  // Only root may change the owner of a file; any other user keeps the content and the mode.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid ?? own.uid, gid ?? own.gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}

/**
 * Renames a temporary file to its final name. Throws EEXIST when a file exists there: a hard link refuses to replace, a rename
 * does not. File systems without hard links get the rename.
 */
export async function renameWithoutReplacing(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(code)) throw error;
    await rename(temporary, target);
  }
}
