import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoadedTable } from '../load/loaded-table.ts';
import { Failure } from '../shared/failure.ts';
import { jsonValue } from './json-value.ts';
import { oneSelect, refuseOtherThanSelect } from './one-select.ts';
import { sqlFailure } from './sql-failure.ts';

export interface RowsPage {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[];
  /** True when more rows follow the last one. */
  readonly hasMore: boolean;
}

export interface PageLimits {
  /** Number of rows to skip. */
  readonly offset: number;
  readonly maxRows: number;
  /** Maximum length of all rows in characters of JSON; at least one row is returned, whatever its length. */
  readonly maxCharacters: number;
}

/**
 * Runs one SELECT over tables in a locked database, and reads a page of its rows without loading the others. Throws BAD_REQUEST
 * and INVALID_PARAMETERS.
 */
export async function rowsPage(
  connection: DuckDBConnection,
  sql: string,
  tables: readonly LoadedTable[],
  { offset, maxRows, maxCharacters }: PageLimits,
): Promise<RowsPage> {
  await oneSelect(connection, sql);
  try {
    const statements = await connection.extractStatements(sql);
    const prepared = await statements.prepare(0);
    refuseOtherThanSelect(prepared.statementType);
    if (prepared.parameterCount > 0) throw new Failure('BAD_REQUEST', 'sql has placeholders ($1 or ?). Write the values into it.');
    const result = await prepared.stream();
    const columns = result.columnNames().map((name, index) => ({ name, type: String(result.columnType(index)) }));
    const rows: (readonly unknown[])[] = [];
    let [seen, characters] = [0, 0];
    for await (const chunk of result.yieldRows()) {
      for (const row of chunk) {
        seen += 1;
        if (seen <= offset) continue;
        const values = row.map(jsonValue);
        characters += JSON.stringify(values).length + 1;
        if (rows.length === maxRows || (rows.length > 0 && characters > maxCharacters)) return { columns, rows, hasMore: true };
        rows.push(values);
      }
    }
    return { columns, rows, hasMore: false };
  } catch (error) {
    throw error instanceof Failure ? error : sqlFailure(error as Error, tables);
  }
}
