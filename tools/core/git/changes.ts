import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { outputOf } from './revision.ts';

export interface ChangedFile {
  readonly path: string;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Where a renamed file was before. */
  readonly original_path?: string;
}

/** The files of `git diff --numstat -z`. One that is unmerged comes twice there, first with zeros. */
export function changedFiles(numstat: string): readonly ChangedFile[] {
  const fields = numstat.split('\0').slice(0, -1);
  const files = new Map<string, ChangedFile>();
  for (let place = 0; place < fields.length; place++) {
    const [added = '', removed = '', ...name] = (fields[place] ?? '').split('\t');
    const counts = { added: countOf(added), removed: countOf(removed) };
    const path = name.join('\t');
    // A rename has no path here, but two more fields: before and after.
    const file = path === '' ? { path: fields[place + 2] ?? '', ...counts, original_path: fields[place + 1] ?? '' } : { path, ...counts };
    if (path === '') place += 2;
    files.set(file.path, file);
  }
  return [...files.values()];
}

function countOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}

/** What makes git compare without running a program of the repository. */
export const comparing = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--ignore-submodules=dirty'] as const;

/** The files that differ between two revisions. */
export async function filesBetween(run: RunAgain, from: string, to: string): Promise<readonly ChangedFile[]> {
  return changedFiles(await outputOf(run, ['diff-tree', '-r', '-z', '--numstat', ...comparing, from, to], {}));
}

const ofCommit = ['diff-tree', '--root', '--no-commit-id', '-r', '--diff-merges=first-parent'] as const;

/** The files that a commit changed; of a merge, those that differ from its first parent. */
export async function filesOfCommit(run: RunAgain, hash: string): Promise<readonly ChangedFile[]> {
  return changedFiles(await outputOf(run, [...ofCommit, '-z', '--numstat', ...comparing, hash], {}));
}

/** The diff of a commit, of a merge that to its first parent. */
export async function diffOfCommit(run: RunAgain, hash: string): Promise<string> {
  return outputOf(run, [...ofCommit, '--patch', ...comparing, hash], {});
}
