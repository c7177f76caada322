import { link, lstat, mkdir, mkdtemp, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, ToolkitError } from '../../../../kernel/index.ts';

export interface NewFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/**
 * Writes all files or none. Each file is complete before it gets its name; written files are removed again when one fails or the signal
 * aborts. Creates missing folders. Throws EXECUTION_FAILED, also when a file already exists: none is overwritten.
 */
export async function writeAll(files: readonly NewFile[], signal: AbortSignal): Promise<void> {
  for (const { file } of files) if (await pathExists(file)) throw existsError(file);
  const top = commonFolder(files.map(({ file }) => file));
  const undo: (() => Promise<void>)[] = [];
  const throwIfAborted = (): void => {
    if (signal.aborted) throw new ToolkitError('ABORTED', 'Nothing was written: it was cancelled.');
  };
  try {
    await makeFolder(top, undo);
    // Hidden, so that discovery ignores it; in the same file system.
    const staging = await mkdtemp(path.join(top, '.toolkit-new-'));
    undo.push(() => rm(staging, { recursive: true, force: true }));
    for (const [index, { text }] of files.entries()) await writeFile(path.join(staging, String(index)), text);
    for (const [index, { file }] of files.entries()) {
      throwIfAborted();
      await makeFolder(path.dirname(file), undo);
      await moveFile(path.join(staging, String(index)), file);
      undo.push(() => unlink(file));
    }
    throwIfAborted();
    await rm(staging, { recursive: true, force: true });
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => {});
    if (ToolkitError.is(error)) throw error;
    const reason = reasons[(error as { code?: string }).code ?? ''];
    const problem = reason === undefined ? messageOf(error) : `${top}: ${reason}. Correct that, or choose another folder with --into`;
    throw new ToolkitError('EXECUTION_FAILED', `Nothing was written: ${problem}.`, {}, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there (EACCES)',
  EPERM: 'this user may not write there (EPERM)',
  EROFS: 'the file system is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  ENOENT: 'no folder can be made there (ENOENT)',
  ENAMETOOLONG: 'the name is too long (ENAMETOOLONG)',
};

export async function pathExists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function existsError(file: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `Nothing was written: ${file} is there already. Choose another name, or move it away.`);
}

/** Moves a file without overwriting: a link fails when the target exists. File systems without links rename. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') throw existsError(to);
    await rename(from, to);
  }
}

/** Creates a folder and its parents. Undo removes those that are still empty. */
async function makeFolder(folder: string, undo: (() => Promise<void>)[]): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found !== undefined && !found.isDirectory())
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `Nothing was written: ${folder} is no folder. Choose another one with --into, or move it away.`,
    );
  if (found !== undefined || path.dirname(folder) === folder) return;
  // One folder at a time: where none can be created, as in /proc, a recursive mkdir never ends.
  await makeFolder(path.dirname(folder), undo);
  try {
    await mkdir(folder);
    undo.push(() => rmdir(folder));
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
}

function commonFolder(files: readonly string[]): string {
  const [first = '.', ...rest] = files.map((file) => path.dirname(file));
  return rest.reduce((common, folder) => {
    let at = common;
    while (at !== folder && !folder.startsWith(path.join(at, path.sep)) && path.dirname(at) !== at) at = path.dirname(at);
    return at;
  }, first);
}
