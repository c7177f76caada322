import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { refuseBranchName } from './branch.ts';
import { wrongParameter } from './failure.ts';
import { networkFailure } from './network-failure.ts';
import { openForPush as open } from './repository.ts';
import { hashOf } from './revision.ts';
import { shown } from './shown.ts';

interface PushParameters {
  readonly repository: string;
  readonly remote: string;
  readonly branch?: string;
  readonly set_upstream: boolean;
}

/** Adds the remote and the branch, which is the current one unless another is named, to the arguments. */
export const openForPush: Preparer = async (invocation, around) => {
  const { repository, remote, branch, set_upstream: setUpstream } = around.parameters as unknown as PushParameters;
  if (branch !== undefined) await refuseBranchName('branch', branch, around.run);
  const opened = await open(invocation, around);
  const ref =
    branch === undefined
      ? await around.run(['-C', repository, 'symbolic-ref', '--quiet', 'HEAD'])
      : { stdout: `refs/heads/${branch}`, exitCode: 0 };
  if (ref.exitCode !== 0) throw wrongParameter('branch', 'expected the name of a branch, because HEAD is detached, received nothing');
  const name = ref.stdout.trim();
  return { ...opened, args: [...invocation.args, ...(setUpstream ? ['--set-upstream'] : []), '--', remote, `${name}:${name}`] };
};

/** What `git push --porcelain` says of the one ref, in a line `flag TAB from:to TAB summary (reason)` (git-push, Output). */
export const pushed: OutputParser = async (stdout, { exitCode, stderr, parameters, run }) => {
  const [, flag, ref = '', summary = ''] = /^([ +\-*!=t])\t[^\t\n]*:([^\t\n]+)\t(.*)$/m.exec(stdout) ?? [];
  if (flag === undefined || flag === '!' || exitCode !== 0) throw pushFailure({ summary, stderr, exitCode, parameters });
  const to = (await hashOf(run, ref)) ?? null;
  const from = /^([0-9a-f]+)\.\./.exec(summary)?.[1];
  return { ref, from: from ?? (flag === '=' ? to : null), to };
};

interface Failure {
  readonly summary: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function pushFailure({ summary, stderr, exitCode, parameters }: Failure): ToolkitError {
  const failed = (message: string): ToolkitError => new ToolkitError('EXECUTION_FAILED', message, { exitCode });
  if (/non-fast-forward|fetch first|stale info|needs force/.test(summary)) {
    return failed(
      'The remote refused the push, because it has commits that the branch has not. Get them with git_pull, then push again. This tool does not overwrite them.',
    );
  }
  if (/src refspec .* does not match any/.test(stderr)) {
    const branch = parameters['branch'];
    return branch === undefined
      ? failed('The current branch has no commit yet. Make one with git_commit first.')
      : wrongParameter(
          'branch',
          `expected a branch of this repository, received "${excerpt(String(branch))}". git_list_branches shows them`,
        );
  }
  if (/rejected\]|remote failure/.test(summary)) {
    const said = stderr.split('\n').filter((line) => line.startsWith('remote:'));
    return failed(
      `The remote refused the push: ${excerpt(shown([summary, ...said].join(' ')))}. Its rules do not allow it; ask who runs it, or push another branch.`,
    );
  }
  return networkFailure({ stderr, exitCode, parameters });
}
