import type { DifferenceLine } from '../../formats/difference-line.ts';

const context = 2;

/**
 * Returns the lines that differ between two values, with two equal lines around them. What lies between the first and the last difference counts as
 * changed, which is enough for a person who compares two calls. A missing value has no lines.
 */
export function changedLines(from: unknown, to: unknown): readonly DifferenceLine[] {
  const before = linesOf(from);
  const after = linesOf(to);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const line =
    (kind: DifferenceLine['kind']) =>
    (text: string): DifferenceLine => ({ kind, text });
  return [
    ...before.slice(Math.max(start - context, 0), start).map(line('same')),
    ...before.slice(start, before.length - end).map(line('removed')),
    ...after.slice(start, after.length - end).map(line('added')),
    ...after.slice(after.length - end, after.length - end + context).map(line('same')),
  ];
}

function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')).split('\n');
}
