import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** Returns the facts of a path, of a link itself; undefined when nothing exists there. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
