import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { gitFailure } from './failure.ts';
import { openForContent } from './repository.ts';
import { emptyTree, outputOf } from './revision.ts';
import { shown } from './shown.ts';
import { changesOf, listing } from './tree-changes.ts';
import { WorkingTree } from './working-tree.ts';

interface RestoreParameters {
  readonly paths: readonly string[];
  readonly source?: string;
  readonly staged: boolean;
}

/** Adds the tree whose content is put back to the arguments of `git rev-parse`; without a source that of HEAD, for what is staged. */
export const openForRestore: Preparer = async (invocation, around) => {
  const { source = 'HEAD' } = around.parameters as unknown as RestoreParameters;
  return { ...(await openForContent(invocation, around)), args: [...invocation.args, `${source}^{tree}`] };
};

/**
 * Restores what differs below the paths: the names that were compared, from the tree that `git rev-parse` printed, so that nothing else is
 * written, whatever happens to the repository meanwhile.
 */
export const restore: OutputParser = async (stdout, { exitCode, stderr, parameters, run, controlFiles }) => {
  const { paths, source, staged } = parameters as unknown as RestoreParameters;
  if (source !== undefined && exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  // Before the first commit everything that is staged is new.
  const head = exitCode === 0 ? stdout.trim() : await emptyTree(run, parameters);
  const from = source === undefined && !staged ? undefined : head;
  const compared = [...(staged ? ['--cached'] : []), ...(from === undefined ? [] : [from]), '--', ...paths];
  const changes = changesOf(await outputOf(run, ['diff', ...listing, '--no-color', '--ignore-submodules=dirty', ...compared], parameters));
  const names = [...new Set(changes.map(({ name }) => name))];
  await outputOf(
    run,
    ['ls-files', '-z', '--error-unmatch', ...(from === undefined ? [] : [`--with-tree=${from}`]), '--', ...paths],
    parameters,
  );
  if (names.length === 0) return { restored: [] };
  if (!staged) {
    const back = changes.map(({ name, from: to, to: there }) => ({ name, from: there, to }));
    await new WorkingTree({ parameters, controlFiles }).refuseChanges(
      source === undefined ? 'this' : `the content of "${excerpt(source)}"`,
      back,
      run,
    );
  }
  const options = [
    '--quiet',
    '--no-recurse-submodules',
    staged ? '--staged' : '--worktree',
    ...(from === undefined ? [] : [`--source=${from}`]),
  ];
  const done = await run(['restore', ...options, '--pathspec-from-file=-', '--pathspec-file-nul'], {
    stdin: names.map((name) => `${name}\0`).join(''),
  });
  if (/is unmerged/.test(done.stderr)) {
    const advice = 'Give source: HEAD to get back the content of the last commit, or edit the file and stage it with git_add';
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `Nothing was restored, because a file is in conflict: ${excerpt(shown(done.stderr))} ${advice}.`,
      { exitCode: done.exitCode },
    );
  }
  if (done.exitCode !== 0) throw gitFailure({ ...done, parameters });
  return { restored: names };
};
