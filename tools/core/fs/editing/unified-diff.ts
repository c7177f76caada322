import type { StructuredPatch } from 'diff';

/** Characters of a diff that are given. */
const maxLength = 262_144;

/** After this the change is shown as a whole: everything between the first and the last changed line. */
const timeLimitMs = 3000;

const context = 3;

export interface ShownDiff {
  /** Empty when nothing differs. */
  readonly diff: string;
  readonly diff_truncated: boolean;
}

/** The change of a file as a unified diff that git apply and fs_apply_patch accept, unless it is truncated. `name`: without the prefixes a/ and b/. */
export async function unifiedDiff(name: string, before: string, after: string): Promise<ShownDiff> {
  if (before === after) return { diff: '', diff_truncated: false };
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff');
  const changed = changedPart(before, after);
  const names = [`a/${name}`, `b/${name}`] as const;
  const patch =
    structuredPatch(...names, changed.before, changed.after, undefined, undefined, { context, timeout: timeLimitMs }) ??
    asOneHunk(names, changed.before, changed.after);
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + changed.linesBefore,
    newStart: hunk.newStart + changed.linesBefore,
  }));
  const diff = formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY);
  if (diff.length <= maxLength) return { diff, diff_truncated: false };
  return { diff: diff.slice(0, diff.lastIndexOf('\n', maxLength) + 1), diff_truncated: true };
}

interface ChangedPart {
  readonly before: string;
  readonly after: string;
  /** Lines that are the same in both and come before. */
  readonly linesBefore: number;
}

/** The lines between the common beginning and the common end, with context: comparing takes memory for each line. */
function changedPart(before: string, after: string): ChangedPart {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  let start = lineStart(before, head);
  for (let lines = 0; lines < context && start > 0; lines++) start = lineStart(before, start - 1);
  let end = before.length - tail;
  for (let lines = 0; lines <= context && end < before.length; lines++) end = lineEnd(before, end);
  return {
    before: before.slice(start, end),
    after: after.slice(start, after.length - (before.length - end)),
    linesBefore: countLines(before, start),
  };
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Behind the line end that comes at or after this place. */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found + 1;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function asOneHunk([oldFileName, newFileName]: readonly [string, string], before: string, after: string): StructuredPatch {
  const [oldLines, newLines] = [markedLines(before, '-'), markedLines(after, '+')];
  const count = (lines: readonly string[]): number => lines.filter((line) => !line.startsWith('\\')).length;
  const hunk = { oldStart: 1, oldLines: count(oldLines), newStart: 1, newLines: count(newLines), lines: [...oldLines, ...newLines] };
  return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function markedLines(text: string, mark: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => `${mark}${line}`);
  if (!text.endsWith('\n')) return [...lines, '\\ No newline at end of file'];
  return lines.slice(0, -1);
}
