import { isPlainObject, type JsonValue, type Terminal } from '../../../kernel/index.ts';
import { terminalText } from '../text/visible-text.ts';
import { paint } from './paint.ts';
import { textTable } from './table.ts';
import { textWidth } from './width.ts';

type Row = Readonly<Record<string, unknown>>;

/** Minimum width of the narrowed column. With less room, each object is shown by itself. */
const minWidth = 16;

const gap = 2;

/** Formats a result for the terminal: a list of objects as a table, an object as its members, anything else line by line. */
export async function resultTable(output: JsonValue, terminal: Terminal): Promise<string> {
  if (Array.isArray(output) && output.length > 0 && output.every(isPlainObject)) return tableOf(output, terminal);
  if (Array.isArray(output)) return output.map((item) => `${cell(item)}\n`).join('');
  return isPlainObject(output) ? members(output, terminal) : `${lines(output)}\n`;
}

async function tableOf(rows: readonly Row[], terminal: Terminal): Promise<string> {
  const keys = [...new Set(rows.flatMap(Object.keys))];
  const cells = rows.map((row) => keys.map((key) => (Object.hasOwn(row, key) ? cell(row[key]) : '')));
  const { measure: widthOf } = await textWidth();
  const widths = keys.map((key, index) => cells.reduce((max, row) => Math.max(max, widthOf(row[index] ?? '')), widthOf(terminalText(key))));
  const widest = widths.indexOf(Math.max(...widths));
  const others = widths.reduce((sum, width, index) => sum + gap + (index === widest ? 0 : width), -gap);
  const room = (terminal.columns ?? Number.POSITIVE_INFINITY) - others;
  if (room < Math.min(minWidth, widths[widest] ?? 0)) return (await Promise.all(rows.map((row) => members(row, terminal)))).join('\n');
  const columns = keys.map((key, index) => ({
    heading: terminalText(key),
    ...(index === widest ? { narrow: 'cut' as const } : {}),
    ...(rows.every((row) => !Object.hasOwn(row, key) || isNumber(row[key])) ? { align: 'right' as const } : {}),
  }));
  return textTable(terminal, columns, cells);
}

async function members(row: Row, terminal: Terminal): Promise<string> {
  const rows = Object.entries(row).map(([key, value]) => [paint(terminal, 'name', terminalText(key)), lines(value)]);
  return rows.length === 0 ? '{}\n' : textTable(terminal, [{}, { narrow: 'wrap' }], rows);
}

/** Formats a value in one line. */
function cell(value: unknown): string {
  if (value === null) return '';
  return terminalText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Formats a value, keeping the lines of a text. */
function lines(value: unknown): string {
  if (typeof value !== 'string') return cell(value);
  return value.replaceAll('\t', '    ').split(/\r?\n/).map(terminalText).join('\n').replace(/\n+$/, '');
}

function isNumber(value: unknown): boolean {
  return value === null || typeof value === 'number';
}
