import type { SavedFormat } from './convert.ts';
import { openDatabase } from './engine/database.ts';
import { literal } from './engine/identifier.ts';
import { oneSelect } from './engine/one-select.ts';
import { sqlFailure } from './engine/sql-failure.ts';
import type { FileOptions } from './load/file-options.ts';
import { loadFiles } from './load/load-files.ts';
import type { LoadedTable } from './load/loaded-table.ts';
import type { ToolContext } from './shared/context.ts';
import { Failure, withFailures } from './shared/failure.ts';

interface Task {
  readonly files: readonly FileOptions[];
  readonly sql?: string;
  readonly format: SavedFormat;
  /** File to write, in a private folder of this call. */
  readonly scratch: string;
}

/** COPY options for each format. Cells that look like formulas are not escaped: programs that read CSV as data take them as text. */
const settings: Readonly<Record<SavedFormat, string>> = {
  csv: "FORMAT csv, HEADER, DELIMITER ','",
  tsv: "FORMAT csv, HEADER, DELIMITER '\t'",
  json: 'FORMAT json, ARRAY true',
  jsonl: 'FORMAT json',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
};

/** Writes a table, or the result of one SELECT, to the one file that the database may write. */
export function convertInChild({ files, sql, format, scratch }: Task, context: ToolContext): Promise<{ readonly rows: number }> {
  return withFailures(context, 'The conversion', async () => {
    const database = await openDatabase();
    let tables: readonly LoadedTable[] = [];
    try {
      const { connection } = database;
      tables = await loadFiles(connection, files, context.controlFiles);
      if (sql === undefined && tables.length !== 1) throw new Failure('INVALID_PARAMETERS', severalTables(tables.map(({ name }) => name)));
      await connection.run(`SET allowed_paths = [${literal(scratch)}]`);
      await database.lock();
      const select = sql === undefined ? `SELECT * FROM ${tables[0]?.sqlName}` : await oneSelect(connection, sql);
      // The file is new and in a private folder, so no temporary file is needed.
      const copied = await connection.runAndReadAll(`COPY (${select}\n) TO ${literal(scratch)} (${settings[format]}, USE_TMP_FILE false)`);
      return { rows: Number(copied.getRows()[0]?.[0] ?? 0) };
    } catch (error) {
      throw error instanceof Failure ? error : sqlFailure(error as Error, tables);
    } finally {
      database.close();
    }
  });
}

function severalTables(names: readonly string[]): string {
  return `Expected "sql": the files have ${names.length} tables (${names.slice(0, 5).join(', ')}), and one is written. Say which, such as SELECT * FROM ${names[0] ?? 'name'}.`;
}
