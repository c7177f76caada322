import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { comparing } from './changes.ts';
import { gitFailure } from './failure.ts';
import { openForContent } from './repository.ts';
import { emptyTree, hashOf } from './revision.ts';
import { shown } from './shown.ts';

interface RestoreParameters {
  readonly paths: readonly string[];
  readonly source?: string;
  readonly staged: boolean;
}

/** Adds what will be compared to the arguments of `git diff --name-only`. */
export const openForRestore: Preparer = async (invocation, around) => {
  const { paths, source, staged } = around.parameters as unknown as RestoreParameters;
  const compared = [...(staged ? ['--cached'] : []), '--end-of-options', ...(source === undefined ? [] : [source]), '--', ...paths];
  return { ...(await openForContent(invocation, around)), args: [...invocation.args, ...comparing, '--no-renames', ...compared] };
};

/** Restores the paths, in which `git diff --name-only -z` printed the files that differ. */
export const restore: OutputParser = async (stdout, { exitCode, stderr, parameters, run }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const { paths, source, staged } = parameters as unknown as RestoreParameters;
  // Before the first commit everything that is staged is new.
  const from = source ?? (staged && (await hashOf(run, 'HEAD')) === undefined ? await emptyTree(run, parameters) : undefined);
  const options = [
    '--quiet',
    '--no-recurse-submodules',
    staged ? '--staged' : '--worktree',
    ...(from === undefined ? [] : [`--source=${from}`]),
  ];
  const done = await run(['restore', ...options, '--', ...paths]);
  if (/is unmerged/.test(done.stderr)) {
    const advice = 'Give source: HEAD to get back the content of the last commit, or edit the file and stage it with git_add';
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `Nothing was restored, because a file is in conflict: ${excerpt(shown(done.stderr))} ${advice}.`,
      { exitCode: done.exitCode },
    );
  }
  if (done.exitCode !== 0) throw gitFailure({ ...done, parameters });
  return { restored: [...new Set(stdout.split('\0').slice(0, -1))] };
};
