import { lstat, readdir } from 'node:fs/promises';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { HeldFiles } from '../../../../plugins/shared/control-files/held-files.ts';
import { fileError } from '../files/file-error.ts';
import { entryStep, stepProgress } from '../files/step-progress.ts';
import { removeTree } from './remove-tree.ts';
import { refuseRoot } from './root.ts';

interface DeleteParameters {
  readonly path: string;
  readonly recursive: boolean;
  /** The first of the roots. */
  readonly root: string;
}

interface DeleteResult {
  readonly path: string;
  readonly entries: number;
}

/**
 * Throws INVALID_PARAMETERS for a root, NOT_FOUND, POLICY_DENIED for a folder with control files, and EXECUTION_FAILED for one that is not empty
 * and for what cannot be removed.
 */
export async function remove({ path, recursive, root }: DeleteParameters, context: FunctionContext): Promise<DeleteResult> {
  refuseRoot(path, { parameter: 'path', root, action: 'deleted' });
  let removed = 0;
  try {
    const isFolder = (await lstat(path)).isDirectory();
    if (isFolder && !recursive) await refuseFullFolder(path);
    const held = new HeldFiles(context.controlFiles);
    if (isFolder) await held.lookThrough(path, context.signal);
    held.refuse({ done: 'deleted' });
    const report = stepProgress(context.progress, { step: entryStep, message: 'entries deleted' });
    const onEntry = (entries: number): void => {
      removed = entries;
      report(entries);
    };
    return { path, entries: await removeTree(path, { signal: context.signal, onEntry }) };
  } catch (error) {
    context.signal.throwIfAborted();
    throw withCount(fileError(error, 'delete', (error as NodeJS.ErrnoException).path ?? path), removed);
  }
}

async function refuseFullFolder(path: string): Promise<void> {
  const { length } = await readdir(path);
  if (length === 0) return;
  const held = length === 1 ? '1 entry' : `${length} entries`;
  const message = `Cannot delete "${excerpt(path)}": it is a folder that holds ${held}. Set recursive to true to delete it with everything in it.`;
  throw new ToolkitError('EXECUTION_FAILED', message, { file: path });
}

/** What was removed before it failed is gone, and the caller must know. */
function withCount(error: ToolkitError, removed: number): ToolkitError {
  if (removed === 0) return error;
  const message = `${error.message} ${removed} files, folders and links of it are deleted already.`;
  return new ToolkitError(error.code, message, { ...error.details, removed }, { cause: error });
}
