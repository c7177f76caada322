import { escapedLength, textWithin } from '../../shared/output-room/text-within.ts';
import type { Section } from '../pages.ts';

/** A line of a section, without its line break. Lines are counted from 1 over all sections. */
export interface LinePosition {
  readonly section: Section;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Yields the lines of a stored output, in the order of its pages. */
export function* linesOf(sections: readonly Section[]): Generator<LinePosition> {
  let line = 0;
  for (const section of sections) {
    if (section.kind === 'shown') continue;
    const { text } = section;
    for (let start = 0; start < text.length; ) {
      const found = text.indexOf('\n', start);
      const end = found < 0 ? text.length : found;
      yield { section, line: ++line, start, end };
      start = end + 1;
    }
  }
}

/** Consecutive lines of one section. */
export interface LinesPart {
  readonly at: string;
  readonly line: number;
  readonly text: string;
}

export interface ReadLines {
  readonly parts: readonly LinesPart[];
  readonly next_line?: number;
  /** The column of the next call, where it continues inside of that line. */
  readonly next_column?: number;
}

/** Characters around a part in JSON, without its pointer. */
const partOverhead = 60;

/** Returns as many lines as fit the room, from one line on. A line that is longer than the room is cut, and continues at a column. */
export function readLines(sections: readonly Section[], from: { readonly line: number; readonly column: number }, room: number): ReadLines {
  const parts: { at: string; line: number; lines: string[] }[] = [];
  const read = (more: Omit<ReadLines, 'parts'> = {}): ReadLines => ({
    parts: parts.map(({ lines, ...part }) => ({ ...part, text: lines.join('\n') })),
    ...more,
  });
  let remaining = room;
  let section: Section | undefined;
  for (const position of linesOf(sections)) {
    if (position.line < from.line) continue;
    const column = position.line === from.line ? from.column : 1;
    const text = position.section.text.slice(Math.min(position.end, position.start + column - 1), position.end);
    if (position.section !== section) {
      remaining -= partOverhead + escapedLength(position.section.at);
      if (remaining <= 0 && parts.length > 0) return read({ next_line: position.line });
      section = position.section;
      parts.push({ at: section.at, line: position.line, lines: [] });
    }
    const size = escapedLength(text) + 2;
    const lines = parts.at(-1)?.lines ?? [];
    if (size > remaining) {
      if (position.line !== from.line) {
        if (lines.length === 0) parts.pop();
        return read({ next_line: position.line });
      }
      const beginning = textWithin(text, remaining);
      lines.push(beginning);
      return read({ next_line: position.line, next_column: column + beginning.length });
    }
    remaining -= size;
    lines.push(text);
  }
  return read();
}
