import { opendir, stat } from 'node:fs/promises';
import { fileError, notAFolder } from './file-error.ts';
import { isRealPath, movedError } from './path-race.ts';

/** Returns the confined path when it is a readable folder. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function folderAt(path: string): Promise<string> {
  try {
    if (!(await stat(path)).isDirectory()) throw notAFolder(path);
    // A walk skips unreadable folders without an error, so the top folder is checked here.
    await (await opendir(path)).close();
    if (!isRealPath(path)) throw movedError(path);
    return path;
  } catch (error) {
    throw fileError(error, 'list', path);
  }
}
