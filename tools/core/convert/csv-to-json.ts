import { excerpt } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { OutputRoom } from '../../../plugins/shared/output-room/output-room.ts';
import { type CsvValue, columnNames, readerOf } from '../../../plugins/shared/tables/csv-columns.ts';
import { checkDocument } from '../json/check-document.ts';
import { type CsvError, type CsvRecord, readCsv } from './csv-records.ts';

interface CsvParameters {
  readonly text: string;
  /** `auto` detects it. */
  readonly delimiter: string;
  readonly header: boolean;
  readonly infer_types: boolean;
  /** Number of rows to skip. */
  readonly offset: number;
  /** @default all rows */
  readonly max_rows?: number;
}

type OutputContext = Pick<FunctionContext, 'output'>;

interface CsvResult {
  readonly rows: readonly (readonly CsvValue[] | Readonly<Record<string, CsvValue>>)[];
  readonly columns: readonly string[];
  readonly errors: readonly CsvError[];
  readonly delimiter: string;
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** Maximum number of errors in a result. */
const maxErrors = 100;

/** Converts CSV to rows. A problem of a row is reported in `errors` and does not stop the others. Throws OUTPUT_TOO_LARGE. */
export async function csvToJson(
  { text, delimiter, header, infer_types, offset, max_rows }: CsvParameters,
  { output }: OutputContext,
): Promise<CsvResult> {
  const read = await readCsv(text.replace(/^\uFEFF/, ''), delimiter === 'auto' ? '' : delimiter);
  const head = header ? read.records[0] : undefined;
  const body = header ? read.records.slice(1) : read.records;
  // All rows count, so that each part of a table has the same columns and types.
  const width = body.reduce((widest, { fields }) => Math.max(widest, fields.length), 0);
  const columns = header ? columnNames(head?.fields ?? [], width) : [];
  const readers = Array.from({ length: Math.max(width, columns.length) }, (_, column) =>
    infer_types ? readerOf(body.map(({ fields }) => fields[column])) : asText,
  );
  const wanted = body.slice(offset, offset + (max_rows ?? body.length));
  const all = wanted.map(({ fields }) => {
    const values = fields.map((field, column) => (readers[column] ?? asText)(field));
    if (!header) return values;
    const expected = Math.max(head?.fields.length ?? 0, values.length);
    return Object.fromEntries(columns.slice(0, expected).map((name, column) => [name, values[column] ?? null]));
  });
  const rowErrors = errorsOf(head, body).filter(
    ({ row }) => (offset === 0 && row === 0) || (row > offset && row <= offset + wanted.length),
  );
  const envelope = { rows: [], columns, errors: [], delimiter: read.delimiter, truncated: false, next_offset: body.length };
  const { rows, errors } = takeFittingRows(all, rowErrors, { offset, room: new OutputRoom(output.budget, envelope) });
  checkDocument(rows, { parameter: 'text', advice: 'Set max_rows, or convert a part of it.' });
  const next = offset + rows.length;
  const truncated = next < body.length;
  return { rows, columns, errors, delimiter: read.delimiter, truncated, ...(truncated ? { next_offset: next } : {}) };
}

/** Returns the rows that fit into the output, each with its errors. */
function takeFittingRows<Row>(
  rows: readonly Row[],
  rowErrors: readonly CsvError[],
  { offset, room }: { readonly offset: number; readonly room: OutputRoom },
): { readonly rows: readonly Row[]; readonly errors: readonly CsvError[] } {
  const errors: CsvError[] = [];
  let at = 0;
  const takeErrorsUpTo = (row: number): boolean => {
    while (errors.length < maxErrors && (rowErrors[at]?.row ?? Number.POSITIVE_INFINITY) <= row) {
      const rowError = rowErrors[at] as CsvError;
      if (!room.take(rowError)) return false;
      errors.push(rowError);
      at += 1;
    }
    return true;
  };
  takeErrorsUpTo(0);
  const count = rows.findIndex((row, index) => !(takeErrorsUpTo(offset + index + 1) && room.take(row)));
  // At least one row, even one larger than the room, so that each call makes progress.
  const shown = count === -1 ? rows : rows.slice(0, Math.max(1, count));
  return { rows: shown, errors: errors.filter(({ row }) => row <= offset + shown.length) };
}

function asText(field: string): CsvValue {
  return field;
}

/** Returns an error for bad quotes and for each record whose number of fields differs from that of the first one. */
function errorsOf(head: CsvRecord | undefined, body: readonly CsvRecord[]): CsvError[] {
  const expected = (head ?? body[0])?.fields.length ?? 0;
  const found: CsvError[] = (head?.mistakes ?? []).map((message) => ({ row: 0, line: head?.line ?? 1, message: excerpt(message) }));
  for (const [index, { fields, line, mistakes }] of body.entries()) {
    for (const message of mistakes) found.push({ row: index + 1, line, message: excerpt(message) });
    if (fields.length !== expected) found.push({ row: index + 1, line, message: `expected ${expected} fields, received ${fields.length}` });
  }
  return found;
}
