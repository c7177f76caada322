import { constants, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { excerpt, Failure } from '../shared/failure.ts';

/** A file that is open for reading, and nothing else. */
export interface InputFile {
  readonly handle: FileHandle;
  /** As the caller named it, for messages. */
  readonly name: string;
  readonly bytes: number;
  /** A path that opens this very file, wherever its own path leads by now. */
  readonly devicePath: string;
}

/** Longest file that is read, in bytes: tables are held in memory. */
const maxInputBytes = 512 * 1024 * 1024;

/** Opens a regular file that is still where its path was confined to. The caller closes it. Throws NOT_FOUND, EXECUTION_FAILED and INVALID_PARAMETERS. */
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
    // Opening a pipe without O_NONBLOCK would wait for its writer; the path is a real one, and O_NOFOLLOW keeps it so.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Failure('NOT_FOUND', `There is no file "${excerpt(path)}". List the folder with fs_find or fs_tree.`);
    if (code === 'ELOOP') throw moved(path);
    throw new Failure('EXECUTION_FAILED', `Cannot read "${excerpt(path)}" (${code}).`);
  }
}

/** Linux tells where a descriptor is; elsewhere the path must lead to the same file, through no link. */
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
