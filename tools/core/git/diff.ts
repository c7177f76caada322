import { ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { changedFiles, comparing, leftOut, partsOf, without, withoutSecrets } from './changes.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { openRepository, ranWith } from './repository.ts';
import { outputOf } from './revision.ts';
import { WorkingTree } from './working-tree.ts';

interface DiffParameters {
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly staged: boolean;
  readonly stat: boolean;
}

/**
 * Runs the comparison, which prints the files and their diff. When the output is too long, or no diff is requested, the program
 * lists only the files. Throws INVALID_PARAMETERS for a combination that compares nothing.
 */
export const openForDiff: Preparer = async (invocation, context) => {
  const given = context.parameters as unknown as DiffParameters;
  const listing = { args: argumentsOf(given) };
  if (given.path !== undefined) await new WorkingTree(context).refuseSecret(given.path);
  const opened = { ...(await openRepository(invocation, context)), ...listing };
  return given.stat ? opened : ranWith(argumentsOf(given, { printing: listAndPatch }), opened, context.run);
};

/** Returns the files that `git diff --numstat -z` printed and, unless `stat`, the diff after them. */
export const diff: OutputParser = async (stdout, { args, exitCode, stderr, parameters, run, controlFiles }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const given = parameters as unknown as DiffParameters;
  const tree = new WorkingTree({ parameters, controlFiles });
  const list = async (): Promise<string> => outputOf(run, argumentsOf(given), parameters);
  // Combined diffs of files in conflict come before the list of files, which does not contain these files then.
  const isInConflict = stdout.startsWith('diff ');
  const { numstat, patch } = partsOf(isInConflict ? await list() : stdout);
  const { files, withheld } = await withoutSecrets(changedFiles(numstat), tree);
  return { diff: given.stat || files.length === 0 ? '' : await shownDiff(), files, ...leftOut(withheld) };

  async function shownDiff(): Promise<string> {
    if (!args.includes('--patch')) throw tooLarge(files.length);
    if (isInConflict) return ofConflict();
    if (withheld.size === 0) return patch;
    const again = await outputOf(run, argumentsOf(given, { withheld, printing: listAndPatch }), parameters);
    const parts = partsOf(again);
    await refuseSecrets(parts.numstat, new Set());
    return parts.patch;
  }

  async function ofConflict(): Promise<string> {
    const printed = await outputOf(run, argumentsOf(given, { withheld, printing: ['--patch'] }), parameters);
    // The diff would also contain a file that differs only since the first list.
    await refuseSecrets(await list(), withheld);
    return printed;
  }

  async function refuseSecrets(listed: string, known: ReadonlySet<string>): Promise<void> {
    const { withheld: now } = await withoutSecrets(changedFiles(listed), tree);
    if (listed.startsWith('diff ') || [...now].some((name) => !known.has(name)))
      throw new ToolkitError('EXECUTION_FAILED', 'The repository changed while it was compared. Call again.');
  }
};

function tooLarge(count: number): ToolkitError {
  const advice = `Ask for the ${count} files with stat: true, then for the diff of single ones with path.`;
  return new ToolkitError('OUTPUT_TOO_LARGE', `The diff is longer than a program may print here (maxOutputBytes). ${advice}`);
}

const listAndPatch = ['--numstat', '-z', '--patch'] as const;

/** Returns the arguments of a git comparison. `printing`: options for the output; by default the list of files. */
function argumentsOf(
  given: DiffParameters,
  { withheld = [], printing = ['--numstat', '-z'] }: { readonly withheld?: Iterable<string>; readonly printing?: readonly string[] } = {},
): readonly string[] {
  return without(withheld, ['diff', ...printing, ...comparing, ...compared(given)], given.path);
}

/** Rewrites `main...feature` to `main^{commit}...feature^{commit}`. */
function commitsIn(revision: string): string {
  const [, from = '', dots = '', to = ''] = /^(.*?)(\.{2,3})(.*)$/s.exec(revision) ?? [];
  const commit = (name: string): string => `${name === '' ? 'HEAD' : name}^{commit}`;
  return dots === '' ? commit(revision) : `${commit(from)}${dots}${commit(to)}`;
}

/** Returns the commits to compare. Other objects are refused: they have no file names to check against the rules. */
function compared({ from, to, staged }: DiffParameters): readonly string[] {
  if (to !== undefined && from === undefined) throw wrongParameter('to', 'expected together with from, received alone');
  if (to !== undefined && staged)
    throw wrongParameter('staged', 'expected false with to: what is staged is compared with one commit, from');
  const revisions = [from, to].flatMap((revision) => (revision === undefined ? [] : [commitsIn(revision)]));
  return [...(staged ? ['--cached'] : []), '--end-of-options', ...revisions];
}
