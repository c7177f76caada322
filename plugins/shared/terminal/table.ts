import type { Terminal } from '../../../kernel/index.ts';
import { paint } from './paint.ts';
import { type TextWidth, textWidth } from './width.ts';

export interface Column {
  /** Without any heading, the table has no row for them. */
  readonly heading?: string;
  /** Cuts (`…`) or wraps text that does not fit. At most one column may have it. @default neither */
  readonly narrow?: 'cut' | 'wrap';
  /** @default 'left' */
  readonly align?: 'left' | 'right';
}

/** Characters between two columns. */
const gap = 2;

/** Minimum width of the narrowed column; with less room, lines are wider than the terminal. */
const minWidth = 10;

/**
 * Formats rows in columns, within the width of the terminal. Texts may have styles, except in a column that is cut; their line breaks begin
 * new lines. Every line ends with a line feed, without trailing spaces. Pass foreign texts through `visibleText` first.
 */
export async function textTable(
  terminal: Pick<Terminal, 'columns' | 'hasColors'>,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const width = await textWidth();
  const { wrapAnsi } = await import('fast-wrap-ansi');
  const headings = columns.some(({ heading }) => heading !== undefined)
    ? [columns.map(({ heading = '' }) => paint(terminal, 'heading', heading))]
    : [];
  const all = [...headings, ...rows];
  const widths = widthsOf(columns, all, terminal.columns ?? Number.POSITIVE_INFINITY, width);
  const linesOf = (text: string, index: number): string[] => {
    const room = widths[index] ?? 0;
    const { narrow } = columns[index] ?? {};
    return text.split('\n').flatMap((line) => {
      // Wrapping removes the spaces at the beginning of a line.
      if (narrow === undefined || width.measure(line) <= room) return [line];
      return narrow === 'cut' ? [width.cut(line, room)] : wrapAnsi(line, room, { hard: true }).split('\n');
    });
  };
  const padded = (text: string, index: number): string => {
    const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - width.measure(text)));
    return columns[index]?.align === 'right' ? blanks + text : text + blanks;
  };
  const lines = all.flatMap((row) => {
    const cells = columns.map((_column, index) => linesOf(row[index] ?? '', index));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_none, line) =>
      cells.map((cell, index) => padded(cell[line] ?? '', index)).join(' '.repeat(gap)),
    );
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Returns the column widths: that of the widest line, and for the narrowed column the room that is left. */
function widthsOf(columns: readonly Column[], rows: readonly (readonly string[])[], room: number, width: TextWidth): number[] {
  const widest = columns.map((_column, index) =>
    rows.reduce((most, row) => Math.max(most, ...(row[index] ?? '').split('\n').map((line) => width.measure(line))), 0),
  );
  const narrowed = columns.findIndex(({ narrow }) => narrow !== undefined);
  const others = widest.reduce((sum, own, index) => sum + (index === narrowed ? 0 : own), 0) + gap * (columns.length - 1);
  return widest.map((own, index) => (index === narrowed ? Math.min(own, Math.max(minWidth, room - others)) : own));
}
