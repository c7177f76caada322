import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { runParallel } from '../files/parallel.ts';
import { isRealPath, movedError } from '../files/path-race.ts';

interface RemoveOptions {
  readonly signal: AbortSignal;
  /** Receives the number of removed files, folders and links, after each. */
  readonly onEntry: (removed: number) => void;
}

/**
 * Removes a file or link, or a folder with everything in it. Follows no link: a link itself is removed. Throws what `node:fs`
 * throws and the reason of the signal; entries removed by then stay removed.
 */
export async function removeTree(path: string, options: RemoveOptions): Promise<number> {
  const tally = { removed: 0 };
  const isFolder = (await lstat(path)).isDirectory();
  if (!isRealPath(nodePath.dirname(path))) throw movedError(path);
  await (isFolder ? removeFolder : removeEntry)(path, tally, options);
  return tally.removed;
}

interface Tally {
  removed: number;
}

async function removeFolder(folder: string, tally: Tally, options: RemoveOptions): Promise<void> {
  options.signal.throwIfAborted();
  const members = await readdir(folder, { withFileTypes: true });
  // The folder may have become a link since it was listed; nothing behind a link is removed.
  if (!isRealPath(folder)) throw movedError(folder);
  for (const member of members) if (member.isDirectory()) await removeFolder(nodePath.join(folder, member.name), tally, options);
  if (!isRealPath(folder)) throw movedError(folder);
  const others = members.filter((member) => !member.isDirectory());
  await runParallel(others, 8, (member) => removeEntry(nodePath.join(folder, member.name), tally, options));
  await rmdir(folder);
  count(tally, options);
}

async function removeEntry(path: string, tally: Tally, options: RemoveOptions): Promise<void> {
  options.signal.throwIfAborted();
  await unlink(path);
  count(tally, options);
}

function count(tally: Tally, { onEntry }: RemoveOptions): void {
  tally.removed += 1;
  onEntry(tally.removed);
}
