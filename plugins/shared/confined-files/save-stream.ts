import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { isRealPath, isUnmoved, moved, placeOf } from './unmoved.ts';

export interface SaveOptions {
  /** Replaces a file that is there, which is EEXIST otherwise. */
  readonly overwrite: boolean;
  /** Largest content in bytes. */
  readonly maxBytes: number;
  /** Makes the error for a longer one. */
  readonly tooLarge: () => Error;
  /** Told how many bytes there are, after each chunk. */
  readonly onBytes?: (bytes: number) => void;
  /** Throws for content that is not to be saved; nothing is at the path then. */
  readonly check?: (saved: SavedContent) => void;
}

export interface SavedContent {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/**
 * Saves what a stream gives at a path that was confined: all of it, or nothing. It is written into a temporary file beside, is on the disk, and then
 * gets its name, so that nobody reads a part of it. Missing folders are made. Goes through no link that has come since the path was confined. Throws
 * what the stream throws, and what `node:fs` throws.
 */
export async function saveStream(content: AsyncIterable<Uint8Array>, path: string, options: SaveOptions): Promise<SavedContent> {
  await makeFolders(nodePath.dirname(path));
  const temporary = nodePath.join(nodePath.dirname(path), `.toolkit-${randomUUID()}.tmp`);
  try {
    const saved = await write(content, temporary, path, options);
    options.check?.(saved);
    if (options.overwrite) await rename(temporary, path);
    else await putWhereNothingIs(temporary, path);
    return saved;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Calls of the system while a file is saved. Those of sockets are not among them. */
const ofFiles: readonly string[] = ['open', 'mkdir', 'rename', 'link', 'write', 'fsync', 'close'];

/** True for what `saveStream` throws because of the place, and not because of what was to be saved. */
export function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return code === 'ELOOP' || ofFiles.includes(syscall ?? '');
}

/** True where a link or anything else is at a path. */
export async function isTaken(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function write(
  content: AsyncIterable<Uint8Array>,
  temporary: string,
  path: string,
  { maxBytes, tooLarge, onBytes }: SaveOptions,
): Promise<SavedContent> {
  const file: FileHandle = await open(temporary, 'wx');
  try {
    // Where the temporary file is, the rename happens: through a folder that is another one by then, it finds nothing to rename.
    if (!isUnmoved(file.fd, temporary)) {
      await rm(placeOf(file.fd) ?? temporary, { force: true });
      throw moved(path);
    }
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      hash.update(chunk);
      // In one call of `write` a part of it may be left.
      await file.writeFile(chunk);
      onBytes?.(bytes);
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** A hard link does not take the place of what is there, as a rename does. File systems without hard links get the rename. */
async function putWhereNothingIs(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(temporary, path);
  }
}

async function makeFolders(folder: string): Promise<void> {
  if (await isTaken(folder)) {
    if (!isRealPath(folder)) throw moved(folder);
    return;
  }
  await makeFolders(nodePath.dirname(folder));
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Another call was faster.
    if (error.code !== 'EEXIST') throw error;
  });
  if (!isRealPath(folder)) throw moved(folder);
}
