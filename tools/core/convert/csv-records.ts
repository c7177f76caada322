import type { ParseStepResult } from 'papaparse';

export interface CsvError {
  /** Number of the record, from 1. The header is 0. */
  readonly row: number;
  /** Line of the text on which the record begins, from 1. */
  readonly line: number;
  readonly message: string;
}

export interface CsvRecord {
  readonly fields: readonly string[];
  readonly line: number;
  /** Problems with the quotes of the record, as messages of the parser. */
  readonly mistakes: readonly string[];
}

export interface CsvRecords {
  readonly records: readonly CsvRecord[];
  readonly delimiter: string;
}

/** Divides a text into records (RFC 4180) and skips empty lines. An empty `delimiter` is detected. */
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

/** Turns CRLF and CR between records into LF. Line ends inside quotes belong to the data and stay. */
function withSameRowEnds(text: string, delimiter: string): string {
  if (!text.includes('\r')) return text;
  const fieldStart = `(?<=^|[\\r\\n]|${delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})`;
  const quotedOrEnd = new RegExp(`${fieldStart}"[^"]*(?:""[^"]*)*"|\\r\\n?`, 'g');
  return text.replace(quotedOrEnd, (found) => (found.startsWith('"') ? found : '\n'));
}
