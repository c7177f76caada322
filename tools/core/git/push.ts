import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { Identifier, OutputParser, Preparer, RunAgain } from '../../../plugins/executor-command/index.ts';
import { refuseBranchName } from './branch.ts';
import { gitEnvironment } from './environment.ts';
import { wrongParameter } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';
import { networkFailure } from './network-failure.ts';
import { pushDestination } from './remote-destination.ts';
import { openForPush as open } from './repository.ts';

interface PushParameters {
  readonly repository: string;
  readonly remote: string;
  readonly branch?: string;
  readonly set_upstream: boolean;
}

/**
 * Adds the remote and the commit to push to the arguments: the approved commit, else the current one of the branch. Pushes the
 * current branch unless another is named.
 */
export const openForPush: Preparer = async (invocation, context) => {
  const { repository, remote } = context.parameters as unknown as PushParameters;
  const opened = await open(invocation, context);
  const { state } = context.identity?.content ?? {};
  const { ref, commit } = state === undefined ? await tipToPush(repository, context) : tipOf(state);
  if (commit === undefined) throw noCommit(context.parameters);
  return { ...opened, args: [...invocation.args, '--', remote, `${commit}:${ref}`] };
};

/** Returns destination and commit of a push, for the approval question, at the time of the call. */
export const identifyPush: Identifier = async (invocation, context) => {
  const { repository } = context.parameters as unknown as PushParameters;
  const destination = (await pushDestination(invocation, context)) as string;
  const { ref, commit } = await tipToPush(repository, context);
  if (commit === undefined) throw noCommit(context.parameters);
  const env = gitEnvironment({ repository, readsOnly: true, settings: [] });
  const { stdout } = await context.run(['-C', repository, 'log', '-1', '--no-color', '--format=%s', commit, '--'], { env });
  return { destination, content: { shown: `${ref} at ${commit}: ${excerpt(maskCredentials(stdout.trim()))}`, state: `${ref} ${commit}` } };
};

interface Tip {
  /** Full name, such as refs/heads/main. */
  readonly ref: string;
  /** Hash; undefined for a branch without commits. */
  readonly commit?: string;
}

/** Parses the state that `identifyPush` returned. */
function tipOf(state: string): Tip {
  const [ref = '', commit = ''] = state.split(' ');
  return { ref, commit };
}

async function tipToPush(repository: string, { parameters, run }: Pick<Parameters<Identifier>[1], 'parameters' | 'run'>): Promise<Tip> {
  const { branch } = parameters as unknown as PushParameters;
  if (branch !== undefined) await refuseBranchName('branch', branch, run);
  const head =
    branch === undefined
      ? await run(['-C', repository, 'symbolic-ref', '--quiet', 'HEAD'])
      : { stdout: `refs/heads/${branch}`, exitCode: 0 };
  if (head.exitCode !== 0) throw wrongParameter('branch', 'expected the name of a branch, because HEAD is detached, received nothing');
  const ref = head.stdout.trim();
  const tip = await run(['-C', repository, 'rev-parse', '--quiet', '--verify', '--end-of-options', ref]);
  return tip.exitCode === 0 ? { ref, commit: tip.stdout.trim() } : { ref };
}

/**
 * Returns the result of `git push --porcelain` for the one ref, from a line `flag TAB from:to TAB summary (reason)` (git-push,
 * Output).
 */
export const pushed: OutputParser = async (stdout, { exitCode, stderr, parameters, run }) => {
  const [, flag, to = '', ref = '', summary = ''] = /^([ +\-*!=t])\t([^\t\n]*):([^\t\n]+)\t(.*)$/m.exec(stdout) ?? [];
  if (flag === undefined || flag === '!' || exitCode !== 0) throw pushFailure({ summary, stderr, exitCode, parameters });
  if (parameters['set_upstream'] === true) await follow(ref, parameters, run);
  const from = /^([0-9a-f]+)\.\./.exec(summary)?.[1];
  return { ref, from: from ?? (flag === '=' ? to : null), to };
};

/** Sets the pushed branch as upstream, as `git push --set-upstream` does for a branch that is pushed by name. */
async function follow(ref: string, parameters: Readonly<Record<string, unknown>>, run: RunAgain): Promise<void> {
  const key = `branch.${ref.replace(/^refs\/heads\//, '')}`;
  for (const [name, value] of Object.entries({ remote: String(parameters['remote']), merge: ref })) {
    const { exitCode, stderr } = await run(['config', '--local', '--replace-all', `${key}.${name}`, value]);
    if (exitCode === 0) continue;
    const message = `The branch was pushed, but its upstream could not be set: ${excerpt(maskCredentials(stderr))} Call again.`;
    throw new ToolkitError('EXECUTION_FAILED', message, { exitCode });
  }
}

function noCommit({ branch }: Readonly<Record<string, unknown>>): ToolkitError {
  return branch === undefined
    ? new ToolkitError('EXECUTION_FAILED', 'The current branch has no commit yet. Make one with git_commit first.')
    : wrongParameter('branch', `expected a branch of this repository, received "${excerpt(String(branch))}". git_list_branches shows them`);
}

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
  if (/rejected\]|remote failure/.test(summary)) {
    const remoteLines = stderr.split('\n').filter((line) => line.startsWith('remote:'));
    return failed(
      `The remote refused the push: ${excerpt(maskCredentials([summary, ...remoteLines].join(' ')))}. Its rules do not allow it; ask who runs it, or push another branch.`,
    );
  }
  return networkFailure({ stderr, exitCode, parameters });
}
