import { diffText, linesOf } from '../reading/diff-text.ts';
import { changedRuns } from '../reading/line-changes.ts';

/** Maximum length of a diff, in characters. */
const maxLength = 262_144;

const context = 3;

export interface ShownDiff {
  /** Unified diff; empty when nothing differs. */
  readonly diff: string;
  readonly diff_truncated: boolean;
}

/**
 * Returns the change of a file as a unified diff that git apply and fs_apply_patch accept, unless it is truncated. `name`:
 * without the prefixes a/ and b/.
 */
export async function unifiedDiff(name: string, before: string, after: string): Promise<ShownDiff> {
  if (before === after) return { diff: '', diff_truncated: false };
  const changed = changedPart(before, after);
  const [left, right] = [linesOf(changed.before), linesOf(changed.after)];
  const names = { left: `a/${name}`, right: `b/${name}` };
  const { linesBefore } = changed;
  const { text, isCut } = diffText(left, right, await changedRuns(left, right), { names, context, linesBefore, maxCharacters: maxLength });
  return { diff: text, diff_truncated: isCut };
}

interface ChangedPart {
  readonly before: string;
  readonly after: string;
  /** Number of equal lines before the part. */
  readonly linesBefore: number;
}

/**
 * Returns the lines between the common beginning and the common end, with context. Comparing takes memory for each line, so the
 * rest is cut off.
 */
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

/** Returns the index after the next line end at or after `at`. */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found + 1;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
