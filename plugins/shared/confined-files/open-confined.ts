import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isStillAt, movedError } from './path-race.ts';

/** A regular file, open for reading. */
export interface ConfinedFile {
  readonly file: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens the file at a confined path, unless a link has appeared on the path since. Anything but a regular file is closed and passed to
 * `refuse`, whose error is thrown. The caller closes the file. Throws what `node:fs` throws, and ELOOP for a path that now leads
 * elsewhere.
 */
export async function openConfined(path: string, refuse: (stats: Stats) => Error): Promise<ConfinedFile> {
  // Without O_NONBLOCK, opening a pipe would wait for its writer. The path is a real path; O_NOFOLLOW makes sure that it still is.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!isStillAt(file.fd, path)) throw movedError(path);
    const stats = await file.stat();
    if (!stats.isFile()) throw refuse(stats);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}
