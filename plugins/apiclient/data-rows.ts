import { readFile, stat } from 'node:fs/promises';
import { excerpt, isPlainObject, messageOf, readJson } from '../../kernel/index.ts';
import { textOfFile } from '../shared/text/utf8.ts';
import { codeOf, operationError } from './operation-error.ts';

/** Maximum size of a data file, in bytes. */
const maxBytes = 50 * 1024 * 1024;

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads the rows of a data file: a list of objects in JSON, or CSV with a header. Integers beyond 2^53 are texts, which requests write
 * unchanged. Throws when there are no rows.
 */
export async function readRows(file: string): Promise<readonly Row[]> {
  const isJson = /\.json$/i.test(file);
  if (!isJson && !/\.csv$/i.test(file))
    throw operationError(`The data file ${file} has another format: expected a name that ends in .csv or .json.`);
  const text = await readData(file);
  const rows = isJson ? rowsOfJson(file, text) : await rowsOfCsv(file, text);
  if (rows.length === 0) throw operationError(`The data file ${file} has no rows, so nothing would be run: expected at least one.`);
  return rows;
}

async function readData(file: string): Promise<string> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new Error('it is no file');
    if (stats.size > maxBytes) throw new Error(`it has ${stats.size} bytes, at most ${maxBytes} are read`);
    return textOfFile(await readFile(file), file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === undefined ? messageOf(error) : codeOf(error);
    throw operationError(`The data file ${file} cannot be read: ${reason}.`, 'NOT_FOUND', error);
  }
}

function rowsOfJson(file: string, text: string): readonly Row[] {
  let rows: unknown;
  try {
    rows = readJson(text);
  } catch (error) {
    throw operationError(
      `The data file ${file} is no JSON: ${excerpt(messageOf(error))}. Expected a list of objects.`,
      'EXECUTION_FAILED',
      error,
    );
  }
  if (!Array.isArray(rows)) throw operationError(`The data file ${file} is wrong: expected a list of objects, received ${kindOf(rows)}.`);
  const invalidIndex = rows.findIndex((row) => !isPlainObject(row));
  if (invalidIndex >= 0)
    throw operationError(
      `The data file ${file} is wrong at [${invalidIndex}]: expected an object, received ${kindOf(rows[invalidIndex])}.`,
    );
  return rows as Row[];
}

async function rowsOfCsv(file: string, text: string): Promise<readonly Row[]> {
  const { default: papa } = await import('papaparse');
  const { data, errors } = papa.parse<Row>(text, { header: true, skipEmptyLines: true });
  const [problem] = errors.filter(({ code }) => code !== 'UndetectableDelimiter');
  if (problem !== undefined)
    throw operationError(
      `The data file ${file} is wrong${problem.row === undefined ? '' : ` in row ${problem.row + 1}`}: ${excerpt(problem.message)}.`,
    );
  return data;
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : isPlainObject(value) ? 'an object' : `a ${typeof value}`;
}
