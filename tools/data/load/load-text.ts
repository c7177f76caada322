import type { DuckDBConnection } from '@duckdb/node-api';
import { giveTypes } from '../engine/column-types.ts';
import { literal } from '../engine/identifier.ts';
import { decodedText, encodingOf } from '../files/decoded-text.ts';
import type { InputFile } from '../files/open-input.ts';
import { excerpt, Failure } from '../shared/failure.ts';
import { columnNames } from './column-names.ts';
import type { FileOptions } from './file-options.ts';
import { writeRows } from './write-rows.ts';

interface TextFile {
  readonly file: InputFile;
  readonly isGzip: boolean;
  readonly options: FileOptions;
  /** Delimiter of columns. @default detected among , ; | and tab */
  readonly delimiter: string | undefined;
}

/** Encodings that the database reads itself. */
const ownEncodings: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf-16le', 'utf-16'],
]);

/** Loads CSV or TSV, plain or as gzip, into a table with types. Throws INVALID_PARAMETERS and EXECUTION_FAILED. */
export async function loadText(connection: DuckDBConnection, table: string, text: TextFile): Promise<void> {
  const encoding = await encodingOf(text.file, text.options.encoding);
  const own = ownEncodings.get(encoding);
  if (own === undefined) await loadDecoded(connection, table, text, encoding);
  else await readCsv(connection, table, text, own);
  if (text.options.all_text === true) return;
  const names = (await connection.runAndReadUntil(`SELECT * FROM ${table} LIMIT 0`, 1)).columnNames();
  await giveTypes(connection, table, names);
}

async function readCsv(
  connection: DuckDBConnection,
  table: string,
  { file, isGzip, options, delimiter }: TextFile,
  encoding: string,
): Promise<void> {
  const { header = true, skip_rows: skip = 0, comment = '' } = options;
  const settings = {
    all_varchar: 'true',
    header: String(header),
    compression: literal(isGzip ? 'gzip' : 'none'),
    encoding: literal(encoding),
    skip: String(skip),
    // Quotes and comments are never detected: lines that begin with # and texts that begin with ' are data.
    quote: literal('"'),
    escape: literal('"'),
    comment: literal(comment),
    null_padding: 'true',
    parallel: 'false',
    max_line_size: '16777216',
    ...(delimiter === undefined ? {} : { delim: literal(delimiter) }),
  };
  const list = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  try {
    await connection.run(`CREATE TABLE ${table} AS SELECT * FROM read_csv(${literal(file.devicePath)}, ${list.join(', ')})`);
  } catch (error) {
    throw unreadable(file, String((error as Error).message));
  }
}

/** Decodes a text that the database cannot, and inserts its rows. */
async function loadDecoded(
  connection: DuckDBConnection,
  table: string,
  { file, isGzip, options, delimiter }: TextFile,
  encoding: string,
): Promise<void> {
  const { default: papa } = await import('papaparse');
  const text = await decodedText(file, isGzip, encoding);
  const { data } = papa.parse<string[]>(text, { delimiter: delimiter ?? '', skipEmptyLines: true, comments: options.comment ?? false });
  const { header = true, skip_rows: skip = 0 } = options;
  const rows = data.slice(skip);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const names = columnNames(header ? (rows[0] ?? []) : [], width);
  const cells = (header ? rows.slice(1) : rows).map((row) => row.map((cell) => (cell === '' ? null : cell)));
  await writeRows(
    connection,
    table,
    names.map((name) => ({ name, type: 'VARCHAR' })),
    cells,
  );
}

function unreadable(file: InputFile, message: string): Failure {
  if (/not utf-8|Invalid unicode/i.test(message))
    return new Failure(
      'INVALID_PARAMETERS',
      `"${excerpt(file.name)}" is not UTF-8. Name its encoding in "encoding", such as windows-1252 or iso-8859-1.`,
    );
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const reason = excerpt(message.replace(/CSV Error on Line: \d+\s*/, '').replaceAll(file.devicePath, file.name), 160);
  const where = line === undefined ? '' : ` in line ${line}`;
  return new Failure(
    'INVALID_PARAMETERS',
    `Cannot read "${excerpt(file.name)}" as CSV${where}: ${reason} Give "delimiter", "header" or "skip_rows" where they were guessed wrong.`,
  );
}
