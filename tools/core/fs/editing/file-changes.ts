import { constants, linkSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolders, removeFolders } from '../files/folders.ts';
import { putWhereNothingIs, stageFile, temporaryBeside } from '../files/staged-file.ts';
import { isUnmoved, moved } from '../files/unmoved.ts';
import { type FileState, isSameState } from '../files/whole-file.ts';

/** What a file is to become, worked out beforehand. JSON, so that a thread can work it out. */
export interface FileChange {
  /** A real path. */
  readonly path: string;
  /** All of the new content; null removes the file. */
  readonly text: string | null;
  /** The file that the change was worked out from; null: there was none, and there must be none. */
  readonly previous: FileState | null;
  /** Permissions; null: those of the previous file, or what new files get. */
  readonly mode: number | null;
}

/** What has to be done to go back, and what lies beside the files, at any moment. */
interface Journal {
  readonly undo: (() => unknown)[];
  /** New content without a name yet. */
  readonly staged: string[];
  /** Old content: not needed once everything is done. */
  readonly backups: string[];
}

/**
 * Makes all changes, or none of them: everything is on the disk before the first file gets its name, and a failure takes back what was done.
 * A crash in the middle leaves whole files, old or new. Throws EXECUTION_FAILED, with `changed: true` in the details when a file is not the one
 * that the change was worked out from.
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

/** Gives the temporary file. */
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

/** A rename asks for no right on the file that it replaces; opening it does. */
async function checkedStats(path: string, previous: FileState): Promise<Stats> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isUnmoved(file.fd, path)) throw moved(path);
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
    await putWhereNothingIs(staged, path);
    journal.undo.push(() => rm(path, { force: true }));
    return;
  }
  // Nothing else of this process may come between the check and the rename.
  const backup = temporaryBeside(path);
  let isInPlace = staged !== undefined && isLinked(path, backup);
  if (!isInPlace) renameSync(path, backup);
  journal.undo.push(() => (isInPlace ? rmSync(backup) : renameSync(backup, path)));
  if (!isSameState(lstatSync(backup), previous)) throw changedMeanwhile(path);
  if (staged !== undefined) renameSync(staged, path);
  isInPlace = false;
  journal.backups.push(backup);
}

/** False on file systems without hard links. */
function isLinked(path: string, backup: string): boolean {
  try {
    linkSync(path, backup);
    return true;
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}

/** Gives what could not be taken back. */
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
