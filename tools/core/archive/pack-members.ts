import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { BlockedFiles } from '../../../plugins/shared/control-files/blocked-files.ts';
import { fileError } from '../fs/files/file-error.ts';
import { excludedBelow } from '../fs/searching/files-below.ts';
import { isBelow } from '../fs/trees/destination.ts';
import { type PlannedEntry, planTree } from '../fs/trees/tree-plan.ts';
import { BadArchive } from './bad-archive.ts';
import { namesOf } from './entry-name.ts';
import { maxEntries } from './limits.ts';

export interface PackMember extends Pick<PlannedEntry, 'kind' | 'size' | 'mode' | 'modifiedAtMs' | 'target'> {
  /** Path in the archive, with `/` between names. */
  readonly name: string;
  readonly file: string;
}

export interface PackPlan {
  readonly members: readonly PackMember[];
  /** Archive paths of git's own files, which were left out. */
  readonly leftOut: readonly string[];
}

/** Result of packing, as the thread returns it. */
export interface Packed {
  readonly entries: number;
  readonly leftOut: readonly string[];
}

export interface PackOptions {
  /** Files and folders, real paths. */
  readonly paths: readonly string[];
  /** Real paths to exclude: the archive itself, and its temporary file. */
  readonly skip: readonly string[];
  /** Globs to exclude from each folder. */
  readonly exclude: readonly string[];
  /** File to write, in an existing folder. */
  readonly staged: string;
}

/**
 * Plans the entries of an archive, without git's own files. Names start in the deepest folder that holds all of the paths.
 * Throws NOT_FOUND, EXECUTION_FAILED, also for entries that could not be extracted again, and POLICY_DENIED for files that hold
 * secrets.
 */
export async function packMembers(
  { paths, skip, exclude }: PackOptions,
  { controlFiles }: Pick<FunctionContext, 'controlFiles'>,
): Promise<PackPlan> {
  const tops = [...new Set(paths)].filter((path) => !paths.some((other) => isBelow(path, other)));
  const base = tops.map((top) => nodePath.dirname(top)).reduce(commonFolder);
  const members: PackMember[] = [];
  const leftOut: string[] = [];
  const held = new BlockedFiles(controlFiles);
  for (const top of tops) {
    const isBlocked = (path: string): boolean => held.check(nodePath.join(top, path), 'read');
    const left = new Set([...skip, ...(await excludedBelow(top, exclude))]);
    const plan = await planTree(top, { action: 'pack', skip: left, isBlocked, maxEntries }).catch((error: unknown) => {
      throw fileError(error, 'read', (error as NodeJS.ErrnoException).path ?? top);
    });
    for (const path of plan.leftOut) leftOut.push(nodePath.relative(base, nodePath.join(top, path)).split(nodePath.sep).join('/'));
    for (const { path, kind, size, mode, modifiedAtMs, target } of plan.entries) {
      const file = nodePath.join(top, path);
      const name = checkedName(nodePath.relative(base, file).split(nodePath.sep).join('/'), file);
      members.push({ name, file, kind, size, mode, modifiedAtMs, ...(target === undefined ? {} : { target }) });
    }
  }
  held.refuse({ action: 'packed', takesExclude: true });
  if (members.length <= maxEntries) return { members, leftOut };
  throw new ToolkitError(
    'EXECUTION_FAILED',
    `Nothing was packed: there are more than ${maxEntries} files and folders. Pack parts of them.`,
  );
}

function commonFolder(left: string, right: string): string {
  let common = left;
  while (right !== common && !isBelow(right, common)) common = nodePath.dirname(common);
  return common;
}

function checkedName(name: string, file: string): string {
  try {
    if (namesOf(name).length > 0) return name;
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
  }
  throw unfitName(file, 'its name could not be extracted again on every system');
}

export function unfitName(file: string, why: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `Nothing was packed: "${excerpt(file)}": ${why}. Rename it, or leave it out.`, { file });
}
