import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { gitFailure } from './failure.ts';
import { leftOutOfStatus } from './left-out-of-status.ts';
import { unreadableIn } from './unreadable-in.ts';

interface ChangedFile {
  readonly path: string;
  /** One letter as in git's documentation; `.` is unmodified. */
  readonly index: string;
  readonly worktree: string;
  readonly original_path?: string;
}

/** How many fields stand before the path, by the kind of the record (git-status, Porcelain Format Version 2). */
const fieldsBeforePath: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

/** Reads what `git status --porcelain=v2 --branch -z` printed, and finds what it left out. Throws as `gitFailure` says where git refuses. */
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
  const leftOut = await leftOutOfStatus(run.run);
  return {
    branch: head === undefined || head === '(detached)' ? null : head,
    ahead: ahead === undefined ? null : Number(ahead),
    behind: behind === undefined ? null : Number(behind),
    files: filesOf(records),
    ...(leftOut === undefined ? {} : { left_out: leftOut }),
    ...unreadableIn(run.stderr, String(run.parameters['repository'])),
  };
};

function firstFile(records: readonly string[]): number {
  const place = records.findIndex((record) => !record.startsWith('# '));
  return place < 0 ? records.length : place;
}

/** The files in the records of `git status --porcelain=v2 -z`. */
export function filesOf(records: readonly string[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let place = 0; place < records.length; place++) {
    const fields = (records[place] ?? '').split(' ');
    const [kind = '', letters = ''] = fields;
    const before = fieldsBeforePath[kind];
    if (before === undefined) continue;
    const path = fields.slice(before).join(' ');
    if (kind === '?') {
      files.push({ path, index: '?', worktree: '?' });
      continue;
    }
    const [index = '.', worktree = '.'] = letters;
    // The path before a rename is a record of its own, the next one.
    files.push({ path, index, worktree, ...(kind === '2' ? { original_path: records[++place] ?? '' } : {}) });
  }
  return files;
}
