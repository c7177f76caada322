import { ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { type ChangedFile, changedFiles, comparing } from './changes.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { openRepository } from './repository.ts';
import { outputOf } from './revision.ts';

interface DiffParameters {
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly staged: boolean;
  readonly stat: boolean;
}

/** Adds what is compared to the arguments. Throws INVALID_PARAMETERS for a combination that compares nothing. */
export const openForDiff: Preparer = async (invocation, around) => {
  const args = [...invocation.args, ...comparing, ...compared(around.parameters as unknown as DiffParameters)];
  return { ...(await openRepository(invocation, around)), args };
};

/** The files of `git diff --numstat -z` and, unless `stat`, the diff, which takes a second run. */
export const diff: OutputParser = async (stdout, { exitCode, stderr, parameters, run }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const given = parameters as unknown as DiffParameters;
  const files = changedFiles(stdout);
  return { diff: given.stat || files.length === 0 ? '' : await patch(), files } satisfies { diff: string; files: readonly ChangedFile[] };

  async function patch(): Promise<string> {
    try {
      return await outputOf(run, ['diff', '--patch', ...comparing, ...compared(given)], parameters);
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'OUTPUT_TOO_LARGE') throw error;
      const advice = `Ask for the ${files.length} files with stat: true, then for the diff of single ones with path.`;
      throw new ToolkitError(error.code, `${error.message} ${advice}`, error.details, { cause: error.cause });
    }
  }
};

function compared({ from, to, path, staged }: DiffParameters): readonly string[] {
  if (to !== undefined && from === undefined) throw wrongParameter('to', 'expected together with from, received alone');
  if (to !== undefined && staged)
    throw wrongParameter('staged', 'expected false with to: what is staged is compared with one commit, from');
  const revisions = [from, to].filter((revision) => revision !== undefined);
  return [...(staged ? ['--cached'] : []), '--end-of-options', ...revisions, '--', ...(path === undefined ? [] : [path])];
}
