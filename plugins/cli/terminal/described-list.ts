import type { Terminal } from '../../../kernel/index.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { textWidth } from '../../shared/terminal/width.ts';

/** Minimum width for a text next to its words; with less room it goes below. */
const minTextWidth = 30;

const indent = 2;
const gap = 2;

/** Formats a list of items, each with a few words and a text. The text stands next to the words when there is room, else below. */
export async function describedList(
  terminal: Terminal,
  rows: readonly { readonly words: readonly string[]; readonly text: string }[],
): Promise<string> {
  const { measure: widthOf } = await textWidth();
  const count = Math.max(0, ...rows.map(({ words }) => words.length));
  const widths = Array.from({ length: count }, (_none, index) => Math.max(...rows.map(({ words }) => widthOf(words[index] ?? ''))));
  const used = widths.filter((width) => width > 0);
  const wordsWidth = used.reduce((sum, width) => sum + width + gap, indent);
  const room = terminal.columns ?? Number.POSITIVE_INFINITY;
  if (room - wordsWidth >= minTextWidth) {
    const cells = rows.map(({ words, text }) => [...words.filter((_word, index) => widths[index] !== 0), text]);
    const table = await textTable({ ...terminal, columns: room - indent }, [...used.map(() => ({})), { narrow: 'wrap' }], cells);
    return indented(table, indent);
  }
  const blocks = rows.map(async ({ words, text }) => {
    const line = `${' '.repeat(indent)}${words.filter((word) => word !== '').join('  ')}\n`;
    const below = text === '' ? '' : await textTable({ ...terminal, columns: room - 2 * indent }, [{ narrow: 'wrap' }], [[text]]);
    return `${line}${indented(below, 2 * indent)}`;
  });
  return (await Promise.all(blocks)).join('');
}

function indented(lines: string, width: number): string {
  return lines.replace(/^(?=.)/gm, ' '.repeat(width));
}
