import type { DuckDBConnection } from '@duckdb/node-api';
import { decodedText, encodingOf } from '../files/decoded-text.ts';
import type { InputFile } from '../files/open-input.ts';
import { writeRows } from './write-rows.ts';

/** Loads a text, such as a log, with one row a line: `number`, from 1, and `line`. */
export async function loadLines(
  connection: DuckDBConnection,
  table: string,
  file: InputFile,
  isGzip: boolean,
  encoding: string | undefined,
): Promise<void> {
  const text = await decodedText(file, isGzip, await encodingOf(file, encoding));
  await writeRows(
    connection,
    table,
    [
      { name: 'number', type: 'BIGINT' },
      { name: 'line', type: 'VARCHAR' },
    ],
    numbered(text),
  );
}

/** Numbers the lines; a line break at the end starts no line. */
function* numbered(text: string): Iterable<[number, string]> {
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    number += 1;
    yield [number, text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)];
    start = end + 1;
  }
}
