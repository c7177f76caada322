import { type DuckDBAppender, type DuckDBConnection, DuckDBDateValue, DuckDBTimestampValue } from '@duckdb/node-api';
import { identifier } from '../engine/identifier.ts';

export interface Column {
  readonly name: string;
  readonly type: 'VARCHAR' | 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'BLOB' | 'DATE' | 'TIMESTAMP';
}

export type Cell = string | number | bigint | boolean | Date | Uint8Array | null;

/** Creates a table with rows that this process has read; fills a row that is too short with NULL. */
export async function writeRows(
  connection: DuckDBConnection,
  table: string,
  columns: readonly Column[],
  rows: Iterable<readonly (Cell | undefined)[]>,
): Promise<void> {
  await connection.run(`CREATE TABLE ${table} (${columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')})`);
  const [schema, name] = partsOf(table);
  const appender = await connection.createAppender(name, schema);
  for (const row of rows) {
    for (const [index, { type }] of columns.entries()) append(appender, type, row[index]);
    appender.endRow();
  }
  appender.closeSync();
}

function append(appender: DuckDBAppender, type: Column['type'], cell: Cell | undefined): void {
  if (cell === null || cell === undefined) appender.appendNull();
  else if (type === 'BIGINT') appender.appendBigInt(BigInt(cell as number | bigint));
  else if (type === 'DOUBLE') appender.appendDouble(Number(cell));
  else if (type === 'BOOLEAN') appender.appendBoolean(cell as boolean);
  else if (type === 'BLOB') appender.appendBlob(cell as Uint8Array);
  else if (type === 'DATE') appender.appendDate(new DuckDBDateValue(Math.floor((cell as Date).getTime() / 86_400_000)));
  else if (type === 'TIMESTAMP') appender.appendTimestamp(new DuckDBTimestampValue(BigInt((cell as Date).getTime()) * 1000n));
  else appender.appendVarchar(String(cell));
}

/** Splits a quoted table name into schema and name. */
function partsOf(table: string): [schema: string | undefined, name: string] {
  const parts = [...table.matchAll(/"((?:[^"]|"")*)"/g)].map(([, part = '']) => part.replaceAll('""', '"'));
  return parts.length > 1 ? [parts[0], parts[1] ?? ''] : [undefined, parts[0] ?? ''];
}
