import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, ProgramRun, RunAgain } from '../../../plugins/executor-command/index.ts';
import { overwritten } from './branch.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';
import { emptyTree, hashOf, outputOf } from './revision.ts';
import { changesBetween } from './tree-changes.ts';
import { WorkingTree } from './working-tree.ts';

/** Switches to the branch of the parameter `branch`, from the one that `git symbolic-ref` printed. */
export const switchTo: OutputParser = async (stdout, { exitCode, parameters, run, controlFiles }) => {
  const { branch } = parameters as { readonly branch: string };
  const target = await targetOf(branch, run, parameters);
  if (exitCode === 0 && stdout.trim() === target.ref) return { branch, hash: target.hash ?? null };
  if (target.hash === undefined) throw notABranch(branch, target.remotes, (await hashOf(run, `${branch}^{commit}`)) !== undefined);
  if (target.isElsewhere)
    throw failed(
      `The branch "${excerpt(branch)}" is checked out in another working tree of this repository, and no two have the same branch. To go on from it here, create a branch from it with git_create_branch.`,
    );
  const from = (await hashOf(run, 'HEAD')) ?? (await emptyTree(run, parameters));
  const what = `the branch "${excerpt(branch)}"`;
  await new WorkingTree({ parameters, controlFiles }).refuseChanges(what, await changesBetween(run, from, target.hash), run);
  const { hash, ref, upstream } = target;
  if (upstream !== undefined) await outputOf(run, ['branch', '--quiet', '--no-track', '--end-of-options', branch, hash], parameters);
  // Switches to the compared commit: the name may stand for another one by now. Quiet, because git would enter submodules for its
  // report.
  const done = await run(['switch', '--quiet', '--detach', '--no-recurse-submodules', '--no-overwrite-ignore', hash]);
  if (done.exitCode !== 0) {
    if (upstream !== undefined) await run(['update-ref', '-d', ref, hash]);
    throw switchFailure(done, parameters);
  }
  if (upstream !== undefined) await run(['branch', '--quiet', `--set-upstream-to=${upstream}`, branch]);
  const previous = exitCode === 0 ? stdout.trim().replace(/^refs\/heads\//, '') : from;
  await outputOf(run, ['symbolic-ref', '-m', `checkout: moving from ${previous} to ${branch}`, 'HEAD', ref], parameters);
  return { branch, hash };
};

interface Target {
  readonly ref: string;
  /** Undefined when there is no such branch, here or at exactly one remote. */
  readonly hash?: string;
  /** Branch of the one remote that has it, when there is no local branch. */
  readonly upstream?: string;
  /** Number of remotes that have the branch. */
  readonly remotes: number;
  /** True when the branch is checked out in another working tree. */
  readonly isElsewhere: boolean;
}

async function targetOf(branch: string, run: RunAgain, parameters: Readonly<Record<string, unknown>>): Promise<Target> {
  const ref = `refs/heads/${branch}`;
  const format = '--format=%(objectname) %(refname) %(worktreepath)';
  const listed = await outputOf(run, ['for-each-ref', format, 'refs/heads', 'refs/remotes'], parameters);
  const refs = listed
    .split('\n')
    .slice(0, -1)
    .map((line) => /^(\S+) (\S+) (.*)$/s.exec(line) ?? []);
  const own = refs.find(([, , name]) => name === ref);
  if (own?.[1] !== undefined) return { ref, hash: own[1], remotes: 0, isElsewhere: own[3] !== '' };
  const names = (await outputOf(run, ['remote'], parameters)).split('\n').slice(0, -1);
  const theirs = refs.filter(([, , name]) => names.some((remote) => name === `refs/remotes/${remote}/${branch}`));
  const [, hash, upstream] = theirs[0] ?? [];
  if (theirs.length !== 1 || hash === undefined || upstream === undefined) return { ref, remotes: theirs.length, isElsewhere: false };
  return { ref, hash, upstream, remotes: 1, isElsewhere: false };
}

function failed(message: string, exitCode?: number): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', message, exitCode === undefined ? {} : { exitCode });
}

function notABranch(branch: string, remotes: number, isCommit: boolean): ToolkitError {
  const received = (what: string): ToolkitError => wrongParameter('branch', `expected a branch${what}`);
  const name = excerpt(branch);
  if (remotes > 1)
    return received(
      ` that exists here or at one remote, received "${name}", which several remotes have. Create it with git_create_branch and start_point`,
    );
  return isCommit
    ? received(
        `, received "${name}", which is a tag or a commit. To go on from there, create a branch with git_create_branch and start_point`,
      )
    : received(` that exists here or at one remote, received "${name}". git_list_branches shows them; git_create_branch makes a new one`);
}

function switchFailure(
  { stderr, exitCode }: Pick<ProgramRun, 'stderr' | 'exitCode'>,
  parameters: Readonly<Record<string, unknown>>,
): ToolkitError {
  const inTheWay = overwritten(stderr);
  if (inTheWay !== undefined)
    return failed(
      `Nothing was changed: changes that are not committed would be lost in ${inTheWay}. Commit them with git_add and git_commit first, or give them up with git_restore.`,
      exitCode,
    );
  if (/resolve your current index|cannot switch branch while|needs merge/.test(stderr))
    return failed(
      `Nothing was changed: ${excerpt(maskCredentials(stderr))} Finish that, or give it up in a terminal, then switch.`,
      exitCode,
    );
  return gitFailure({ stderr, exitCode, parameters });
}
