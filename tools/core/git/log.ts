import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { fatalExit, gitFailure } from './failure.ts';

interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly date: string | null;
  readonly subject: string;
  readonly body: string;
}

/**
 * The commits of `git log -z` with the fields hash, author, email, date, subject and body, each ended by a null byte. An unborn HEAD is
 * an empty history. Throws INVALID_PARAMETERS or EXECUTION_FAILED for what git refuses.
 */
export const commits: OutputParser = (stdout, run) => {
  if (run.exitCode === fatalExit) {
    if (run.parameters['revision'] === 'HEAD' && run.stderr.includes("bad revision 'HEAD'")) return { commits: [] };
    throw gitFailure(run);
  }
  const fields = stdout.split('\0').slice(0, -1);
  return { commits: Array.from({ length: fields.length / 6 }, (_, index) => commitOf(fields.slice(index * 6, index * 6 + 6))) };
};

function commitOf([hash = '', author = '', email = '', date = '', subject = '', body = '']: readonly string[]): Commit {
  return { hash, author, email, date: Number.isNaN(Date.parse(date)) ? null : date, subject, body: body.replace(/\n+$/, '') };
}
