import type { ParseStepResult } from 'papaparse';

export interface CsvError {
  /** The record, from 1 without the header, which is 0. */
  readonly row: number;
  /** Where the record begins in the text, from 1. */
  readonly line: number;
  readonly message: string;
}

export interface CsvRecord {
  readonly fields: readonly string[];
  readonly line: number;
  /** What is wrong with its quotes. */
  readonly mistakes: readonly string[];
}

export interface CsvRecords {
  readonly records: readonly CsvRecord[];
  readonly delimiter: string;
}

/** Divides a text into records (RFC 4180). Lines that are empty are passed over. `delimiter` is found out when it is empty. */
export async function readCsv(text: string, delimiter: string): Promise<CsvRecords> {
  const { default: papa } = await import('papaparse');
  const known = delimiter === '' ? papa.parse(text, { preview: 1, skipEmptyLines: true }).meta.delimiter : delimiter;
  const normal = withSameRowEnds(text, known);
  const records: CsvRecord[] = [];
  let [at, line] = [0, 1];
  papa.parse<string[]>(normal, {
    delimiter: known,
    newline: '\n',
    step: ({ data, errors, meta }: ParseStepResult<string[]>) => {
      const written = normal.slice(at, meta.cursor);
      const isEmptyLine = written === '' || written === '\n';
      if (!isEmptyLine) records.push({ fields: data, line, mistakes: errors.map(({ message }) => message) });
      at = meta.cursor;
      line += written.split('\n').length - 1;
    },
  });
  return { records, delimiter: known };
}

/** CRLF and CR between records as LF. Line ends inside of quotes belong to the data. */
function withSameRowEnds(text: string, delimiter: string): string {
  if (!text.includes('\r')) return text;
  const fieldStart = `(?<=^|[\\r\\n]|${delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})`;
  const quotedOrEnd = new RegExp(`${fieldStart}"[^"]*(?:""[^"]*)*"|\\r\\n?`, 'g');
  return text.replace(quotedOrEnd, (found) => (found.startsWith('"') ? found : '\n'));
}
