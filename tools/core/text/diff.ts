interface DiffParameters {
  readonly left: string;
  readonly right: string;
  readonly granularity: 'line' | 'word' | 'char';
  /** Unchanged lines around a change. */
  readonly context: number;
}

interface DiffResult {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly equal: boolean;
}

/** The changes from one text to another. Takes time with the square of the number of changes. */
export async function diff({ left, right, granularity, context }: DiffParameters): Promise<DiffResult> {
  if (left === right) return { diff: '', added: 0, removed: 0, equal: true };
  const changes = granularity === 'line' ? await lineDiff(left, right, context) : await inlineDiff(left, right, granularity);
  return { ...changes, equal: false };
}

type Changes = Omit<DiffResult, 'equal'>;

async function lineDiff(left: string, right: string, context: number): Promise<Changes> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff');
  const patch = structuredPatch('left', 'right', left, right, undefined, undefined, { context });
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return { diff: formatPatch(patch, FILE_HEADERS_ONLY), added: count('+'), removed: count('-') };
}

/** The whole text with marks, as `git diff --word-diff=plain` writes them. Words and characters as Unicode UAX #29 divides them. */
async function inlineDiff(left: string, right: string, granularity: 'word' | 'char'): Promise<Changes> {
  const { diffArrays } = await import('diff');
  const segmenter = new Intl.Segmenter('en', { granularity: granularity === 'word' ? 'word' : 'grapheme' });
  const parts = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const changes = diffArrays(parts(left), parts(right)).map(({ value, added, removed }) => {
    const text = value.join('');
    const size = granularity === 'word' ? value.filter((part) => /\S/.test(part)).length : value.length;
    if (added) return { text: `{+${text}+}`, added: size, removed: 0 };
    return removed ? { text: `[-${text}-]`, added: 0, removed: size } : { text, added: 0, removed: 0 };
  });
  const sum = (key: 'added' | 'removed'): number => changes.reduce((total, change) => total + change[key], 0);
  return { diff: changes.map(({ text }) => text).join(''), added: sum('added'), removed: sum('removed') };
}
