import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { pathExists } from '../files/folders.ts';
import { isRealPath, movedError } from '../files/path-race.ts';
import { removeTree } from './remove-tree.ts';

/**
 * Runs the work with a new folder on the file system of a destination, so that its content can be renamed to the destination.
 * Always removes the folder at the end. The folder is created in the destination when that is a folder, else in the nearest
 * existing folder above it.
 */
export async function withStaging<T>(destination: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = nodePath.join(await nearestFolder(destination), `.toolkit-${randomUUID()}.tmp`);
  await mkdir(folder, { mode: 0o700 });
  try {
    if (!isRealPath(folder)) throw movedError(destination);
    return await work(folder);
  } finally {
    // `removeTree` works on a few files at a time. The second removal takes the rest: an aborted worker thread may still finish an
    // operation.
    await removeTree(folder, { signal: new AbortController().signal, onEntry: () => {} }).catch(() => {});
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function nearestFolder(destination: string): Promise<string> {
  let folder = destination;
  while (!(await pathExists(folder)) || !(await lstat(folder)).isDirectory()) folder = nodePath.dirname(folder);
  return folder;
}
