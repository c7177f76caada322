import { openDatabase } from './engine/database.ts';
import { rowsPage } from './engine/rows-page.ts';
import type { FileOptions } from './load/file-options.ts';
import { loadFiles } from './load/load-files.ts';
import type { ToolContext } from './shared/context.ts';
import { withFailures } from './shared/failure.ts';

interface QueryParameters {
  readonly sql: string;
  readonly files: readonly FileOptions[];
  readonly max_rows: number;
  readonly offset: number;
}

interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** Maximum length of the rows in a result without a budget, in characters. */
const maxCharacters = 4_000_000;

/** Characters reserved for the rest of the result. */
const besideRows = 4000;

/**
 * Runs one SELECT over tables that are read from files. Each call has its own empty database, locked while the statement runs
 * and dropped at the end.
 */
export function query({ sql, files, max_rows: maxRows, offset }: QueryParameters, context: ToolContext): Promise<QueryResult> {
  return withFailures(context, 'The query', async () => {
    const database = await openDatabase();
    try {
      const tables = await loadFiles(database.connection, files, context.controlFiles);
      await database.lock();
      const budget = context.output?.budget;
      const limit = budget === undefined ? maxCharacters : Math.max(1000, budget - besideRows);
      const { columns, rows, hasMore } = await rowsPage(database.connection, sql, tables, { offset, maxRows, maxCharacters: limit });
      return { columns, rows, truncated: hasMore, ...(hasMore ? { next_offset: offset + rows.length } : {}) };
    } finally {
      database.close();
    }
  });
}
