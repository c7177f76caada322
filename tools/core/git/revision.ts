import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { gitFailure } from './failure.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Returns standard output of a git that must succeed. Throws what `gitFailure` returns for a failure. */
export async function outputOf(run: RunAgain, args: readonly string[], parameters: Parameters): Promise<string> {
  const { stdout, stderr, exitCode } = await run(args);
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  return stdout;
}

/** Returns the hash of a revision that is no user input, such as HEAD; undefined when there is none. */
export async function hashOf(run: RunAgain, revision: string): Promise<string | undefined> {
  const { stdout, exitCode } = await run(['rev-parse', '--quiet', '--verify', '--end-of-options', revision]);
  return exitCode === 0 ? stdout.trim() : undefined;
}

/** Returns the hash of the empty tree in the hash algorithm of the repository. */
export async function emptyTree(run: RunAgain, parameters: Parameters): Promise<string> {
  const { stdout, stderr, exitCode } = await run(['hash-object', '-t', 'tree', '--stdin'], { stdin: '' });
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  return stdout.trim();
}
