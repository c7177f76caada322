import { excerpt, type JsonObject, type JsonValue, ToolkitError } from '../../../kernel/index.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { checkExact } from './exact-data.ts';

type Row = JsonObject | readonly JsonValue[];

interface ToCsvParameters {
  readonly rows: readonly Row[];
  /** @default all names, in the order in which they first appear */
  readonly columns?: readonly string[];
  readonly delimiter: string;
  readonly header: boolean;
  readonly neutralize_formulas: boolean;
}

/** Converts rows to CSV (RFC 4180), each line with CRLF. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. */
export async function jsonToCsv(parameters: ToCsvParameters): Promise<{ readonly text: string; readonly rows: number }> {
  const { rows, delimiter, header, neutralize_formulas } = parameters;
  const { default: papa } = await import('papaparse');
  checkExact(rows as JsonValue, 'rows');
  const columns = columnsOf(parameters);
  const names = header && columns.length > 0 ? [columns] : [];
  const records = rows.map((row) => (isList(row) ? row : columns.map((name) => (Object.hasOwn(row, name) ? row[name] : null))));
  const table = [...names, ...records.map((record) => record.map(cellOf))];
  const lines = table.map((record) => papa.unparse([record], { delimiter, escapeFormulae: neutralize_formulas }));
  // A reader would skip an empty line.
  const text = lines.map((line) => `${line === '' ? '""' : line}\r\n`).join('');
  if (text.length > maxDocumentCharacters) throw documentTooLarge('Give fewer rows.');
  return { text, rows: rows.length };
}

function columnsOf({ rows, columns }: ToCsvParameters): readonly string[] {
  const lists = rows.filter(isList);
  if (lists.length > 0 && lists.length < rows.length) throw mixedRows(rows);
  if (columns !== undefined || lists.length > 0) return columns ?? [];
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function cellOf(value: JsonValue | undefined): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
}

function isList(row: Row): row is readonly JsonValue[] {
  return Array.isArray(row);
}

function mixedRows(rows: readonly Row[]): ToolkitError {
  const index = rows.findIndex((row) => isList(row) !== isList(rows[0] ?? []));
  const message = `expected ${isList(rows[0] ?? []) ? 'a list' : 'an object'} like the rows before, received ${excerpt(JSON.stringify(rows[index]), 60)}`;
  return new ToolkitError('INVALID_PARAMETERS', `"rows[${index}]": ${message}. Give all rows in the same form.`, {
    issues: [{ path: `rows[${index}]`, message }],
  });
}
