import { excerpt } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { openRepository } from './repository.ts';
import { unreadableIn } from './unreadable-in.ts';
import { WorkingTree } from './working-tree.ts';

interface GrepParameters {
  readonly repository: string;
  readonly pattern: string;
  readonly revision?: string;
  readonly path?: string;
  readonly ignore_case: boolean;
  readonly max_results: number;
}

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Maximum length of the text of a match, in characters. */
const maxText = 500;

/** Adds pattern, revision and paths to the arguments. */
export const openForGrep: Preparer = async (invocation, context) => {
  const {
    pattern,
    revision,
    path: place,
    ignore_case: ignoreCase,
    max_results: maxResults,
  } = context.parameters as unknown as GrepParameters;
  const options = [...(ignoreCase ? ['--ignore-case'] : []), `--max-count=${maxResults + 1}`, '-e', pattern];
  if (place !== undefined) await new WorkingTree(context).refuseSecret(place);
  const where = [...(revision === undefined ? [] : [commitOf(revision)]), '--', ...(place === undefined ? [] : [place])];
  return { ...(await openRepository(invocation, context)), args: [...invocation.args, ...options, ...where] };
};

/** Returns the matches of `git grep -z --line-number --column`. Exit code 1 means no match. */
export const matches: OutputParser = async (stdout, { exitCode, stderr, parameters, controlFiles }) => {
  const { repository, pattern, revision, max_results: maxResults } = parameters as unknown as GrepParameters;
  const wrong = /fatal: (?:-e option|command line), '.*': (.*)/s.exec(stderr)?.[1];
  if (wrong !== undefined) {
    throw wrongParameter('pattern', `expected an extended regular expression (POSIX), received "${excerpt(pattern)}": ${excerpt(wrong)}`);
  }
  if (exitCode > 1) throw gitFailure({ stderr, exitCode, parameters });
  const prefix = revision === undefined ? '' : `${commitOf(revision)}:`;
  const tree = new WorkingTree({ parameters, controlFiles });
  const all = [...recordsOf(stdout, prefix)];
  const secrets = await tree.secretsAmong(new Set(all.map((match) => match.path)));
  const found: Match[] = [];
  for (const match of all) {
    if (found.length > maxResults) break;
    if (!secrets.has(match.path) && (revision !== undefined || tree.isWithin(match.path))) found.push(match);
  }
  const unreadable = revision === undefined ? unreadableIn(stderr, repository) : {};
  return { matches: found.slice(0, maxResults), truncated: found.length > maxResults, ...unreadable };
};

/** Restricts a revision to a commit: in a folder or a file, git would print other names. */
function commitOf(revision: string): string {
  return `${revision}^{commit}`;
}

/** Parses `path NUL line NUL column NUL text LF`; only the text cannot hold a newline. */
function* recordsOf(stdout: string, prefix: string): Generator<Match> {
  for (let place = 0; place < stdout.length; ) {
    const name = stdout.indexOf('\0', place);
    const line = stdout.indexOf('\0', name + 1);
    const column = stdout.indexOf('\0', line + 1);
    const end = stdout.indexOf('\n', column + 1);
    if (name < 0 || line < 0 || column < 0) return;
    const text = stdout.slice(column + 1, end < 0 ? undefined : end);
    yield {
      path: stdout.slice(place + prefix.length, name),
      line: Number(stdout.slice(name + 1, line)),
      text: excerptAround(text, Number(stdout.slice(line + 1, column))),
    };
    place = end < 0 ? stdout.length : end + 1;
  }
}

/** Shortens a long text to the characters around the match. `column` counts bytes from 1. */
function excerptAround(text: string, column: number): string {
  if (text.length <= maxText) return text;
  const match = Buffer.from(text)
    .subarray(0, column - 1)
    // Own text: cut out of a text, to count its characters
    .toString('utf8').length;
  const start = Math.max(0, Math.min(match - 100, text.length - maxText));
  return `${start > 0 ? '…' : ''}${text.slice(start, start + maxText).toWellFormed()}${start + maxText < text.length ? '…' : ''}`;
}
