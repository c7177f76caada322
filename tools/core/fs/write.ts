import { createHash, randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { fileError, notAFile } from './file-error.ts';
import { isUnmoved, moved } from './unmoved.ts';
import { bytesOf, type WriteEncoding } from './written-bytes.ts';

interface WriteParameters {
  readonly path: string;
  readonly content: string;
  readonly encoding: WriteEncoding;
  readonly create_directories: boolean;
  readonly if_exists: 'fail' | 'overwrite';
}

interface WriteResult {
  readonly path: string;
  readonly bytes_written: number;
  readonly created: boolean;
  readonly previous_sha256?: string;
}

/** Writes a whole file, or nothing at all. Throws INVALID_PARAMETERS for the content, NOT_FOUND and EXECUTION_FAILED for the place. */
export async function writeFile({ path, content, encoding, create_directories, if_exists }: WriteParameters): Promise<WriteResult> {
  const bytes = bytesOf(content, encoding);
  try {
    const previous = await statIfThere(path);
    if (previous?.isSymbolicLink() === true) throw linkToNothing(path);
    if (previous !== undefined && !previous.isFile()) throw notAFile(previous, 'write', path);
    if (previous !== undefined && if_exists === 'fail') throw alreadyThere(path);
    if (previous === undefined && create_directories) await mkdir(nodePath.dirname(path), { recursive: true });
    // A rename asks for no right on the file that it replaces.
    const previousHash = previous === undefined ? {} : { previous_sha256: await sha256Of(path) };
    await writeAtomically(path, bytes, previous, if_exists);
    return { path, bytes_written: bytes.length, created: previous === undefined, ...previousHash };
  } catch (error) {
    throw fileError(error, 'write', path);
  }
}

/** Path confinement hands over the file behind a link; what is a link now leads to nothing, or was put there since. */
function linkToNothing(path: string): ToolkitError {
  const message = `Cannot write "${excerpt(path)}": it is a symbolic link to something that does not exist. Write to the place that you mean.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path });
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Of a file that may be written. */
async function sha256Of(path: string): Promise<string> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isUnmoved(file.fd, path)) throw moved(path);
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

async function writeAtomically(target: string, bytes: Buffer, previous: Stats | undefined, ifExists: 'fail' | 'overwrite'): Promise<void> {
  const temporary = nodePath.join(nodePath.dirname(target), `.toolkit-${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      // Where the temporary file is, the rename happens: through a folder that is another one by then, it finds nothing to rename.
      if (!isUnmoved(file.fd, temporary)) throw moved(target);
      await file.writeFile(bytes);
      if (previous !== undefined) await keepOwnerAndMode(file, previous);
      await file.sync();
    } finally {
      await file.close();
    }
    if (ifExists === 'overwrite') await rename(temporary, target);
    else await putWhereNothingIs(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function keepOwnerAndMode(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  // Only root may give a file away; anyone else keeps the content and the mode.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}

/** A hard link fails where a file is, and a rename does not. File systems without hard links get the rename. */
async function putWhereNothingIs(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyThere(target);
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(code)) throw error;
    await rename(temporary, target);
  }
}

function alreadyThere(target: string): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `"${excerpt(target)}" exists already and nothing was written. Set if_exists to "overwrite" to replace it, or choose another path.`,
    { file: target },
  );
}
