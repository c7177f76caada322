import { lstat, readdir } from 'node:fs/promises';
import { excerpt, type IdentityPart, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { fileIdentity, isRenamed } from '../../../../plugins/shared/bound-files/file-identity.ts';
import { newReadBudget } from '../../../../plugins/shared/bound-files/read-budget.ts';
import { shownPath } from '../../../../plugins/shared/bound-files/shown-path.ts';
import { BlockedFiles } from '../../../../plugins/shared/control-files/blocked-files.ts';
import { fileError } from '../files/file-error.ts';
import { entryStep, stepProgress } from '../files/step-progress.ts';
import { removeTree } from './remove-tree.ts';
import { refuseRoot } from './root.ts';
import { setAside } from './set-aside.ts';

interface DeleteParameters {
  readonly path: string;
  readonly recursive: boolean;
  /** First of the roots. */
  readonly root: string;
}

interface DeleteResult {
  readonly path: string;
  readonly entries: number;
}

/**
 * Deletes a file or folder. An approved one is first renamed aside, compared there, and deleted there. Throws
 * INVALID_PARAMETERS for a root, NOT_FOUND, POLICY_DENIED for a folder with control files, APPROVAL_DENIED, and
 * EXECUTION_FAILED for a folder that is not empty and for an entry that cannot be removed.
 */
export async function remove({ path, recursive, root }: DeleteParameters, context: FunctionContext): Promise<DeleteResult> {
  refuseRoot(path, { parameter: 'path', root, action: 'deleted' });
  let removed = 0;
  try {
    const isFolder = (await lstat(path)).isDirectory();
    if (isFolder && !recursive) await refuseFullFolder(path);
    await refuseControlFiles(path, path, isFolder, context);
    const report = stepProgress(context.progress, { step: entryStep, message: 'entries deleted' });
    const onEntry = (entries: number): void => {
      removed = entries;
      report(entries);
    };
    const removal = { signal: context.signal, onEntry };
    const approved = context.identity?.files?.[shownPath(path, root)];
    if (approved === undefined) return { path, entries: await removeTree(path, removal) };
    const entries = await setAside(path, async (asidePath) => {
      await refuseOther(approved, path, asidePath, context);
      await refuseControlFiles(path, asidePath, isFolder, context);
      return removeTree(asidePath, removal);
    });
    return { path, entries };
  } catch (error) {
    context.signal.throwIfAborted();
    throw withCount(fileError(error, 'delete', (error as NodeJS.ErrnoException).path ?? path), removed);
  }
}

async function refuseControlFiles(
  path: string,
  place: string,
  isFolder: boolean,
  { controlFiles, signal }: FunctionContext,
): Promise<void> {
  if (!isFolder) return;
  const held = new BlockedFiles(controlFiles);
  await held.checkFolder(place, signal, path);
  held.refuse({ action: 'deleted' });
}

/** Throws APPROVAL_DENIED when the content at the path was replaced between the last check and the renaming. */
async function refuseOther(
  approved: IdentityPart,
  path: string,
  asidePath: string,
  { controlFiles, signal }: FunctionContext,
): Promise<void> {
  const now = await fileIdentity(asidePath, { binds: 'content', controlFiles, signal, budget: newReadBudget() });
  if (isRenamed(approved, now)) return;
  const message = `"${excerpt(path)}" was not deleted: it is not what was approved (${approved.shown}) but ${now.shown}. Call again, to have that approved.`;
  throw new ToolkitError('APPROVAL_DENIED', message, { file: path });
}

async function refuseFullFolder(path: string): Promise<void> {
  const { length } = await readdir(path);
  if (length === 0) return;
  const held = length === 1 ? '1 entry' : `${length} entries`;
  const message = `Cannot delete "${excerpt(path)}": it is a folder that holds ${held}. Set recursive to true to delete it with everything in it.`;
  throw new ToolkitError('EXECUTION_FAILED', message, { file: path });
}

/** Adds the number of removed entries to an error: they are gone, and the caller must know. */
function withCount(error: ToolkitError, removed: number): ToolkitError {
  if (removed === 0) return error;
  const message = `${error.message} ${removed} files, folders and links of it are deleted already.`;
  return new ToolkitError(error.code, message, { ...error.details, removed }, { cause: error });
}
