import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import { excerpt, Failure } from '../shared/failure.ts';
import { literal } from './identifier.ts';

interface Parsed {
  readonly error: boolean;
  readonly error_message?: string;
  readonly error_type?: string;
  readonly position?: string;
  readonly statements?: readonly unknown[];
}

/** Functions that change the logging of the database, and crash the process. */
const reportingFunctions = new Set(['enable_logging', 'disable_logging', 'truncate_duckdb_logs', 'write_log']);

/**
 * Returns the text of exactly one SELECT statement, without a semicolon. The parser of the database checks twice: with a
 * function that accepts only SELECT, and by the type of the statement. Throws BAD_REQUEST and INVALID_PARAMETERS.
 */
export async function oneSelect(connection: DuckDBConnection, sql: string): Promise<string> {
  const [[text]] = (await connection.runAndReadAll(`SELECT json_serialize_sql(${literal(sql)})::VARCHAR`)).getRows() as [[string]];
  // Own text: the database's parser wrote it.
  const parsed = JSON.parse(text) as Parsed;
  if (parsed.error && parsed.error_type === 'not implemented') throw noSelect('it is another kind of statement');
  if (parsed.error)
    throw new Failure(
      'BAD_REQUEST',
      `sql cannot be read: ${excerpt(parsed.error_message ?? 'it is no SQL')}. Write one SELECT in the SQL of DuckDB.`,
    );
  if (parsed.statements?.length !== 1) throw noSelect(`it has ${parsed.statements?.length ?? 0} statements`);
  const forbidden = functionIn(parsed.statements);
  if (forbidden !== undefined) throw noSelect(`it calls ${forbidden}`);
  const extracted = await connection.extractStatements(sql);
  if (extracted.count !== 1) throw noSelect(`it has ${extracted.count} statements`);
  return sql.trim().replace(/;+$/, '').trim();
}

/** Throws INVALID_PARAMETERS for a prepared statement other than a SELECT. */
export function refuseOtherThanSelect(type: StatementType): void {
  if (type !== StatementType.SELECT) throw noSelect(`it is ${StatementType[type] ?? 'another kind of statement'}`);
}

function functionIn(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'function_name' && reportingFunctions.has(String(value).toLowerCase())) return String(value);
    const found = functionIn(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function noSelect(reason: string): Failure {
  return new Failure(
    'INVALID_PARAMETERS',
    `Expected sql to be exactly one SELECT statement; ${reason}. Only reading is possible: name files in "files", and save a result with data_convert.`,
  );
}
