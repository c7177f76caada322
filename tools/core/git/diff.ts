import { ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { changedFiles, comparing, leftOut, without, withoutSecrets } from './changes.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { openRepository } from './repository.ts';
import { outputOf } from './revision.ts';
import { WorkingTree } from './working-tree.ts';

interface DiffParameters {
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly staged: boolean;
  readonly stat: boolean;
}

/** Adds what is compared to the arguments. Throws INVALID_PARAMETERS for a combination that compares nothing. */
export const openForDiff: Preparer = async (invocation, around) => {
  const given = around.parameters as unknown as DiffParameters;
  const args = without([], [...invocation.args, ...comparing, ...compared(given)], given.path);
  if (given.path !== undefined) await new WorkingTree(around).refuseSecret(given.path);
  return { ...(await openRepository(invocation, around)), args };
};

/** The files of `git diff --numstat -z` and, unless `stat`, the diff, which takes a second run. */
export const diff: OutputParser = async (stdout, { exitCode, stderr, parameters, run, controlFiles }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const given = parameters as unknown as DiffParameters;
  const tree = new WorkingTree({ parameters, controlFiles });
  const { files, withheld } = await withoutSecrets(changedFiles(stdout), tree);
  return { diff: given.stat || files.length === 0 ? '' : await patch(), files, ...leftOut(withheld) };

  async function patch(): Promise<string> {
    try {
      const printed = await outputOf(run, without(withheld, ['diff', '--patch', ...comparing, ...compared(given)], given.path), parameters);
      await refuseChanged();
      return printed;
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'OUTPUT_TOO_LARGE') throw error;
      const advice = `Ask for the ${files.length} files with stat: true, then for the diff of single ones with path.`;
      throw new ToolkitError(error.code, `${error.message} ${advice}`, error.details, { cause: error.cause });
    }
  }

  /** What is withheld was listed before; a file that differs only since then would be in the diff. */
  async function refuseChanged(): Promise<void> {
    const after = await outputOf(run, without([], ['diff', '--numstat', '-z', ...comparing, ...compared(given)], given.path), parameters);
    const { withheld: now } = await withoutSecrets(changedFiles(after), tree);
    if ([...now].some((name) => !withheld.has(name)))
      throw new ToolkitError('EXECUTION_FAILED', 'The repository changed while it was compared. Call again.');
  }
};

/** `main...feature` as `main^{commit}...feature^{commit}`. */
function commitsIn(revision: string): string {
  const [, from = '', dots = '', to = ''] = /^(.*?)(\.{2,3})(.*)$/s.exec(revision) ?? [];
  const commit = (name: string): string => `${name === '' ? 'HEAD' : name}^{commit}`;
  return dots === '' ? commit(revision) : `${commit(from)}${dots}${commit(to)}`;
}

/** The commits to compare. Commits alone: objects and folders of them would lose the names by which files are known. */
function compared({ from, to, staged }: DiffParameters): readonly string[] {
  if (to !== undefined && from === undefined) throw wrongParameter('to', 'expected together with from, received alone');
  if (to !== undefined && staged)
    throw wrongParameter('staged', 'expected false with to: what is staged is compared with one commit, from');
  const revisions = [from, to].flatMap((revision) => (revision === undefined ? [] : [commitsIn(revision)]));
  return [...(staged ? ['--cached'] : []), '--end-of-options', ...revisions];
}
