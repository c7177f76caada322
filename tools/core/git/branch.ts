import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer, RunAgain } from '../../../plugins/executor-command/index.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';
import { openForWriting } from './repository.ts';
import { hashOf, outputOf } from './revision.ts';

export const openForBranch: Preparer = async (invocation, context) => {
  await refuseBranchName('name', String(context.parameters['name']), context.run);
  return openForWriting(invocation, context);
};

/** Returns the branch that `git branch` created. */
export const created: OutputParser = async (_, { exitCode, stderr, parameters, run }) => {
  const name = String(parameters['name']);
  if (exitCode === 0) return { name, hash: (await outputOf(run, ['rev-parse', '--verify', `refs/heads/${name}`], parameters)).trim() };
  if (/already exists/.test(stderr)) {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `There is a branch "${excerpt(name)}" already. Take another name, or go to it with git_switch.`,
      { exitCode },
    );
  }
  if (parameters['start_point'] === undefined && (await hashOf(run, 'HEAD')) === undefined) {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      'The repository has no commit yet at which a branch could start. Make one with git_commit first.',
      { exitCode },
    );
  }
  throw /valid branch name|cannot lock ref|unable to create/i.test(stderr)
    ? wrongParameter(
        'name',
        `expected a name that fits beside the branches that there are, received "${excerpt(name)}": ${excerpt(maskCredentials(stderr))}`,
      )
    : gitFailure({ stderr, exitCode, parameters });
};

/** Returns the part of git's message that names the files that would be overwritten; undefined for another message. */
export function overwritten(stderr: string): string | undefined {
  if (!/would be (overwritten|removed|lost)/.test(stderr)) return undefined;
  const names = stderr.split('\n').flatMap((line) => /^(?:\t| {2})(.+)$/.exec(line)?.[1] ?? []);
  return names.length === 0 ? 'files of the working tree' : excerpt(names.join(', '));
}

/** Throws INVALID_PARAMETERS for an invalid branch name (git-check-ref-format). */
export async function refuseBranchName(parameter: string, name: string, run: RunAgain): Promise<void> {
  const { exitCode } = await run(['check-ref-format', `refs/heads/${name}`]);
  if (exitCode === 0 && !name.startsWith('-') && name !== 'HEAD' && name !== '@') return;
  const rule =
    'without spaces, "..", "~", "^", ":", "?", "*", "[", "\\", "@{", not beginning with "-" or ".", not ending in "/", "." or ".lock"';
  throw wrongParameter(parameter, `expected the name of a branch such as feature/search, ${rule}, received "${excerpt(name)}"`);
}
