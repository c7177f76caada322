import type { Change } from 'diff';
import { type LinedText, putLineEnds, type Replacement, replaceRanges } from './line-ends.ts';

/**
 * Applies a change that was computed on LF text. Unchanged lines keep their line ends; for others see `replaceRanges`. Added lines between
 * unchanged ones get the line end of the line before.
 */
export async function applyLineChanges(before: LinedText, after: string): Promise<string> {
  const { diffLines } = await import('diff');
  return putLineEnds(replaceRanges(before, replacementsOf(diffLines(before.text, after))));
}

function* replacementsOf(changes: readonly Change[]): Generator<Replacement> {
  let at = 0;
  for (const [index, { added, removed, value }] of changes.entries()) {
    if (!added) at += value.length;
    if (removed && changes[index + 1]?.added !== true) yield { from: at - value.length, to: at, by: '' };
    if (!added) continue;
    const before = changes[index - 1];
    // When no line is replaced, the line before decides the line end.
    const old = before?.removed === true ? before.value : (/[^\n]*\n$/.exec(before?.value ?? '')?.[0] ?? '');
    yield { from: at - old.length, to: at, by: before?.removed === true ? value : old + value };
  }
}
