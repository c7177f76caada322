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
import { changesBetween } from './tree-changes.ts';
import { WorkingTree } from './working-tree.ts';

interface PullParameters {
  readonly remote: string;
  readonly branch?: string;
  readonly fast_forward_only: boolean;
}

export const openForPull: Preparer = async (invocation, context) => {
  const { branch } = context.parameters;
  if (branch !== undefined) await refuseBranchName('branch', String(branch), context.run);
  return open(invocation, context);
};

/**
 * Fetches and merges into the branch that `git symbolic-ref` printed. Creates the merge commit outside the working tree,
 * compares it, then moves the working tree to that commit.
 */
export const pull: OutputParser = async (stdout, { exitCode, parameters, run, controlFiles }) => {
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
  const head = await hashOf(run, 'HEAD');
  const fetched = (await outputOf(run, ['rev-parse', '--verify', 'FETCH_HEAD'], parameters)).trim();
  const hash = await mergeOf(head, fetched, { message: `Merge branch '${branch}' of ${given.remote}`, given, run });
  if (hash === head) return { hash, files: [] };
  const before = head ?? (await emptyTree(run, parameters));
  const what = `the branch "${branch}" of "${given.remote}"`;
  await new WorkingTree({ parameters, controlFiles }).refuseChanges(what, await changesBetween(run, before, hash), run);
  await forward(hash, given, run);
  return { hash, files: await filesBetween(run, before, hash) };
};

/** Returns the branch of the remote that the current branch follows. */
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

interface MergeOptions {
  readonly message: string;
  readonly given: PullParameters;
  readonly run: RunAgain;
}

/** Returns the next commit of HEAD: the one of the remote, HEAD itself when nothing is new, or a merge commit of both. */
async function mergeOf(head: string | undefined, fetched: string, { message, given, run }: MergeOptions): Promise<string> {
  if (head === undefined || (await isAncestor(head, fetched, run))) return fetched;
  if (await isAncestor(fetched, head, run)) return head;
  if (given.fast_forward_only) {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      'Nothing was merged: both the branch and the remote have commits that the other has not. git_log shows them. Pull with fast_forward_only: false for a merge commit, or rebase in a terminal.',
    );
  }
  await refuseUnknownPerson(run);
  const merged = await run(['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', head, fetched]);
  const [tree = '', ...conflicts] = merged.stdout.split('\0').slice(0, -1);
  if (merged.exitCode !== 0) throw mergeFailure(merged, conflicts, given);
  return (await outputOf(run, ['commit-tree', tree, '-p', head, '-p', fetched, '-m', message], { ...given })).trim();
}

async function isAncestor(ancestor: string, commit: string, run: RunAgain): Promise<boolean> {
  return (await run(['merge-base', '--is-ancestor', ancestor, commit])).exitCode === 0;
}

/** Refuses to merge without a user name. Runs before the merge, because git checks the name only after it. */
async function refuseUnknownPerson(run: RunAgain): Promise<void> {
  const { stderr, exitCode } = await run(['var', 'GIT_COMMITTER_IDENT']);
  const failure = exitCode === 0 ? undefined : identityFailure(stderr);
  if (failure !== undefined) throw failure;
}

function mergeFailure({ stderr, exitCode }: ProgramRun, conflicts: readonly string[], given: PullParameters): ToolkitError {
  const failed = (message: string): ToolkitError => new ToolkitError('EXECUTION_FAILED', message, { exitCode });
  if (/unrelated histories/.test(stderr))
    return failed('Nothing was merged: the branch and the remote have no commit in common. Check the remote and the branch.');
  if (/usage: git merge-tree|unknown option/.test(stderr))
    return failed('Nothing was merged: for a merge commit this tool needs Git 2.38 or newer. Merge in a terminal.');
  return conflicts.length === 0
    ? gitFailure({ stderr, exitCode, parameters: { ...given } })
    : failed(
        `Nothing was merged: the merge has conflicts in ${excerpt(conflicts.join(', '))}. Branch and files are as before, the commits of the remote are fetched. A person merges or rebases in a terminal.`,
      );
}

/** Moves branch and working tree to a descendant of HEAD. */
async function forward(commit: string, given: PullParameters, run: RunAgain): Promise<void> {
  const options = ['--quiet', '--no-stat', '--no-verify', '--no-autostash', '--no-overwrite-ignore', '--no-squash'];
  const { stderr, exitCode } = await run(['merge', '--ff-only', ...options, commit]);
  if (exitCode === 0) return;
  const inTheWay = overwritten(stderr);
  throw inTheWay === undefined
    ? gitFailure({ stderr, exitCode, parameters: { ...given } })
    : new ToolkitError(
        'EXECUTION_FAILED',
        `Nothing was merged: changes that are not committed would be lost in ${inTheWay}. Commit them with git_add and git_commit first, or give them up with git_restore.`,
        { exitCode },
      );
}
