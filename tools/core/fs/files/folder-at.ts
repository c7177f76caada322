import { opendir, stat } from 'node:fs/promises';
import { fileError, notAFolder } from './file-error.ts';
import { isRealPath, moved } from './unmoved.ts';

/** A path that was confined, when it is a folder that may be read. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function folderAt(path: string): Promise<string> {
  try {
    if (!(await stat(path)).isDirectory()) throw notAFolder(path);
    // Walks through folders pass over what they may not read.
    await (await opendir(path)).close();
    if (!isRealPath(path)) throw moved(path);
    return path;
  } catch (error) {
    throw fileError(error, 'list', path);
  }
}
