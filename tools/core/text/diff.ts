import { ToolkitError } from '../../../kernel/index.ts';
import { diffText, linesOf } from '../fs/reading/diff-text.ts';
import { changedRuns } from '../fs/reading/line-changes.ts';
import { maxOutputCharacters } from './output-size.ts';
import { segmentsOf } from './segments.ts';

interface DiffParameters {
  readonly left: string;
  readonly right: string;
  readonly granularity: 'line' | 'word' | 'char';
  /** Number of unchanged lines around a change. */
  readonly context: number;
}

interface DiffResult {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly equal: boolean;
}

/** Compares two texts. By words and characters it takes quadratic time in the number of changes. Throws OUTPUT_TOO_LARGE. */
export async function diff({ left, right, granularity, context }: DiffParameters): Promise<DiffResult> {
  if (left === right) return { diff: '', added: 0, removed: 0, equal: true };
  const changes = granularity === 'line' ? await lineDiff(left, right, context) : await inlineDiff(left, right, granularity);
  return { ...changes, equal: false };
}

type Changes = Omit<DiffResult, 'equal'>;

async function lineDiff(left: string, right: string, context: number): Promise<Changes> {
  const [before, after] = [linesOf(left), linesOf(right)];
  const runs = await changedRuns(before, after);
  const names = { left: 'left', right: 'right' };
  const { text, isCut } = diffText(before, after, runs, { names, context, maxCharacters: maxOutputCharacters });
  if (isCut) {
    const message = `The diff is longer than ${maxOutputCharacters} characters. Lower context, or compare parts of the texts.`;
    throw new ToolkitError('OUTPUT_TOO_LARGE', message, { maxCharacters: maxOutputCharacters });
  }
  const sum = (key: 'added' | 'removed'): number => runs.reduce((total, run) => total + run[key], 0);
  return { diff: text, added: sum('added'), removed: sum('removed') };
}

/** Returns the whole text with marks, as `git diff --word-diff=plain` prints it. Divides words and characters by Unicode UAX #29. */
async function inlineDiff(left: string, right: string, granularity: 'word' | 'char'): Promise<Changes> {
  const { diffArrays } = await import('diff');
  const parts = (text: string): string[] =>
    Array.from(segmentsOf(text, granularity === 'word' ? 'word' : 'grapheme'), ({ segment }) => segment);
  const changes = diffArrays(parts(left), parts(right)).map(({ value, added, removed }) => {
    const text = value.join('');
    const size = granularity === 'word' ? value.filter((part) => /\S/.test(part)).length : value.length;
    if (added) return { text: `{+${text}+}`, added: size, removed: 0 };
    return removed ? { text: `[-${text}-]`, added: 0, removed: size } : { text, added: 0, removed: 0 };
  });
  const sum = (key: 'added' | 'removed'): number => changes.reduce((total, change) => total + change[key], 0);
  return { diff: changes.map(({ text }) => text).join(''), added: sum('added'), removed: sum('removed') };
}
