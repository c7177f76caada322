export type LineEnd = '\n' | '\r\n';

/** A text with LF line ends, and the original line end of each line. */
export interface LinedText {
  readonly text: string;
  readonly ends: readonly LineEnd[];
}

/** A range of a text, and its replacement. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** Splits a text into LF text and line ends. A CR without LF is an ordinary character. */
export function splitLineEnds(whole: string): LinedText {
  const ends: LineEnd[] = [];
  for (let at = whole.indexOf('\n'); at !== -1; at = whole.indexOf('\n', at + 1)) ends.push(whole[at - 1] === '\r' ? '\r\n' : '\n');
  return { text: whole.replaceAll('\r\n', '\n'), ends };
}

/** Restores the line ends: the text as in the file. */
export function putLineEnds({ text, ends }: LinedText): string {
  if (!ends.includes('\r\n')) return text;
  let line = 0;
  return text.replace(/\n/g, () => ends[line++] ?? '\n');
}

/**
 * Replaces ranges of a text, which must be sorted and must not overlap. Unchanged lines keep their line ends. New lines get that of the
 * first replaced line, or of the line that contains the range. At the end of the text, after a line without line end, they get that of the
 * line before.
 */
export function replaceRanges({ text, ends }: LinedText, replacements: Iterable<Replacement>): LinedText {
  const newEnds: LineEnd[] = [];
  let newText = '';
  let at = 0;
  let line = 0;
  const keep = (count: number): void => {
    for (let end = line + count; line < end; line++) newEnds.push(ends[line] ?? '\n');
  };
  for (const { from, to, by } of replacements) {
    const old = text.slice(from, to);
    newText += text.slice(at, from) + by;
    keep(countEnds(text, at, from));
    at = to;
    const { head, tail, isOnlyAdded } = sharedLines(old, by);
    keep(head);
    const end = ends[isOnlyAdded && head > 0 ? line - 1 : line] ?? ends[line - 1] ?? '\n';
    for (let count = countEnds(by) - head - tail; count > 0; count--) newEnds.push(end);
    line += countEnds(old) - head - tail;
    keep(tail);
  }
  keep(countEnds(text, at));
  return { text: newText + text.slice(at), ends: newEnds };
}

interface SharedLines {
  /** Number of equal lines with line end at the beginning of both texts, and at the end. */
  readonly head: number;
  readonly tail: number;
  /** True when no old text is removed. */
  readonly isOnlyAdded: boolean;
}

function sharedLines(old: string, by: string): SharedLines {
  if (!old.includes('\n') || !by.includes('\n')) return { head: 0, tail: 0, isOnlyAdded: old === '' };
  const [before, after] = [old.split('\n'), by.split('\n')];
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least - 1 && before[head] === after[head]) head += 1;
  let same = 0;
  while (same < least - head && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  // The text after the last line end has no line end.
  return { head, tail: Math.max(0, same - 1), isOnlyAdded: before.slice(head, before.length - same).join('\n') === '' };
}

function countEnds(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
