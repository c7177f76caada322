import { lstat, readdir, rename, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { BlockedFiles } from '../../../../plugins/shared/control-files/blocked-files.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolders, removeFolders } from '../files/folders.ts';
import { isRealPath, movedError } from '../files/path-race.ts';
import { renameWithoutReplacing } from '../files/staged-file.ts';
import { copyInto, pathOfFailure } from './copy.ts';
import { destinationError, kindAt, refuseOverlap } from './destination.ts';
import { removeTree } from './remove-tree.ts';
import { refuseRoot } from './root.ts';

interface MoveParameters {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
  /** First of the roots. */
  readonly root: string;
}

interface MoveResult {
  readonly source: string;
  readonly destination: string;
}

/**
 * Renames a file or folder; between file systems it copies it and then removes the source. Throws INVALID_PARAMETERS,
 * NOT_FOUND, EXECUTION_FAILED, and POLICY_DENIED for a folder with control files.
 */
export async function move({ source, destination, overwrite, root }: MoveParameters, context: FunctionContext): Promise<MoveResult> {
  refuseRoot(source, { parameter: 'source', root, action: 'moved' });
  refuseOverlap(source, destination);
  try {
    const isFolder = (await lstat(source)).isDirectory();
    const replaces = await refuseDestination(destination, isFolder, overwrite);
    const held = new BlockedFiles(context.controlFiles);
    if (isFolder) await held.checkFolder(source, context.signal, destination);
    held.refuse({ action: 'moved' });
    context.signal.throwIfAborted();
    if (!(await renamed(source, destination, isFolder || replaces))) await moveByCopy(source, destination, overwrite, context);
    return { source, destination };
  } catch (error) {
    context.signal.throwIfAborted();
    throw fileError(error, 'move', pathOfFailure(error, source, destination));
  }
}

/**
 * Refuses a destination that may not be replaced. Returns true when the move replaces something: a file a file, a folder an
 * empty folder.
 */
async function refuseDestination(destination: string, isFolder: boolean, overwrite: boolean): Promise<boolean> {
  const there = await kindAt(destination);
  if (there === 'nothing') return false;
  if (isFolder !== (there === 'folder')) {
    const [old, own] = isFolder ? ['file', 'folder'] : ['folder', 'file'];
    throw destinationError(
      destination,
      `is a ${old}, and a ${own} is to be moved there. Add its name to destination, or choose another destination`,
    );
  }
  if (!overwrite) throw destinationError(destination, 'exists already. Set overwrite to true to replace it, or choose another destination');
  if (isFolder && (await readdir(destination)).length > 0) {
    throw destinationError(destination, 'is a folder that is not empty. Delete it with fs_delete, or merge into it with fs_copy');
  }
  return true;
}

/**
 * Renames and returns true; false when the paths are on different file systems. `mayReplace`: a plain rename, which replaces a
 * file or an empty folder.
 */
async function renamed(source: string, destination: string, mayReplace: boolean): Promise<boolean> {
  const made = await makeFolders(nodePath.dirname(destination));
  try {
    if (!isRealPath(nodePath.dirname(source))) throw movedError(source);
    await (mayReplace ? rename : renameWithoutReplacing)(source, destination);
    if (!mayReplace) await rm(source, { force: true });
    return true;
  } catch (error) {
    await removeFolders(made);
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false;
    throw error;
  }
}

async function moveByCopy(source: string, destination: string, overwrite: boolean, context: FunctionContext): Promise<void> {
  await copyInto(source, destination, { overwrite, keepAll: true }, context);
  try {
    // The copy is complete: the move is finished from here on, even when the caller is gone.
    await removeTree(source, { signal: new AbortController().signal, onEntry: () => {} });
  } catch (error) {
    const { message } = fileError(error, 'delete', (error as NodeJS.ErrnoException).path ?? source);
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `"${excerpt(source)}" was copied to "${excerpt(destination)}" as a whole, but not all of the source could be removed. ${message}`,
      { file: source },
      { cause: error },
    );
  }
}
