import { excerpt, LongWork } from '../../../kernel/index.ts';
import { type CsvValue, columnNames, readerOf } from '../../shared/tables/csv-columns.ts';
import { ParseError } from './parse-error.ts';

/** Limits of columns, and of fields in all rows together: a value may hold no more, and no time is spent on a table that is refused. */
const maxColumns = 1000;
const maxFields = 100_000;

const delimiters = [',', ';', '\t', '|'] as const;

/**
 * Parses CSV (RFC 4180) with a header row as a list of objects, as `convert_csv_to_json` does: a column is numeric when all
 * its fields are numbers, and an empty field is null. The delimiter is a tab, or whichever of comma, semicolon, tab and | is
 * most frequent in the first line. It is our own parser, in one pass: it runs in this process, where no library may search a
 * text again and again. Throws ParseError.
 */
export async function parseTable(text: string, isTabbed: boolean): Promise<readonly Readonly<Record<string, CsvValue>>[]> {
  const work = new LongWork();
  const records: (readonly string[])[] = [];
  let fields = 0;
  for (const record of parseRecords(text, isTabbed ? '\t' : detectDelimiter(text))) {
    fields += record.length;
    if (record.length > maxColumns) throw new ParseError(`it has a row of more than ${maxColumns} columns. Take a part of it`);
    if (fields > maxFields) throw new ParseError(`it has more than ${maxFields} fields in all rows. Take a part of it`);
    records.push(record);
    if (work.isDue) await work.yieldToEventLoop();
  }
  const [head = [], ...body] = records;
  const width = body.reduce((widest, { length }) => Math.max(widest, length), head.length);
  const names = columnNames(head, width);
  const readers = names.map((_, column) => readerOf(body.map((record) => record[column])));
  return body.map((record) =>
    Object.fromEntries(
      names.slice(0, Math.max(head.length, record.length)).map((name, column) => [name, readers[column]?.(record[column] ?? '') ?? null]),
    ),
  );
}

function detectDelimiter(text: string): string {
  const end = text.search(/[\r\n]/);
  // Text in quotes does not count.
  const line = text.slice(0, end === -1 ? text.length : end).replace(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => line.split(delimiter).length - 1);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Returns the records of a text, without empty lines. */
function* parseRecords(text: string, delimiter: string): Generator<readonly string[]> {
  let record: string[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const isQuoted = text[at] === '"';
    const { value, end } = isQuoted ? readQuotedField(text, at, line) : { value: '', end: at };
    const next = findFieldEnd(text, end, delimiter);
    record.push(value + text.slice(end, next));
    if (text[next] === delimiter) {
      at = next + 1;
      // The text ends with an empty field.
      if (at === text.length) record.push('');
      else continue;
    } else at = text.startsWith('\r\n', next) ? next + 2 : next + 1;
    line += 1;
    if (record.length > 1 || record[0] !== '' || isQuoted) yield record;
    record = [];
  }
}

function readQuotedField(text: string, start: number, line: number): { readonly value: string; readonly end: number } {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) throw new ParseError(`a quote is not closed, in row ${line}: ${excerpt(text.slice(start, start + 200), 60)}`);
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}

function findFieldEnd(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}
