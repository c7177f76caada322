import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { isRealPath, isStillAt, movedError, pathOfDescriptor } from './path-race.ts';

export interface SaveOptions {
  /** True to replace an existing file. Otherwise an existing file is EEXIST. */
  readonly overwrite: boolean;
  /** Maximum size of the content in bytes. */
  readonly maxBytes: number;
  /** Creates the error for larger content. */
  readonly tooLarge: () => Error;
  /** Called after each chunk, with the bytes so far. */
  readonly onBytes?: (bytes: number) => void;
  /** Throws for content that must not be saved; then nothing is written at the path. */
  readonly check?: (saved: SavedContent) => void;
}

export interface SavedContent {
  readonly bytes: number;
  /** Hash in hex. */
  readonly sha256: string;
}

/**
 * Saves a stream at a confined path: all of it, or nothing. Writes a temporary file in the same folder, flushes it to disk, then renames
 * it, so that no reader sees a part. Creates missing folders. Follows no link that has appeared since the path was confined. Throws what
 * the stream throws, and what `node:fs` throws.
 */
export async function saveStream(content: AsyncIterable<Uint8Array>, path: string, options: SaveOptions): Promise<SavedContent> {
  await makeFolders(nodePath.dirname(path));
  const temporary = nodePath.join(nodePath.dirname(path), `.toolkit-${randomUUID()}.tmp`);
  try {
    const saved = await write(content, temporary, path, options);
    options.check?.(saved);
    if (options.overwrite) await rename(temporary, path);
    else await moveWithoutReplacing(temporary, path);
    return saved;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** System calls made while a file is saved. Those of sockets are not among them. */
const ofFiles: readonly string[] = ['open', 'mkdir', 'rename', 'link', 'write', 'fsync', 'close'];

/** True for an error of `saveStream` that comes from the path, not from the content. */
export function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return code === 'ELOOP' || ofFiles.includes(syscall ?? '');
}

/** True when a file, a folder or a link exists at a path. */
export async function exists(path: string): Promise<boolean> {
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
    // The rename happens in the temporary file's folder. If that folder is another one by then, the rename finds no file.
    if (!isStillAt(file.fd, temporary)) {
      await rm(pathOfDescriptor(file.fd) ?? temporary, { force: true });
      throw movedError(path);
    }
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      hash.update(chunk);
      // A single `write` may write only a part.
      await file.writeFile(chunk);
      onBytes?.(bytes);
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/**
 * Moves the file to a path where nothing exists: unlike a rename, a hard link never replaces a file. File systems without hard links get
 * the rename.
 */
async function moveWithoutReplacing(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(temporary, path);
  }
}

async function makeFolders(folder: string): Promise<void> {
  if (await exists(folder)) {
    if (!isRealPath(folder)) throw movedError(folder);
    return;
  }
  await makeFolders(nodePath.dirname(folder));
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Another call was faster.
    if (error.code !== 'EEXIST') throw error;
  });
  if (!isRealPath(folder)) throw movedError(folder);
}
