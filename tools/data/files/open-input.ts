import { constants, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { excerpt, Failure } from '../shared/failure.ts';

/** File that is open for reading only. */
export interface InputFile {
  readonly handle: FileHandle;
  /** Name from the caller, for messages. */
  readonly name: string;
  readonly bytes: number;
  /** Path of the open descriptor, which stays valid when the original path is swapped. */
  readonly devicePath: string;
}

/** Maximum size of a file, in bytes: tables are in memory. */
const maxInputBytes = 512 * 1024 * 1024;

/**
 * Opens a regular file and checks that the confined path still leads to it. The caller closes it. Throws NOT_FOUND,
 * EXECUTION_FAILED and INVALID_PARAMETERS.
 */
export async function openInput(path: string): Promise<InputFile> {
  const handle = await openRegular(path);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Failure('INVALID_PARAMETERS', `"${excerpt(path)}" is no regular file. Name a file.`);
    if (!isUnmoved(handle.fd, path)) throw moved(path);
    if (stats.size > maxInputBytes)
      throw new Failure(
        'INVALID_PARAMETERS',
        `"${excerpt(path)}" has ${stats.size} bytes; expected at most ${maxInputBytes} (512 MB). Divide it first.`,
      );
    const devicePath = process.platform === 'win32' ? path : `/dev/fd/${handle.fd}`;
    return { handle, name: path, bytes: stats.size, devicePath };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openRegular(path: string): Promise<FileHandle> {
  try {
    // O_NONBLOCK: opening a pipe would wait for its writer. O_NOFOLLOW: the path is a real one, and may have become a link.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Failure('NOT_FOUND', `There is no file "${excerpt(path)}". List the folder with fs_find or fs_tree.`);
    if (code === 'ELOOP') throw moved(path);
    throw new Failure('EXECUTION_FAILED', `Cannot read "${excerpt(path)}" (${code}).`);
  }
}

/**
 * Returns true when the path still leads to the open file. Linux reports the path of a descriptor; elsewhere the path must lead
 * to the same file, through no link.
 */
function isUnmoved(descriptor: number, path: string): boolean {
  try {
    const place = readlinkSync(`/proc/self/fd/${descriptor}`);
    return place === path || place === `${path} (deleted)`;
  } catch {
    const [opened, there] = [fstatSync(descriptor), lstatSync(path)];
    return realpathSync(path) === path && opened.ino === there.ino && opened.dev === there.dev;
  }
}

function moved(path: string): Failure {
  return new Failure('EXECUTION_FAILED', `"${excerpt(path)}" was moved or replaced by a link while it was opened. Try again.`);
}
