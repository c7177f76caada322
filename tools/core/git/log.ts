import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { commitsOf } from './commit-record.ts';
import { gitFailure } from './failure.ts';

/** The commits of `git log -z`. An unborn HEAD is an empty history. Throws what `gitFailure` makes of the rest. */
export const commits: OutputParser = (stdout, { exitCode, stderr, parameters }) => {
  if (exitCode === 0) return { commits: commitsOf(stdout) };
  if (parameters['revision'] === 'HEAD' && stderr.includes("bad revision 'HEAD'")) return { commits: [] };
  throw gitFailure({ stderr, exitCode, parameters });
};
