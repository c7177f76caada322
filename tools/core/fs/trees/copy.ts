import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { BlockedFiles } from '../../../../plugins/shared/control-files/blocked-files.ts';
import { fileError } from '../files/file-error.ts';
import { type LeftOutResult, leftOutResult } from '../files/git-exclusions.ts';
import { treeProgress } from '../files/step-progress.ts';
import { copyTree } from './copy-tree.ts';
import { destinationError, isBelow, kindAt, refuseOverlap } from './destination.ts';
import { placeFile, placeFolder } from './place-tree.ts';
import { withStaging } from './staging.ts';
import { type EntryKind, planTree } from './tree-plan.ts';

interface CopyParameters {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
  readonly recursive: boolean;
  readonly exclude: readonly string[];
}

interface CopyResult extends LeftOutResult {
  readonly source: string;
  readonly destination: string;
  readonly entries: number;
}

/**
 * Copies a whole file or folder, or nothing. Throws INVALID_PARAMETERS, NOT_FOUND, EXECUTION_FAILED, and POLICY_DENIED for
 * control files.
 */
export async function copy(parameters: CopyParameters, context: FunctionContext): Promise<CopyResult> {
  const { source, destination, overwrite, recursive, exclude } = parameters;
  refuseOverlap(source, destination);
  const isFolder = await isFolderAt(source, recursive);
  try {
    await refuseDestination(destination, isFolder, overwrite);
    const skip = isFolder ? await excluded(source, exclude, context) : new Set<string>();
    const { entries, leftOut } = await copyInto(source, destination, { overwrite, keepAll: false, skip }, context);
    return { source, destination, entries, ...leftOutResult(leftOut) };
  } catch (error) {
    context.signal.throwIfAborted();
    throw fileError(error, 'copy', pathOfFailure(error, source, destination));
  }
}

/** Runs in a child process, because globs become regular expressions. */
async function excluded(folder: string, globs: readonly string[], { inChild }: FunctionContext): Promise<ReadonlySet<string>> {
  if (globs.length === 0) return new Set();
  return new Set((await inChild('./searching/excluded-paths.ts#excludedPaths', { folder, globs })) as string[]);
}

interface Copied {
  /** Number of files, folders and links. */
  readonly entries: number;
  readonly leftOut: readonly string[];
}

interface CopyIntoOptions {
  readonly overwrite: boolean;
  /** True for a move: also copies git's own files, times and owners. */
  readonly keepAll: boolean;
  /** Absolute paths to exclude. */
  readonly skip?: ReadonlySet<string>;
}

/**
 * Copies to a checked path. Throws EXECUTION_FAILED, POLICY_DENIED for control files in the source and in the copy, else what
 * `node:fs` throws.
 */
export async function copyInto(
  source: string,
  destination: string,
  { overwrite, keepAll, skip = new Set() }: CopyIntoOptions,
  { signal, progress, controlFiles }: FunctionContext,
): Promise<Copied> {
  const held = new BlockedFiles(controlFiles);
  const isBlocked = (path: string, kind: EntryKind): boolean =>
    held.check(nodePath.join(source, path), 'read') || held.check(nodePath.join(destination, path), 'write', { isLink: kind === 'link' });
  const options = { action: keepAll ? 'move' : 'copy', absoluteLinks: true, keepsGit: keepAll, signal, skip, isBlocked };
  const { entries: plan, leftOut } = await planTree(source, options);
  held.refuse(keepAll ? { action: 'moved' } : { action: 'copied', takesExclude: true });
  const total = plan.reduce((sum, { size }) => sum + size, 0);
  const onProgress = treeProgress(progress, { verb: 'copied', totalBytes: total });
  await withStaging(destination, async (staging) => {
    const staged = nodePath.join(staging, 'copy');
    await copyTree(source, staged, plan, { signal, onProgress, keepAll });
    signal.throwIfAborted();
    if (plan[0]?.kind === 'folder') await placeFolder(staged, destination, overwrite, staging);
    else await placeFile(staged, destination, overwrite);
  });
  return { entries: plan.length, leftOut };
}

/** Returns the path in an error of `node:fs`; the destination when that path is in the staging folder. */
export function pathOfFailure(error: unknown, source: string, destination: string): string {
  const { path } = error as NodeJS.ErrnoException;
  return path !== undefined && (path === source || isBelow(path, source)) ? path : destination;
}

async function isFolderAt(source: string, recursive: boolean): Promise<boolean> {
  try {
    const isFolder = (await lstat(source)).isDirectory();
    if (!isFolder || recursive) return isFolder;
  } catch (error) {
    throw fileError(error, 'copy', source);
  }
  const message = `Cannot copy "${excerpt(source)}": it is a folder. Set recursive to true to copy it with everything in it.`;
  throw new ToolkitError('EXECUTION_FAILED', message, { file: source });
}

async function refuseDestination(destination: string, isFolder: boolean, overwrite: boolean): Promise<void> {
  const there = await kindAt(destination);
  if (there === 'nothing') return;
  if (there === 'folder' && !isFolder) {
    throw destinationError(destination, 'is a folder, and a file is to be copied. Add the name of the copy to destination');
  }
  if (there === 'file' && isFolder)
    throw destinationError(destination, 'is a file, and a folder is to be copied. Choose another destination');
  if (overwrite) return;
  const advice = isFolder ? 'merge the copy into it, replacing files of the same name' : 'replace it';
  throw destinationError(destination, `exists already. Set overwrite to true to ${advice}, or choose another destination`);
}
