import { excerpt } from '../../../kernel/index.ts';
import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { caseInsensitivePattern } from './case-insensitive-pattern.ts';
import { changedCommits } from './changed-commits.ts';
import { without } from './changes.ts';
import { commitFormat, commitsOf } from './commit-record.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { openRepository } from './repository.ts';
import { outputOf } from './revision.ts';
import { WorkingTree } from './working-tree.ts';

interface LogParameters {
  readonly revision: string;
  readonly path?: string;
  readonly author?: string;
  readonly message?: string;
  readonly changed_text?: string;
  readonly changed_pattern?: string;
  readonly since?: string;
  readonly until?: string;
  readonly max_count: number;
}

/** Adds the search to the arguments. Throws INVALID_PARAMETERS for a line break: git reads it as "or", or never finds it. */
export const openForLog: Preparer = async (invocation, context) => {
  const given = context.parameters as unknown as LogParameters;
  for (const [name, value] of Object.entries(context.parameters)) {
    const isLine = ['author', 'message', 'changed_pattern'].includes(name);
    if (typeof value === 'string' && (isLine ? /[\n\r\0]/ : /\0/).test(value))
      throw wrongParameter(name, `expected text without ${isLine ? 'line breaks' : 'null bytes'}, received "${excerpt(value)}"`);
  }
  if (given.changed_text !== undefined && given.changed_pattern !== undefined)
    throw wrongParameter('changed_pattern', 'expected one of changed_text and changed_pattern, received both');
  return { ...(await openRepository(invocation, context)), args: argumentsOf(given) };
};

/**
 * Returns the commits of `git log -z`. An unborn HEAD has an empty history. Throws what `gitFailure` returns for another
 * failure.
 */
export const commits: OutputParser = async (stdout, { exitCode, stderr, parameters, run, controlFiles }) => {
  const given = parameters as unknown as LogParameters;
  if (exitCode !== 0) {
    if (given.revision === 'HEAD' && stderr.includes("bad revision 'HEAD'")) return { commits: [] };
    const wrong = /fatal: invalid regex: (.*)/.exec(stderr)?.[1];
    if (wrong === undefined || given.changed_pattern === undefined) throw gitFailure({ stderr, exitCode, parameters });
    const expected = `expected an extended regular expression (POSIX), received "${excerpt(given.changed_pattern)}"`;
    throw wrongParameter('changed_pattern', `${expected}: ${excerpt(wrong)}`);
  }
  if (!comparesFiles(given)) return { commits: commitsOf(stdout) };
  const again = (withheld: ReadonlySet<string>): Promise<string> => outputOf(run, argumentsOf(given, withheld), parameters);
  return { commits: await changedCommits(stdout, new WorkingTree({ parameters, controlFiles }), again) };
};

function comparesFiles({ changed_text: text, changed_pattern: pattern }: LogParameters): boolean {
  return text !== undefined || pattern !== undefined;
}

/** Builds the arguments. Every value is part of an argument that begins with its option, or comes after the end of options. */
function argumentsOf(given: LogParameters, withheld: Iterable<string> = []): readonly string[] {
  const { author, message, since, until, changed_text: text, changed_pattern: pattern } = given;
  const option = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [`${name}${value}`]);
  // The option that ignores case in messages would ignore it in files as well.
  const inMessages = comparesFiles(given)
    ? (value?: string) => (value === undefined ? undefined : caseInsensitivePattern(value))
    : (value?: string) => value;
  const comparing = [
    // Includes a file that existed in the first commit, all paths of history to a change, also those that a merge dropped, and only
    // matching files.
    ...['--root', '--full-history', '--name-status', '--find-renames', '--extended-regexp'],
    ...[...option('-S', text), ...option('-G', pattern)],
  ];
  const args = [
    ...['log', '-z', `--format=tformat:${commitFormat}`, '--encoding=UTF-8', '--no-ext-diff', '--no-textconv', '--no-color'],
    ...(comparesFiles(given) ? comparing : ['--no-patch', '--fixed-strings', '--regexp-ignore-case']),
    ...[`--max-count=${given.max_count}`, ...option('--author=', inMessages(author)), ...option('--grep=', inMessages(message))],
    ...[...option('--since=', since), ...option('--until=', until), '--end-of-options', given.revision],
  ];
  return without(withheld, args, given.path);
}
