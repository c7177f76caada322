import { link, lstat, mkdir, readdir, rename } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { makeFolders, pathExists, removeFolders } from '../files/folders.ts';
import { runParallel } from '../files/parallel.ts';
import { isRealPath, movedError } from '../files/path-race.ts';
import { renameWithoutReplacing } from '../files/staged-file.ts';

/**
 * Moves a file from a staging folder to its destination and creates the folders above it. Replaces a file only with
 * `overwrite`. Throws what `node:fs` throws.
 */
export async function placeFile(staged: string, destination: string, overwrite: boolean): Promise<void> {
  const made = await makeFolders(nodePath.dirname(destination));
  try {
    await (overwrite ? rename : renameWithoutReplacing)(staged, destination);
  } catch (error) {
    await removeFolders(made);
    throw error;
  }
}

interface Step {
  /** Path relative to both folders. */
  readonly path: string;
  readonly replaces: boolean;
}

/** Number of parallel renames. */
const lanes = 8;

/**
 * Moves a folder from a staging folder to its destination and creates the folders above it. Merges it into an existing folder:
 * all of it or nothing. A file replaces another only with `overwrite`; a folder never replaces a file or link, nor the other
 * way round. Throws EXECUTION_FAILED that names the conflict, else what `node:fs` throws. Replaced files stay in `staging`
 * until all is done.
 */
export async function placeFolder(staged: string, destination: string, overwrite: boolean, staging: string): Promise<void> {
  if (!(await pathExists(destination))) return placeFile(staged, destination, true);
  const steps: Step[] = [];
  const inTheWay: string[] = [];
  await planMerge('', { staged, destination, overwrite, steps, inTheWay });
  if (inTheWay.length > 0) throw conflict(destination, inTheWay, overwrite);
  const kept = nodePath.join(staging, 'replaced');
  await mkdir(kept);
  const done: number[] = [];
  const places = (index: number): MovePaths => {
    const path = steps[index]?.path ?? '';
    return { from: nodePath.join(staged, path), to: nodePath.join(destination, path), aside: nodePath.join(kept, String(index)) };
  };
  try {
    await runParallel(steps.keys(), lanes, async (index) => {
      await moveIntoPlace(places(index), steps[index]?.replaces ?? false, () => done.push(index));
    });
  } catch (error) {
    for (const index of done.reverse()) await putBack(places(index), steps[index]?.replaces ?? false).catch(() => {});
    throw error;
  }
}

interface MovePaths {
  readonly from: string;
  readonly to: string;
  /** Path for a replaced file, or, when a step is undone, for the moved one. */
  readonly aside: string;
}

/** Moves one entry. Calls `onChange` as soon as there is a change to undo. */
async function moveIntoPlace({ from, to, aside }: MovePaths, replaces: boolean, onChange: () => void): Promise<void> {
  if (!replaces) {
    await renameWithoutReplacing(from, to);
    onChange();
    return;
  }
  await keepAside(to, aside);
  onChange();
  await rename(from, to);
}

function putBack({ to, aside }: MovePaths, replaces: boolean): Promise<void> {
  return replaces ? rename(aside, to) : rename(to, aside);
}

/** Makes a hard link as the backup, so that the original path always has a file; file systems without hard links get a rename. */
async function keepAside(file: string, aside: string): Promise<void> {
  await link(file, aside).catch(() => rename(file, aside));
}

interface MergePlan {
  readonly staged: string;
  readonly destination: string;
  readonly overwrite: boolean;
  readonly steps: Step[];
  readonly inTheWay: string[];
}

/** Plans the renames of a folder and its content. `folder`: path relative to both folders. */
async function planMerge(folder: string, plan: MergePlan): Promise<void> {
  const there = nodePath.join(plan.destination, folder);
  const members = await readdir(nodePath.join(plan.staged, folder), { withFileTypes: true });
  if (!isRealPath(there)) throw movedError(there);
  for (const member of members) {
    const path = nodePath.join(folder, member.name);
    const target = nodePath.join(plan.destination, path);
    if (!(await pathExists(target))) {
      plan.steps.push({ path, replaces: false });
      continue;
    }
    const isFolder = (await lstat(target)).isDirectory();
    if (isFolder && member.isDirectory()) await planMerge(path, plan);
    else if (isFolder || member.isDirectory() || !plan.overwrite) plan.inTheWay.push(target);
    else plan.steps.push({ path, replaces: true });
  }
}

function conflict(destination: string, inTheWay: readonly string[], overwrite: boolean): ToolkitError {
  const [first = destination] = inTheWay;
  const others = inTheWay.length === 1 ? ' exists' : ` and ${inTheWay.length - 1} others exist`;
  const advice = overwrite
    ? 'A file does not take the place of a folder, nor a folder that of a file or link. Choose another destination, or delete it with fs_delete'
    : 'Set overwrite to true to replace files, or choose another destination';
  return new ToolkitError('EXECUTION_FAILED', `Nothing was written: "${excerpt(first)}"${others} already. ${advice}.`, {
    file: first,
  });
}
