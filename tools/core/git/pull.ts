import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer, ProgramRun, RunAgain } from '../../../plugins/executor-command/index.ts';
import { overwritten, refuseBranchName } from './branch.ts';
import { filesBetween } from './changes.ts';
import { identityFailure } from './commit.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { fetching } from './fetch.ts';
import { networkFailure } from './network-failure.ts';
import { openForPull as open } from './repository.ts';
import { emptyTree, hashOf, outputOf } from './revision.ts';
import { shown } from './shown.ts';

interface PullParameters {
  readonly remote: string;
  readonly branch?: string;
  readonly fast_forward_only: boolean;
}

export const openForPull: Preparer = async (invocation, around) => {
  const { branch } = around.parameters;
  if (branch !== undefined) await refuseBranchName('branch', String(branch), around.run);
  return open(invocation, around);
};

/** Fetches and merges into the branch that `git symbolic-ref` printed. What cannot be merged is undone. */
export const pull: OutputParser = async (stdout, { exitCode, parameters, run }) => {
  const given = parameters as unknown as PullParameters;
  if (exitCode !== 0)
    throw new ToolkitError('EXECUTION_FAILED', 'HEAD is detached, so there is no branch to pull into. Go to one with git_switch first.', {
      exitCode,
    });
  const current = stdout.trim();
  if ((await hashOf(run, 'MERGE_HEAD')) !== undefined) {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      'A merge is not finished yet. Resolve its conflicts, stage them with git_add and finish it with git_commit, or give it up in a terminal (git merge --abort); then pull.',
    );
  }
  const branch = given.branch ?? (await upstreamOf(current, given.remote, run));
  const done = await run(['fetch', ...fetching, '--', given.remote, `refs/heads/${branch}`]);
  if (done.exitCode !== 0) throw networkFailure({ ...done, parameters });
  const before = (await hashOf(run, 'HEAD')) ?? (await emptyTree(run, parameters));
  const fetched = (await outputOf(run, ['rev-parse', '--verify', 'FETCH_HEAD'], parameters)).trim();
  await merge(fetched, `Merge branch '${branch}' of ${given.remote}`, given, run);
  const hash = (await outputOf(run, ['rev-parse', '--verify', 'HEAD'], parameters)).trim();
  return { hash, files: hash === before ? [] : await filesBetween(run, before, hash) };
};

/** The branch of the remote that the current one follows. */
async function upstreamOf(current: string, remote: string, run: RunAgain): Promise<string> {
  const setting = async (name: string): Promise<string> => (await run(['config', '--get', `branch.${current}.${name}`])).stdout.trim();
  const branch = (await setting('merge')).replace(/^refs\/heads\//, '');
  if (branch !== '' && (await setting('remote')) === remote) {
    await refuseBranchName('branch', branch, run);
    return branch;
  }
  throw wrongParameter(
    'branch',
    `expected the name of a branch of "${excerpt(remote)}", because "${excerpt(current)}" has no upstream there, received nothing`,
  );
}

async function merge(commit: string, message: string, parameters: PullParameters, run: RunAgain): Promise<void> {
  const how = parameters.fast_forward_only ? '--ff-only' : '--ff';
  if (!parameters.fast_forward_only) await refuseUnknownPerson(run);
  const options = [
    '--quiet',
    '--no-stat',
    '--no-log',
    '--no-edit',
    '--no-verify',
    '--no-autostash',
    '--no-overwrite-ignore',
    '--no-signoff',
    '--no-squash',
    '--commit',
  ];
  const done = await run(['merge', how, ...options, '-m', message, commit]);
  if (done.exitCode !== 0) throw await mergeFailure(done, run, parameters);
}

/** Before the merge, because git asks only afterwards. */
async function refuseUnknownPerson(run: RunAgain): Promise<void> {
  const { stderr, exitCode } = await run(['var', 'GIT_COMMITTER_IDENT']);
  const failure = exitCode === 0 ? undefined : identityFailure(stderr);
  if (failure !== undefined) throw failure;
}

async function mergeFailure({ stdout, stderr, exitCode }: ProgramRun, run: RunAgain, parameters: PullParameters): Promise<ToolkitError> {
  const failed = (message: string): ToolkitError => new ToolkitError('EXECUTION_FAILED', message, { exitCode });
  if (/Not possible to fast-forward|can't be fast-forwarded/i.test(stderr)) {
    return failed(
      'Nothing was merged: both the branch and the remote have commits that the other has not. git_log shows them. Pull with fast_forward_only: false for a merge commit, or rebase in a terminal.',
    );
  }
  const inTheWay = overwritten(stderr);
  if (inTheWay !== undefined)
    return failed(
      `Nothing was merged: changes that are not committed would be lost in ${inTheWay}. Commit them with git_add and git_commit first, or give them up with git_restore.`,
    );
  if (/unrelated histories/.test(stderr))
    return failed('Nothing was merged: the branch and the remote have no commit in common. Check the remote and the branch.');
  const conflicts = (await run(['diff', '--name-only', '-z', '--diff-filter=U', '--ignore-submodules=dirty'])).stdout
    .split('\0')
    .slice(0, -1);
  const undone = await undo(run);
  if (conflicts.length === 0)
    return undone === false
      ? notUndone(stderr, exitCode)
      : gitFailure({ stderr: stderr || stdout, exitCode, parameters: { ...parameters } });
  if (!undone) return notUndone(`conflicts in ${conflicts.join(', ')}`, exitCode);
  return failed(
    `The merge has conflicts in ${excerpt(conflicts.join(', '))} and was undone: branch and files are as before, the commits of the remote are fetched. A person merges or rebases in a terminal.`,
  );
}

/** Gives up the merge that was begun. Undefined when there is none, false when that failed. */
async function undo(run: RunAgain): Promise<boolean | undefined> {
  if ((await hashOf(run, 'MERGE_HEAD')) === undefined) return undefined;
  return (await run(['merge', '--abort'])).exitCode === 0;
}

function notUndone(why: string, exitCode: number): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `The merge failed and could not be undone: ${excerpt(shown(why))}. It is still in progress: see git_status; finish or give it up in a terminal.`,
    { exitCode },
  );
}
