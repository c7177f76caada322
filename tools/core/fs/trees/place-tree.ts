import { link, lstat, mkdir, readdir, rename } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isThere, makeFolders, removeFolders } from '../files/folders.ts';
import { inLanes } from '../files/in-lanes.ts';
import { putWhereNothingIs } from '../files/staged-file.ts';
import { isRealPath, moved } from '../files/unmoved.ts';

/** Gives a file from a staging folder its place, with the folders above it; over a file only when told to. Throws what `node:fs` throws. */
export async function placeFile(staged: string, destination: string, overwrite: boolean): Promise<void> {
  const made = await makeFolders(nodePath.dirname(destination));
  try {
    await (overwrite ? rename : putWhereNothingIs)(staged, destination);
  } catch (error) {
    await removeFolders(made);
    throw error;
  }
}

interface Step {
  /** In both folders. */
  readonly path: string;
  readonly replaces: boolean;
}

/** Renames that are done side by side. */
const lanes = 8;

/**
 * Gives a folder from a staging folder its place, with the folders above it. Where a folder is already, it is merged into that one: all of it or
 * nothing. A file takes the place of another only when told to; a folder never takes that of a file or link, nor the other way round. Throws
 * EXECUTION_FAILED with what is in the way, else what `node:fs` throws. What was replaced is kept in `staging` until all is done.
 */
export async function placeFolder(staged: string, destination: string, overwrite: boolean, staging: string): Promise<void> {
  if (!(await isThere(destination))) return placeFile(staged, destination, true);
  const steps: Step[] = [];
  const inTheWay: string[] = [];
  await planMerge('', { staged, destination, overwrite, steps, inTheWay });
  if (inTheWay.length > 0) throw conflict(destination, inTheWay, overwrite);
  const kept = nodePath.join(staging, 'replaced');
  await mkdir(kept);
  const done: number[] = [];
  const places = (index: number): Places => {
    const path = steps[index]?.path ?? '';
    return { from: nodePath.join(staged, path), to: nodePath.join(destination, path), aside: nodePath.join(kept, String(index)) };
  };
  try {
    await inLanes(steps.keys(), lanes, async (index) => {
      await place(places(index), steps[index]?.replaces ?? false, () => done.push(index));
    });
  } catch (error) {
    for (const index of done.reverse()) await putBack(places(index), steps[index]?.replaces ?? false).catch(() => {});
    throw error;
  }
}

interface Places {
  readonly from: string;
  readonly to: string;
  /** Where what is replaced is kept, or what was placed is put away. */
  readonly aside: string;
}

/** `onChange`: from here on there is something to put back. */
async function place({ from, to, aside }: Places, replaces: boolean, onChange: () => void): Promise<void> {
  if (!replaces) {
    await putWhereNothingIs(from, to);
    onChange();
    return;
  }
  await keepAside(to, aside);
  onChange();
  await rename(from, to);
}

function putBack({ to, aside }: Places, replaces: boolean): Promise<void> {
  return replaces ? rename(aside, to) : rename(to, aside);
}

/** Under a second name, so that the first is never without a file; file systems without hard links get a rename. */
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

/** `folder`: relative, in both. */
async function planMerge(folder: string, plan: MergePlan): Promise<void> {
  const there = nodePath.join(plan.destination, folder);
  const members = await readdir(nodePath.join(plan.staged, folder), { withFileTypes: true });
  if (!isRealPath(there)) throw moved(there);
  for (const member of members) {
    const path = nodePath.join(folder, member.name);
    const target = nodePath.join(plan.destination, path);
    if (!(await isThere(target))) {
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
