import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { isoDate } from './iso-date.ts';
import { openRepository } from './repository.ts';
import { WorkingTree } from './working-tree.ts';

interface BlameParameters {
  readonly path: string;
  readonly start: number;
  readonly end?: number;
  readonly revision: string;
}

/** Adds the lines, the revision and the file to the arguments. Throws INVALID_PARAMETERS for a range that ends before it starts. */
export const openForBlame: Preparer = async (invocation, context) => {
  const { path, start, end, revision } = context.parameters as unknown as BlameParameters;
  if (end !== undefined && end < start) throw wrongParameter('end', `expected at least start, which is ${start}, received ${end}`);
  await new WorkingTree(context).refuseSecret(path);
  const args = [...invocation.args, `-L${start},${end ?? ''}`, revision, '--', path];
  return { ...(await openRepository(invocation, context)), args };
};

interface Line {
  readonly line: number;
  readonly hash: string;
  readonly author: string;
  readonly date: string | null;
  readonly text: string;
}

type Commit = Readonly<Record<string, string>>;

/**
 * Returns the lines of `git blame --porcelain`, which prints the facts of a commit only at its first line (git-blame, The
 * Porcelain Format).
 */
export const lines: OutputParser = (stdout, { exitCode, stderr, parameters }) => {
  const { start } = parameters as unknown as BlameParameters;
  const isEmpty = start === 1 && /has only 0 lines/.test(stderr);
  const length = /has only (\d+) lines?/.exec(stderr)?.[1];
  if (length !== undefined && !isEmpty)
    throw wrongParameter('start', `expected a line of the file, which has ${length}, received ${start}`);
  if (exitCode !== 0 && !isEmpty) throw gitFailure({ stderr, exitCode, parameters });

  const commits = new Map<string, Commit>();
  const found: Line[] = [];
  let hash = '';
  let line = 0;
  let facts: Record<string, string> = {};
  for (const text of stdout.split('\n').slice(0, -1)) {
    if (text.startsWith('\t')) {
      const commit = commits.get(hash) ?? facts;
      commits.set(hash, commit);
      found.push({
        line,
        hash,
        author: commit['author'] ?? '',
        date: isoDate(commit['author-time'] ?? '', commit['author-tz'] ?? ''),
        text: text.slice(1),
      });
      facts = {};
      continue;
    }
    const [name = '', ...rest] = text.split(' ');
    if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) {
      hash = name;
      line = Number(rest[1]);
    } else facts[name] = rest.join(' ');
  }
  return { lines: found };
};
