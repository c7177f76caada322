import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** What is at a path, a link as itself; undefined when nothing is. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
