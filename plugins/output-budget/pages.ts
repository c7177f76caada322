import { isPair } from '../shared/output-room/text-within.ts';

/** A text with the places where its pages end. */
export interface Paged {
  readonly text: string;
  readonly ends: readonly number[];
}

export function pageUri(callId: string, page: number): string {
  return `output://${callId}/${page}`;
}

/** From 1. */
export function pageText({ text, ends }: Paged, page: number): string {
  return text.slice(ends[page - 2] ?? 0, ends[page - 1]);
}

/**
 * Where the pages of a text end, each at most `size` characters (UTF-16 units) after the one before: behind a line if one ends in the
 * second half of the page, and never inside a character.
 */
export function pageEnds(text: string, size: number): readonly number[] {
  const ends: number[] = [];
  for (let start = 0; start < text.length; ) {
    start = endOfPage(text, start, size);
    ends.push(start);
  }
  return ends;
}

function endOfPage(text: string, start: number, size: number): number {
  const limit = start + size;
  if (limit >= text.length) return text.length;
  // Looks for the line in its half only: a page without one must not be searched to the start of the text.
  const half = Math.floor(start + size / 2);
  const behindLine = text.slice(half, limit).lastIndexOf('\n') + 1;
  if (behindLine > 0) return half + behindLine;
  return isPair(text, limit) ? limit - 1 : limit;
}
