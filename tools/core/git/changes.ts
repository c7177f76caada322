import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { outputOf } from './revision.ts';
import type { WorkingTree } from './working-tree.ts';

export interface ChangedFile {
  readonly path: string;
  /** Number of lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Name of a renamed file before the rename. */
  readonly original_path?: string;
}

/** Splits the output of `git diff --numstat -z --patch` into the list of compared files and the diff of these files. */
export function partsOf(stdout: string): { readonly numstat: string; readonly patch: string } {
  let end = 0;
  while (end < stdout.length && stdout[end] !== '\0') {
    const next = stdout.indexOf('\0', end) + 1;
    // For a rename, the old and the new name follow.
    const isRename = /^[^\t]*\t[^\t]*\t$/.test(stdout.slice(end, next - 1));
    end = isRename ? stdout.indexOf('\0', stdout.indexOf('\0', next) + 1) + 1 : next;
    if (next === 0 || end === 0) return { numstat: stdout, patch: '' };
  }
  return { numstat: stdout.slice(0, end), patch: stdout.slice(end + 1) };
}

/** Returns the files of `git diff --numstat -z`. An unmerged file is listed twice, first with zeros. */
export function changedFiles(numstat: string): readonly ChangedFile[] {
  const fields = numstat.split('\0').slice(0, -1);
  const files = new Map<string, ChangedFile>();
  for (let place = 0; place < fields.length; place++) {
    const [added = '', removed = '', ...name] = (fields[place] ?? '').split('\t');
    const counts = { added: countOf(added), removed: countOf(removed) };
    const path = name.join('\t');
    // A rename has an empty path here, and two more fields: old and new name.
    const file = path === '' ? { path: fields[place + 2] ?? '', ...counts, original_path: fields[place + 1] ?? '' } : { path, ...counts };
    if (path === '') place += 2;
    files.set(file.path, file);
  }
  return [...files.values()];
}

function countOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}

/** Options that make git compare without running a program of the repository. */
export const comparing = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--ignore-submodules=dirty'] as const;

/** Returns the files that differ between two revisions. */
export async function filesBetween(run: RunAgain, from: string, to: string): Promise<readonly ChangedFile[]> {
  return changedFiles(await outputOf(run, ['diff-tree', '-r', '-z', '--numstat', ...comparing, from, to], {}));
}

const ofCommit = ['diff-tree', '--root', '--no-commit-id', '-r', '--diff-merges=first-parent'] as const;

/** Returns the files that a commit changed; for a merge, those that differ from its first parent. */
export async function filesOfCommit(run: RunAgain, hash: string): Promise<readonly ChangedFile[]> {
  return changedFiles(await outputOf(run, [...ofCommit, '-z', '--numstat', ...comparing, hash], {}));
}

/** Returns the changes of a commit without these files; for a merge, the differences from its first parent. */
export async function changesOfCommit(
  run: RunAgain,
  hash: string,
  withheld: Iterable<string>,
): Promise<{ readonly files: readonly ChangedFile[]; readonly patch: string }> {
  const { numstat, patch } = partsOf(
    await outputOf(run, without(withheld, [...ofCommit, '-z', '--numstat', '--patch', ...comparing, hash]), {}),
  );
  return { files: changedFiles(numstat), patch };
}

/** Splits files that differ: those that tools may read, and the names, old and new, of those that they may not. */
export async function withoutSecrets(
  files: readonly ChangedFile[],
  tree: WorkingTree,
): Promise<{ readonly files: readonly ChangedFile[]; readonly withheld: ReadonlySet<string> }> {
  const secrets = await tree.secretsAmong(files.flatMap(namesOf));
  const isWithheld = (file: ChangedFile): boolean => namesOf(file).some((name) => secrets.has(name));
  return {
    files: files.filter((file) => !isWithheld(file)),
    // Withholds both names of a rename: with only one of them, git would show the whole content as added or removed.
    withheld: new Set(files.filter(isWithheld).flatMap(namesOf)),
  };
}

function namesOf({ path, original_path: before }: ChangedFile): readonly string[] {
  return before === undefined ? [path] : [before, path];
}

/** Returns the arguments of a git comparison, limited to `path` when it is set, without the withheld names. */
export function without(withheld: Iterable<string>, args: readonly string[], path?: string): readonly string[] {
  const excluded = [...withheld].map((name) => `:(top,exclude,literal)${name}`);
  if (excluded.length === 0) return [...args, '--', ...(path === undefined ? [] : [path])];
  return ['--no-literal-pathspecs', ...args, '--', path === undefined ? ':(top)' : `:(literal)${path}`, ...excluded];
}

/** Returns the part of an output that names withheld files. */
export function leftOut(withheld: Iterable<string>): { readonly left_out?: readonly string[] } {
  const names = [...withheld].sort();
  return names.length === 0 ? {} : { left_out: names };
}
