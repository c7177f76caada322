import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileError, notAFile } from './file-error.ts';
import { isUnmoved, moved } from './unmoved.ts';

/** Opens a regular file for reading that is still where its path was confined to. The caller closes it. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function openFile(path: string): Promise<{ file: FileHandle; stats: Stats }> {
  try {
    // Opening a pipe without O_NONBLOCK would wait for its writer. The path is real when it comes here; O_NOFOLLOW: and still is.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      if (!isUnmoved(file.fd, path)) throw moved(path);
      const stats = await file.stat();
      if (!stats.isFile()) throw notAFile(stats, 'read', path);
      return { file, stats };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw fileError(error, 'read', path);
  }
}
