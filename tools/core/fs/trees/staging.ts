import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { isThere } from '../files/folders.ts';
import { isRealPath, moved } from '../files/unmoved.ts';
import { removeTree } from './remove-tree.ts';

/**
 * Gives the work a new folder on the file system of a destination, so that what is made there can be renamed to it, and removes the folder at
 * the end, whatever happens. It lies in the destination when that is a folder, else in the nearest folder above it that is there.
 */
export async function withStaging<T>(destination: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = nodePath.join(await nearestFolder(destination), `.toolkit-${randomUUID()}.tmp`);
  await mkdir(folder, { mode: 0o700 });
  try {
    if (!isRealPath(folder)) throw moved(destination);
    return await work(folder);
  } finally {
    // A few files at a time. Then what is left: work that was stopped in another thread may still end an operation that had begun.
    await removeTree(folder, { signal: new AbortController().signal, onEntry: () => {} }).catch(() => {});
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function nearestFolder(destination: string): Promise<string> {
  let folder = destination;
  while (!(await isThere(folder)) || !(await lstat(folder)).isDirectory()) folder = nodePath.dirname(folder);
  return folder;
}
