import type { ChangedRun } from './line-changes.ts';

interface DiffOptions {
  readonly names: { readonly left: string; readonly right: string };
  /** Number of unchanged lines around a change. */
  readonly context: number;
  readonly maxCharacters: number;
  /** Number of lines before the compared ones. @default 0 */
  readonly linesBefore?: number;
}

export interface DiffText {
  readonly text: string;
  /** True when lines at the end were left out because the diff would be too long. */
  readonly isCut: boolean;
}

/** Splits a text into lines with their ends; the last line may have none. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Formats the changes as `diff -u` does. */
export function diffText(
  left: readonly string[],
  right: readonly string[],
  runs: readonly ChangedRun[],
  { names, context, maxCharacters, linesBefore = 0 }: DiffOptions,
): DiffText {
  const lines: string[] = [];
  let length = 0;
  for (const line of diffLines()) {
    length += line.length;
    if (length > maxCharacters) return { text: lines.join(''), isCut: true };
    lines.push(line);
  }
  return { text: lines.join(''), isCut: false };

  function* diffLines(): Generator<string> {
    yield `--- ${names.left}\n+++ ${names.right}\n`;
    for (const hunk of hunksOf(runs, context)) {
      const from = Math.max(0, hunk.first.left - context);
      const to = Math.min(left.length, hunk.last.left + hunk.last.removed + context);
      const rightFrom = hunk.first.right - (hunk.first.left - from);
      const rightTo = hunk.last.right + hunk.last.added + (to - hunk.last.left - hunk.last.removed);
      yield `@@ -${rangeOf(linesBefore + from, linesBefore + to)} +${rangeOf(linesBefore + rightFrom, linesBefore + rightTo)} @@\n`;
      let place = from;
      for (const run of hunk.runs) {
        for (; place < run.left; place++) yield marked(' ', left[place]);
        for (; place < run.left + run.removed; place++) yield marked('-', left[place]);
        for (let added = run.right; added < run.right + run.added; added++) yield marked('+', right[added]);
      }
      for (; place < to; place++) yield marked(' ', left[place]);
    }
  }
}

function marked(mark: string, line = ''): string {
  return line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;
}

interface Hunk {
  readonly runs: readonly ChangedRun[];
  readonly first: ChangedRun;
  readonly last: ChangedRun;
}

/** Groups changes into hunks: changes whose context lines touch share a hunk. */
function hunksOf(runs: readonly ChangedRun[], context: number): Hunk[] {
  const hunks: { runs: ChangedRun[]; first: ChangedRun; last: ChangedRun }[] = [];
  for (const run of runs) {
    const hunk = hunks.at(-1);
    if (hunk === undefined || run.left - (hunk.last.left + hunk.last.removed) > 2 * context) {
      hunks.push({ runs: [run], first: run, last: run });
      continue;
    }
    hunk.runs.push(run);
    hunk.last = run;
  }
  return hunks;
}

/** Formats a line range. An empty range names the line before it. */
function rangeOf(from: number, to: number): string {
  return `${to === from ? from : from + 1},${to - from}`;
}
