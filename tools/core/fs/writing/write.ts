import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { StreamedText } from '../../../../plugins/shared/text/streamed-text.ts';
import { fileError, linkToNothing, notAFile } from '../files/file-error.ts';
import { makeFolders, removeFolders } from '../files/folders.ts';
import { isStillAt, movedError } from '../files/path-race.ts';
import { renameWithoutReplacing, stageFile } from '../files/staged-file.ts';
import { statIfThere } from '../files/stat-if-there.ts';
import { bytesOf, bytesOfPieces, type WriteEncoding } from './written-bytes.ts';

interface WriteParameters {
  readonly path: string;
  readonly content: StreamedText;
  readonly encoding: WriteEncoding;
  readonly create_directories: boolean;
  readonly overwrite: boolean;
}

interface WriteResult {
  readonly path: string;
  readonly bytes_written: number;
  readonly created: boolean;
  readonly previous_sha256?: string;
}

/**
 * Writes a whole file, or nothing at all. Throws INVALID_PARAMETERS for the content, NOT_FOUND and EXECUTION_FAILED for the
 * path.
 */
export async function writeFile({ path, content, encoding, create_directories, overwrite }: WriteParameters): Promise<WriteResult> {
  let written = 0;
  const count = (bytes: number): void => {
    written += bytes;
  };
  const bytes = typeof content === 'string' ? bytesOf(content, encoding) : bytesOfPieces(content, encoding, count);
  if (Buffer.isBuffer(bytes)) count(bytes.length);
  try {
    const previous = await statIfThere(path);
    if (previous?.isSymbolicLink() === true) throw linkToNothing(path);
    if (previous !== undefined && !previous.isFile()) throw notAFile(previous, 'write', path);
    if (previous !== undefined && !overwrite) throw alreadyThere(path);
    // A rename needs no permission on the file that it replaces, so the file is read to check.
    const previousHash = previous === undefined ? {} : { previous_sha256: await sha256Of(path) };
    const made = previous === undefined && create_directories ? await makeFolders(nodePath.dirname(path)) : [];
    await writeAtomically(path, bytes, previous, overwrite).catch(async (error: unknown) => {
      await removeFolders(made);
      throw error;
    });
    return { path, bytes_written: written, created: previous === undefined, ...previousHash };
  } catch (error) {
    throw fileError(error, 'write', path);
  }
}

/** Returns the digest of a file that may be written. */
async function sha256Of(path: string): Promise<string> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isStillAt(file.fd, path)) throw movedError(path);
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

async function writeAtomically(
  target: string,
  bytes: Buffer | AsyncIterable<Buffer>,
  previous: Stats | undefined,
  overwrite: boolean,
): Promise<void> {
  const temporary = await stageFile(target, bytes, previous);
  try {
    if (overwrite) await rename(temporary, target);
    else await renameWithoutReplacing(temporary, target);
  } catch (error) {
    throw !overwrite && (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(target) : error;
  } finally {
    await rm(temporary, { force: true });
  }
}

function alreadyThere(target: string): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `"${excerpt(target)}" exists already and nothing was written. Set overwrite to true to replace it, or choose another path.`,
    { file: target },
  );
}
