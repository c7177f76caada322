import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { filesOfCommit } from './changes.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';
import { hashOf, outputOf } from './revision.ts';

interface CommitParameters {
  readonly message: string;
  readonly author?: string;
}

/** Commits the staged changes. `git diff --cached --quiet` exits with 1 when there are some. */
export const commit: OutputParser = async (_, { exitCode, stderr, parameters, run }) => {
  if (exitCode > 1) throw gitFailure({ stderr, exitCode, parameters });
  if (exitCode === 0 && (await hashOf(run, 'MERGE_HEAD')) === undefined) {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      'Nothing is staged, so there is nothing to commit. git_status shows what has changed; stage it with git_add first.',
    );
  }
  const { message, author } = parameters as unknown as CommitParameters;
  // With nothing to commit git would print a status, for which it enters submodules; an empty commit needs no status.
  const options = [
    '--quiet',
    '--allow-empty',
    '--file=-',
    '--cleanup=whitespace',
    '--no-verify',
    '--no-gpg-sign',
    '--no-edit',
    '--no-status',
    '--no-signoff',
  ];
  const done = await run(['commit', ...options, ...(author === undefined ? [] : [`--author=${author}`])], { stdin: message });
  if (done.exitCode !== 0) throw commitFailure(done, parameters);
  const hash = (await outputOf(run, ['rev-parse', '--verify', 'HEAD'], parameters)).trim();
  return { hash, files: await filesOfCommit(run, hash) };
};

function commitFailure(
  { stderr, exitCode }: { readonly stderr: string; readonly exitCode: number },
  parameters: Readonly<Record<string, unknown>>,
): ToolkitError {
  if (/empty commit message/.test(stderr))
    return wrongParameter('message', 'expected a message that is not blank, received one of white space');
  if (/--author|empty ident name|disallowed characters/.test(stderr) && parameters['author'] !== undefined) {
    return wrongParameter('author', `expected "Name <address>", received "${excerpt(String(parameters['author']))}"`);
  }
  if (/unmerged files|unresolved conflict/.test(stderr)) {
    const advice = 'git_status shows them; edit them, stage them with git_add, then commit';
    return new ToolkitError(
      'EXECUTION_FAILED',
      `Files are in conflict, so nothing can be committed: ${excerpt(maskCredentials(stderr))} ${advice}.`,
      { exitCode },
    );
  }
  return identityFailure(stderr) ?? gitFailure({ stderr, exitCode, parameters });
}

/** Returns the error when git does not know the author; undefined for another message. */
export function identityFailure(stderr: string): ToolkitError | undefined {
  if (!/auto-detection is disabled|tell me who you are|empty ident|identity unknown/.test(stderr)) return undefined;
  return new ToolkitError(
    'EXECUTION_FAILED',
    'git does not know who commits, and this tool does not guess: user.name or user.email is not set. The person sets them once: git config --global user.name "Their Name", git config --global user.email their@address.',
  );
}
