import { type LineOrder, lineComparator } from './line-order.ts';

interface SortParameters extends LineOrder {
  readonly text: string;
  readonly order: 'ascending' | 'descending' | 'none';
  readonly unique: boolean;
  readonly count: boolean;
}

interface CountedLine {
  readonly text: string;
  readonly count: number;
}

interface Sorted {
  readonly text: string;
  /** Number of lines in the result. */
  readonly lines: number;
  readonly removed: number;
  readonly counts?: readonly CountedLine[];
}

/** Sorts lines and removes repeated ones. Lines that compare as equal keep their order. Throws INVALID_PARAMETERS. */
export function sortLines({ text, order, unique, count, ...rule }: SortParameters): Sorted {
  const { lines, lineEnd, lastEnd } = linesOf(text);
  const counted = unique || count ? countedLines(lines, rule.ignore_case) : [];
  const compare = order === 'none' ? undefined : lineComparator(rule);
  const inOrder = <Item>(items: readonly Item[], lineText: (item: Item) => string): Item[] => {
    if (compare === undefined) return [...items];
    return items.toSorted((left, right) =>
      order === 'descending' ? compare(lineText(right), lineText(left)) : compare(lineText(left), lineText(right)),
    );
  };
  const sortedCounts = inOrder(counted, (line) => line.text);
  const kept = unique ? sortedCounts.map((line) => line.text) : inOrder(lines, (line) => line);
  return {
    text: kept.join(lineEnd) + lastEnd,
    lines: kept.length,
    removed: lines.length - kept.length,
    ...(count ? { counts: sortedCounts } : {}),
  };
}

/** Returns the distinct lines with their counts, in the order and the case of their first occurrence. */
function countedLines(lines: readonly string[], ignoreCase: boolean): CountedLine[] {
  const counted = new Map<string, { text: string; count: number }>();
  for (const text of lines) {
    const key = ignoreCase ? text.toLowerCase() : text;
    const line = counted.get(key);
    if (line === undefined) counted.set(key, { text, count: 1 });
    else line.count += 1;
  }
  return [...counted.values()];
}

/** Returns the lines without line ends, the line end of the first one, and that of the last one if it has one. */
function linesOf(text: string): { lines: string[]; lineEnd: string; lastEnd: string } {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  if (text === '') return { lines: [], lineEnd, lastEnd: '' };
  const lines = text.split(/\r?\n/);
  if (!text.endsWith('\n')) return { lines, lineEnd, lastEnd: '' };
  return { lines: lines.slice(0, -1), lineEnd, lastEnd: lineEnd };
}
