import { ToolkitError } from '../../../kernel/index.ts';
import type { Prepared, Preparer, RunAgain } from '../../../plugins/executor-command/index.ts';
import { refuseOutsidePaths } from './confine.ts';
import { gitEnvironment } from './environment.ts';
import { openForReading, openWithGit } from './opened-repository.ts';
import { refuseOwnDrivers, withoutOwnPrograms } from './programs.ts';
import { remoteAccess } from './remote-access.ts';

interface Purpose {
  readonly readsOnly?: boolean;
  /** True for a tool that writes content of files, to the working tree or to the repository. */
  readonly writesContent?: true;
  readonly merges?: boolean;
  /** Operation on the remote of the parameter `remote`. */
  readonly remote?: 'fetch' | 'push';
}

/**
 * Lets a tool that only reads run git in the folder of the parameter `repository`. Throws INVALID_PARAMETERS and
 * EXECUTION_FAILED.
 */
export const openRepository: Preparer = open({ readsOnly: true });

/** Prepares a tool that writes to the repository, but no content of files. */
export const openForWriting: Preparer = open({});

/** Prepares a tool that writes content of files, which filters convert. */
export const openForContent: Preparer = open({ writesContent: true });

export const openForFetch: Preparer = open({ remote: 'fetch' });

export const openForPull: Preparer = (invocation, context) =>
  open({ remote: 'fetch', writesContent: true, merges: context.parameters['fast_forward_only'] !== true })(invocation, context);

export const openForPush: Preparer = open({ remote: 'push' });

function open({ readsOnly = false, writesContent, merges, remote }: Purpose): Preparer {
  return async ({ env }, { parameters, run, controlFiles, addressesOf }): Promise<Prepared> => {
    const repository = String(parameters['repository']);
    const context = { parameters, controlFiles, run };
    const { folders, settings } = readsOnly
      ? await openForReading(repository, env, context)
      : await openWithGit(repository, 'write', context);
    await refuseOutsidePaths(repository, folders, settings);
    if (writesContent) refuseOwnDrivers('filter', settings);
    if (merges) refuseOwnDrivers('merge', settings);
    const access =
      remote === undefined ? undefined : await remoteAccess({ repository, direction: remote, parameters, settings, run, addressesOf });
    return {
      cwd: repository,
      env: {
        ...env,
        ...gitEnvironment({
          repository,
          folders,
          readsOnly,
          ...(access === undefined ? {} : { network: access.env }),
          settings: [...withoutOwnPrograms(settings), ...(access?.settings ?? [])],
        }),
      },
    };
  };
}

/**
 * Runs git with other arguments in an opened repository, as the run of the tool's program. When the output is too long, the
 * program runs with its original arguments.
 */
export async function ranWith(args: readonly string[], opened: Prepared, run: RunAgain): Promise<Prepared> {
  const { cwd = '', env = {} } = opened;
  try {
    return { ...opened, args, ran: await run(['-C', cwd, ...args], { env }) };
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'OUTPUT_TOO_LARGE') throw error;
    return opened;
  }
}
