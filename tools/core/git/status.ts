import type { OutputParser, Preparer } from '../../../plugins/executor-command/index.ts';
import { gitFailure } from './failure.ts';
import { findLeftOutOfStatus } from './left-out-of-status.ts';
import { openRepository, ranWith } from './repository.ts';
import { unreadableIn } from './unreadable-in.ts';

interface ChangedFile {
  readonly path: string;
  /** One letter as in git's documentation; `.` is unmodified. */
  readonly index: string;
  readonly worktree: string;
  readonly original_path?: string;
}

/** Number of fields before the path, by kind of record (git-status, Porcelain Format Version 2). */
const fieldsBeforePath: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1, '!': 1 };

/** Runs the status, which also lists the ignored files in the same walk; without them when the output is too long. */
export const openForStatus: Preparer = async (invocation, context) =>
  ranWith([...invocation.args, listingIgnored], await openRepository(invocation, context), context.run);

const listingIgnored = '--ignored=traditional';

/**
 * Parses the output of `git status --porcelain=v2 --branch -z`, and finds the files that it omitted. Throws what `gitFailure`
 * returns when git fails.
 */
export const status: OutputParser = async (stdout, run) => {
  if (run.exitCode !== 0) throw gitFailure(run);
  const records = stdout.split('\0').slice(0, -1);
  const headers = records.slice(0, firstFile(records));
  const header = (name: string): string | undefined => {
    const start = `# branch.${name} `;
    return headers.find((record) => record.startsWith(start))?.slice(start.length);
  };
  const head = header('head');
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(header('ab') ?? '') ?? [];
  const repository = String(run.parameters['repository']);
  const ignored = run.args.includes(listingIgnored) ? ignoredIn(records) : undefined;
  const leftOut = await findLeftOutOfStatus({ repository, run: run.run, controlFiles: run.controlFiles, ignored });
  return {
    branch: head === undefined || head === '(detached)' ? null : head,
    ahead: ahead === undefined ? null : Number(ahead),
    behind: behind === undefined ? null : Number(behind),
    files: filesOf(records),
    ...(leftOut === undefined ? {} : { left_out: leftOut }),
    ...unreadableIn(run.stderr, repository),
  };
};

function firstFile(records: readonly string[]): number {
  const place = records.findIndex((record) => !record.startsWith('# '));
  return place < 0 ? records.length : place;
}

/** Returns the files in the records of `git status --porcelain=v2 -z`, without ignored ones. */
export function filesOf(records: readonly string[]): ChangedFile[] {
  return [...entriesOf(records)].filter(({ index }) => index !== '!');
}

/** Returns the ignored files in these records, except those in an untracked folder, which is one entry. */
function ignoredIn(records: readonly string[]): readonly string[] {
  const entries = [...entriesOf(records)];
  const folders = new Set(entries.flatMap(({ path, index }) => (index === '?' && path.endsWith('/') ? [path] : [])));
  const isInFolder = (path: string): boolean => {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) if (folders.has(path.slice(0, end + 1))) return true;
    return false;
  };
  return entries.flatMap(({ path, index }) => (index === '!' && !isInFolder(path) ? [path] : []));
}

function* entriesOf(records: readonly string[]): Generator<ChangedFile> {
  for (let place = 0; place < records.length; place++) {
    const fields = (records[place] ?? '').split(' ');
    const [kind = '', letters = ''] = fields;
    const before = fieldsBeforePath[kind];
    if (before === undefined) continue;
    const path = fields.slice(before).join(' ');
    const [index = '.', worktree = '.'] = before === 1 ? [kind, kind] : letters;
    // The path before a rename is the next record.
    yield { path, index, worktree, ...(kind === '2' ? { original_path: records[++place] ?? '' } : {}) };
  }
}
