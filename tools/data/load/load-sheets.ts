import type { DuckDBConnection } from '@duckdb/node-api';
import type { InputFile } from '../files/open-input.ts';
import { readWorkbook, type Sheet, sheetNamed } from '../files/read-workbook.ts';
import { columnNames } from './column-names.ts';
import type { FileOptions } from './file-options.ts';
import { type Cell, type Column, writeRows } from './write-rows.ts';

/** Loads the sheets of an Excel workbook, one table each; `tableFor` returns its name. Throws INVALID_PARAMETERS. */
export async function loadSheets(
  connection: DuckDBConnection,
  file: InputFile,
  { header = true, skip_rows: skip = 0, sheet }: FileOptions,
  tableFor: (sheet: string, isOnly: boolean) => Promise<string>,
): Promise<void> {
  const all = await readWorkbook(file);
  const sheets = sheet === undefined ? all : [sheetNamed(all, sheet, file)];
  for (const { name, rows } of sheets) {
    const table = await tableFor(name, sheets.length === 1);
    const kept = rows.slice(skip);
    const body = header ? kept.slice(1) : kept;
    const width = kept.reduce((most, row) => Math.max(most, row.length), 0);
    const names = columnNames(header ? (kept[0] ?? []) : [], width);
    const columns = names.map((column, index) => ({ name: column, type: typeOf(body, index) }));
    if (columns.length === 0) continue;
    const texts = columns.map(({ type }) => type === 'VARCHAR');
    await writeRows(
      connection,
      table,
      columns,
      body.map((row) => row.map((cell, index) => (texts[index] === true ? asText(cell) : cell))),
    );
  }
}

/** Returns the type of all values of a column; text when they differ. */
function typeOf(rows: Sheet['rows'], index: number): Column['type'] {
  const kinds = new Set<Column['type']>();
  for (const row of rows) {
    const cell = row[index];
    if (cell === null || cell === undefined) continue;
    if (typeof cell === 'number') kinds.add(Number.isSafeInteger(cell) ? 'BIGINT' : 'DOUBLE');
    else if (typeof cell === 'boolean') kinds.add('BOOLEAN');
    else if (cell instanceof Date) kinds.add(cell.getTime() % 86_400_000 === 0 ? 'DATE' : 'TIMESTAMP');
    else kinds.add('VARCHAR');
  }
  const [only = 'VARCHAR'] = kinds;
  if (kinds.size <= 1) return only;
  if ([...kinds].every((kind) => kind === 'BIGINT' || kind === 'DOUBLE')) return 'DOUBLE';
  return [...kinds].every((kind) => kind === 'DATE' || kind === 'TIMESTAMP') ? 'TIMESTAMP' : 'VARCHAR';
}

function asText(cell: Cell | undefined): Cell {
  if (cell === null || cell === undefined) return null;
  return cell instanceof Date
    ? cell
        .toISOString()
        .replace(/T00:00:00\.000Z$/, '')
        .replace(/\.000Z$/, '')
    : String(cell);
}
