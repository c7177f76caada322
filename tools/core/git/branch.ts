import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, Preparer, RunAgain } from '../../../plugins/executor-command/index.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { openForWriting } from './repository.ts';
import { hashOf, outputOf } from './revision.ts';
import { shown } from './shown.ts';

export const openForBranch: Preparer = async (invocation, around) => {
  await refuseBranchName('name', String(around.parameters['name']), around.run);
  return openForWriting(invocation, around);
};

/** What `git branch` created. */
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
        `expected a name that fits beside the branches that there are, received "${excerpt(name)}": ${excerpt(shown(stderr))}`,
      )
    : gitFailure({ stderr, exitCode, parameters });
};

/** Where `git switch` has come to. */
export const switched: OutputParser = async (_, { exitCode, stderr, parameters, run }) => {
  if (exitCode !== 0) throw switchFailure(stderr, exitCode, parameters);
  const branch = (await outputOf(run, ['symbolic-ref', '--short', 'HEAD'], parameters)).trim();
  return { branch, hash: (await hashOf(run, 'HEAD')) ?? null };
};

function switchFailure(stderr: string, exitCode: number, parameters: Readonly<Record<string, unknown>>): ToolkitError {
  const branch = excerpt(String(parameters['branch']));
  const failed = (message: string): ToolkitError => new ToolkitError('EXECUTION_FAILED', message, { exitCode });
  const inTheWay = overwritten(stderr);
  if (inTheWay !== undefined)
    return failed(
      `Nothing was changed: changes that are not committed would be lost in ${inTheWay}. Commit them with git_add and git_commit first, or give them up with git_restore.`,
    );
  if (/resolve your current index|cannot switch branch while|needs merge/.test(stderr))
    return failed(`Nothing was changed: ${excerpt(shown(stderr))} Finish that, or give it up in a terminal, then switch.`);
  if (/already (checked out|used by)/.test(stderr))
    return failed(
      `The branch "${branch}" is checked out in another working tree of this repository. Work there, or create a branch from it with git_create_branch.`,
    );
  if (/a branch is expected/.test(stderr))
    return wrongParameter(
      'branch',
      `expected a branch, received "${branch}", which is a tag or a commit. To go on from there, create a branch with git_create_branch and start_point`,
    );
  if (/matched multiple/.test(stderr))
    return wrongParameter(
      'branch',
      `expected a branch that exists here or at one remote, received "${branch}", which several remotes have. Create it with git_create_branch and start_point`,
    );
  if (/invalid reference/.test(stderr))
    return wrongParameter(
      'branch',
      `expected a branch that exists here or at one remote, received "${branch}". git_list_branches shows them; git_create_branch makes a new one`,
    );
  return gitFailure({ stderr, exitCode, parameters });
}

/** The files of which git says that they would be overwritten, in words; undefined when it says something else. */
export function overwritten(stderr: string): string | undefined {
  if (!/would be (overwritten|removed|lost)/.test(stderr)) return undefined;
  const names = stderr.split('\n').flatMap((line) => /^(?:\t| {2})(.+)$/.exec(line)?.[1] ?? []);
  return names.length === 0 ? 'files of the working tree' : excerpt(names.join(', '));
}

/** Throws INVALID_PARAMETERS for what cannot be the name of a branch (git-check-ref-format). */
export async function refuseBranchName(parameter: string, name: string, run: RunAgain): Promise<void> {
  const { exitCode } = await run(['check-ref-format', `refs/heads/${name}`]);
  if (exitCode === 0 && !name.startsWith('-') && name !== 'HEAD' && name !== '@') return;
  const rule =
    'without spaces, "..", "~", "^", ":", "?", "*", "[", "\\", "@{", not beginning with "-" or ".", not ending in "/", "." or ".lock"';
  throw wrongParameter(parameter, `expected the name of a branch such as feature/search, ${rule}, received "${excerpt(name)}"`);
}
