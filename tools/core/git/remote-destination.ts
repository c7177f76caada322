import type { Identifier } from '../../../plugins/executor-command/index.ts';
import { confinedGitFolders, gitFolderOf } from './confine.ts';
import { gitFailure } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';

/** Returns the destination of a push for the approval question: the URL from the current configuration, without credentials. */
export const pushDestination: Identifier = destinationFor(['--push']);

/** Returns the source of a fetch or a pull for the approval question. */
export const fetchDestination: Identifier = destinationFor([]);

function destinationFor(options: readonly string[]): Identifier {
  return async (_invocation, { parameters, run, controlFiles }) => {
    const repository = String(parameters['repository']);
    await confinedGitFolders(repository, await gitFolderOf(repository, run), 'read', { parameters, controlFiles, run });
    const { stdout, stderr, exitCode } = await run([
      ...['-C', repository, 'remote', 'get-url', '--all', ...options],
      ...['--', String(parameters['remote'])],
    ]);
    if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
    return maskCredentials(stdout.trim().split('\n').join(', '));
  };
}
