import { excerpt } from '../../../kernel/index.ts';
import { checkDocument } from '../json/check-document.ts';
import { type CsvValue, columnNames, readerOf } from './csv-columns.ts';
import { type CsvError, type CsvRecord, readCsv } from './csv-records.ts';

interface CsvParameters {
  readonly text: string;
  /** `auto` finds it out. */
  readonly delimiter: string;
  readonly header: boolean;
  readonly infer_types: boolean;
  /** All when it is not given. */
  readonly max_rows?: number;
}

interface CsvResult {
  readonly rows: readonly (readonly CsvValue[] | Readonly<Record<string, CsvValue>>)[];
  readonly columns: readonly string[];
  readonly errors: readonly CsvError[];
  readonly delimiter: string;
  readonly truncated: boolean;
}

/** Errors that a result has at most. */
const maxErrors = 100;

/** CSV as rows. What is wrong with a row is told and does not stop the others. Throws OUTPUT_TOO_LARGE. */
export async function csvToJson({ text, delimiter, header, infer_types, max_rows }: CsvParameters): Promise<CsvResult> {
  const wanted = (max_rows ?? Number.POSITIVE_INFINITY) + (header ? 1 : 0);
  const read = await readCsv(text.replace(/^\uFEFF/, ''), delimiter === 'auto' ? '' : delimiter, wanted);
  const head = header ? read.records[0] : undefined;
  const body = header ? read.records.slice(1) : read.records;
  const width = body.reduce((widest, { fields }) => Math.max(widest, fields.length), 0);
  const columns = header ? columnNames(head?.fields ?? [], width) : [];
  const readers = Array.from({ length: Math.max(width, columns.length) }, (_, column) =>
    infer_types ? readerOf(body.map(({ fields }) => fields[column])) : asText,
  );
  const rows = body.map(({ fields }) => {
    const values = fields.map((field, column) => (readers[column] ?? asText)(field));
    if (!header) return values;
    const expected = Math.max(head?.fields.length ?? 0, values.length);
    return Object.fromEntries(columns.slice(0, expected).map((name, column) => [name, values[column] ?? null]));
  });
  checkDocument(rows, { parameter: 'text', advice: 'Set max_rows, or convert a part of it.' });
  const errors = errorsOf(head, body).slice(0, maxErrors);
  return { rows, columns, errors, delimiter: read.delimiter, truncated: read.truncated };
}

function asText(field: string): CsvValue {
  return field;
}

/** Bad quotes, and records with another number of fields than the first one. */
function errorsOf(head: CsvRecord | undefined, body: readonly CsvRecord[]): CsvError[] {
  const expected = (head ?? body[0])?.fields.length ?? 0;
  const found: CsvError[] = (head?.mistakes ?? []).map((message) => ({ row: 0, line: head?.line ?? 1, message: excerpt(message) }));
  for (const [index, { fields, line, mistakes }] of body.entries()) {
    for (const message of mistakes) found.push({ row: index + 1, line, message: excerpt(message) });
    if (fields.length !== expected) found.push({ row: index + 1, line, message: `expected ${expected} fields, received ${fields.length}` });
  }
  return found;
}
