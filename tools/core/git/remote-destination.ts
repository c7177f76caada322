import type { Identifier } from '../../../plugins/executor-command/index.ts';
import { confinedGitFolders, gitFolderOf } from './confine.ts';
import { gitFailure } from './failure.ts';
import { shown } from './shown.ts';

/** Where a push goes, as a person is told: what git makes of the configuration of this moment, without credentials. */
export const pushDestination: Identifier = destinationFor(['--push']);

/** Where a fetch or a pull comes from. */
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
    return shown(stdout.trim().split('\n').join(', '));
  };
}
