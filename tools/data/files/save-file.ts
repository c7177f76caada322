import { randomUUID } from 'node:crypto';
import { constants, createReadStream, readlinkSync, realpathSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, Failure } from '../shared/failure.ts';

interface SaveOptions {
  /** Content, or a file that holds it. */
  readonly from: Uint8Array | { readonly file: string };
  /** True to replace an existing file; false makes it an error. */
  readonly overwrite: boolean;
}

/**
 * Saves a whole file or nothing at a confined path: writes it beside the destination and then renames it. Returns the size in
 * bytes. Throws INVALID_PARAMETERS for an existing file, NOT_FOUND without a folder, and EXECUTION_FAILED.
 */
export async function saveFile(target: string, { from, overwrite }: SaveOptions): Promise<number> {
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);
  const handle = await create(temporary, target);
  try {
    try {
      refuseMoved(handle.fd, temporary, target);
      // Each chunk is appended.
      if (from instanceof Uint8Array) await handle.writeFile(from);
      else for await (const chunk of createReadStream(from.file)) await handle.writeFile(chunk as Buffer);
      await handle.sync();
      const { size } = await handle.stat();
      await moveIntoPlace(temporary, target, overwrite);
      return size;
    } finally {
      await handle.close();
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

async function create(temporary: string, target: string): Promise<FileHandle> {
  try {
    return await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o666);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new Failure('NOT_FOUND', `There is no folder for "${excerpt(target)}". Make it first with fs_make_directory.`);
    throw new Failure('EXECUTION_FAILED', `Cannot write "${excerpt(target)}" (${code}).`);
  }
}

/**
 * Moves the file to its destination. Without `overwrite` it makes a hard link, which fails for an existing file, where a rename
 * would replace it.
 */
async function moveIntoPlace(temporary: string, target: string, overwrite: boolean): Promise<void> {
  try {
    await (overwrite ? rename(temporary, target) : link(temporary, target));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new Failure('INVALID_PARAMETERS', `"${excerpt(target)}" is there already. Name another file, or give overwrite: true.`);
    throw new Failure('EXECUTION_FAILED', `Cannot write "${excerpt(target)}" (${code}).`);
  }
}

/** Refuses when the folder has become a link since its path was confined. */
function refuseMoved(descriptor: number, temporary: string, target: string): void {
  const place = placeOf(descriptor) ?? path.join(realpathSync(path.dirname(temporary)), path.basename(temporary));
  if (place !== temporary)
    throw new Failure('EXECUTION_FAILED', `The folder of "${excerpt(target)}" was moved or replaced by a link. Try again.`);
}

function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}
