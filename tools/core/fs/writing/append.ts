import { constants, fstatSync, ftruncateSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { fileError, linkToNothing, notAFile } from '../files/file-error.ts';
import { isStillAt, movedError } from '../files/path-race.ts';
import { renameWithoutReplacing, stageFile } from '../files/staged-file.ts';
import { statIfThere } from '../files/stat-if-there.ts';
import { bytesOf } from './written-bytes.ts';

interface AppendParameters {
  readonly path: string;
  readonly content: string;
  readonly create: boolean;
}

interface AppendResult {
  readonly path: string;
  readonly bytes_written: number;
  /** Size of the file after the call, in bytes. */
  readonly size: number;
  readonly created: boolean;
}

/**
 * Appends a text to a file: all of it, or nothing. Throws INVALID_PARAMETERS for the content, NOT_FOUND and EXECUTION_FAILED
 * for the path.
 */
export async function appendFile({ path, content, create }: AppendParameters): Promise<AppendResult> {
  const bytes = bytesOf(content, 'utf8');
  try {
    const previous = await statIfThere(path);
    if (previous?.isSymbolicLink() === true) throw linkToNothing(path);
    if (previous !== undefined && !previous.isFile()) throw notAFile(previous, 'write', path);
    if (previous === undefined && create && (await createWith(path, bytes))) {
      return { path, bytes_written: bytes.length, size: bytes.length, created: true };
    }
    return { path, bytes_written: bytes.length, size: await appendTo(path, bytes), created: false };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && !create;
    throw isMissing ? notThere(path, error) : fileError(error, 'write', path);
  }
}

/** Creates the file with the content. Returns false when another process created it first. */
async function createWith(path: string, bytes: Buffer): Promise<boolean> {
  const temporary = await stageFile(path, bytes);
  try {
    await renameWithoutReplacing(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Appends and returns the size of the file afterwards. */
async function appendTo(path: string, bytes: Buffer): Promise<number> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isStillAt(file.fd, path)) throw movedError(path);
    const { size } = await file.stat();
    await writeAll(file, bytes, size);
    await file.sync();
    const [written, there] = [await file.stat(), await statIfThere(path)];
    // Another process replaced the file by rename; the new file does not have the appended text.
    return there === undefined || there.ino === written.ino ? written.size : await appendTo(path, bytes);
  } finally {
    await file.close();
  }
}

/** Appends all bytes. After a failure it removes the written part, unless another process has appended since. */
async function writeAll(file: FileHandle, bytes: Buffer, size: number): Promise<void> {
  let written = 0;
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
  } catch (error) {
    if (written > 0 && fstatSync(file.fd).size === size + written) ftruncateSync(file.fd, size);
    throw error;
  }
}

function notThere(path: string, cause: unknown): ToolkitError {
  const message = `Cannot write "${excerpt(path)}": there is no such file. Correct the path, or set create to true.`;
  return new ToolkitError('NOT_FOUND', message, { file: path, errno: 'ENOENT' }, { cause });
}
