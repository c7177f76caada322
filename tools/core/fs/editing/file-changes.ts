import { constants, linkSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolders, removeFolders } from '../files/folders.ts';
import { isStillAt, movedError } from '../files/path-race.ts';
import { renameWithoutReplacing, stageFile, temporaryPath } from '../files/staged-file.ts';
import { type FileState, isSameState } from '../files/whole-file.ts';

/** Planned change of one file. JSON, so that a thread can plan it. */
export interface FileChange {
  /** Real path of the file. */
  readonly path: string;
  /** New content of the whole file; null removes the file. */
  readonly text: string | null;
  /** State of the file that the plan was made from; null when there was no file, and there must still be none. */
  readonly previous: FileState | null;
  /** Permissions; null: those of the previous file, or the default of new files. */
  readonly mode: number | null;
}

/** Steps that undo the work so far, and the temporary files that exist now. */
interface Journal {
  readonly undo: (() => unknown)[];
  /** Temporary files with new content that have not been renamed yet. */
  readonly staged: string[];
  /** Copies of old content, removed when all changes are made. */
  readonly backups: string[];
}

/**
 * Makes all changes, or none: everything is on disk before the first file is renamed into place, and a failure undoes the steps
 * before it. A crash leaves each file complete, old or new. Throws EXECUTION_FAILED, with `changed: true` in the details when a
 * file is not the one that the plan was made from.
 */
export async function commitChanges(changes: readonly FileChange[], signal: AbortSignal): Promise<void> {
  const journal: Journal = { undo: [], staged: [], backups: [] };
  let current = '';
  try {
    const staged: (string | undefined)[] = [];
    for (const change of changes) {
      signal.throwIfAborted();
      current = change.path;
      staged.push(await stage(change, journal));
    }
    for (const [index, change] of changes.entries()) {
      current = change.path;
      await put(change, staged[index], journal);
    }
    await removeAll([...journal.staged, ...journal.backups]);
  } catch (error) {
    await removeAll(journal.staged);
    const lost = await takeBack(journal);
    signal.throwIfAborted();
    throw failure(fileError(error, 'write', current), lost);
  }
}

async function removeAll(files: readonly string[]): Promise<void> {
  await Promise.allSettled(files.map((file) => rm(file, { force: true })));
}

/** Writes the new content into a temporary file and returns its path. */
async function stage({ path, text, previous, mode }: FileChange, { undo, staged }: Journal): Promise<string | undefined> {
  if (text === null) return undefined;
  const like = previous === null ? undefined : await checkedStats(path, previous);
  if (previous === null) {
    const folders = await makeFolders(nodePath.dirname(path));
    undo.push(() => removeFolders(folders));
  }
  const temporary = await stageFile(path, Buffer.from(text), mode === null ? like : { ...like, mode });
  staged.push(temporary);
  return temporary;
}

/**
 * Returns the facts of a file that may be written. A rename needs no permission on the file that it replaces, so the file is
 * opened to check.
 */
async function checkedStats(path: string, previous: FileState): Promise<Stats> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isStillAt(file.fd, path)) throw movedError(path);
    const stats = await file.stat();
    if (!isSameState(stats, previous)) throw changedMeanwhile(path);
    return stats;
  } finally {
    await file.close();
  }
}

async function put({ path, previous }: FileChange, staged: string | undefined, journal: Journal): Promise<void> {
  if (previous === null) {
    if (staged === undefined) return;
    await renameWithoutReplacing(staged, path);
    journal.undo.push(() => rm(path, { force: true }));
    return;
  }
  // Synchronous: no other code of this process may run between the check and the rename.
  const backup = temporaryPath(path);
  let isInPlace = staged !== undefined && tryLink(path, backup);
  if (!isInPlace) renameSync(path, backup);
  journal.undo.push(() => (isInPlace ? rmSync(backup) : renameSync(backup, path)));
  if (!isSameState(lstatSync(backup), previous)) throw changedMeanwhile(path);
  if (staged !== undefined) renameSync(staged, path);
  isInPlace = false;
  journal.backups.push(backup);
}

/** Makes a hard link as a backup. Returns false on file systems without hard links. */
function tryLink(path: string, backup: string): boolean {
  try {
    linkSync(path, backup);
    return true;
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}

/** Undoes the steps, last first, and returns the errors of those that failed. */
async function takeBack({ undo }: Journal): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const step of undo.reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

function failure(error: ToolkitError, lost: readonly unknown[]): ToolkitError {
  const end =
    lost.length === 0
      ? 'No file was changed.'
      : `${lost.length} steps could not be taken back; the old files are beside the new ones, with names like .toolkit-….tmp.`;
  return new ToolkitError(error.code, `${error.message} ${end}`, error.details, { cause: error.cause });
}

function changedMeanwhile(path: string): ToolkitError {
  const message = `"${excerpt(path)}" has changed while it was worked on. Read it again, then repeat the call.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path, changed: true, retryable: true });
}
