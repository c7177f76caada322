import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isUnmoved, moved } from './unmoved.ts';

/** A regular file that is open for reading. */
export interface ConfinedFile {
  readonly file: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens what is at a path that was confined, still there and not through a link that has come since; what is no regular file is closed again and
 * handed to `refuse`, which throws. The caller closes it. Throws what `node:fs` throws; ELOOP for a path that leads elsewhere now.
 */
export async function openConfined(path: string, refuse: (stats: Stats) => Error): Promise<ConfinedFile> {
  // Opening a pipe without O_NONBLOCK would wait for its writer. The path is real when it comes here; O_NOFOLLOW: and still is.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!isUnmoved(file.fd, path)) throw moved(path);
    const stats = await file.stat();
    if (!stats.isFile()) throw refuse(stats);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}
