import type { DuckDBConnection } from '@duckdb/node-api';
import { tableNameOf } from '../engine/identifier.ts';
import type { ControlFiles } from '../shared/context.ts';
import { excerpt, Failure } from '../shared/failure.ts';
import type { FileOptions } from './file-options.ts';
import { loadFile } from './load-file.ts';
import { loadFolder } from './load-folder.ts';
import type { LoadedTable } from './loaded-table.ts';

/** Loads files as tables with different names. Throws INVALID_PARAMETERS, also for two files with the same table name. */
export async function loadFiles(
  connection: DuckDBConnection,
  files: readonly FileOptions[],
  controlFiles: ControlFiles,
): Promise<readonly LoadedTable[]> {
  const named = new Map<string, string>();
  for (const { path, table = tableNameOf(path) } of files) {
    const other = named.get(table.toLowerCase());
    if (other !== undefined)
      throw new Failure(
        'INVALID_PARAMETERS',
        `"${excerpt(other)}" and "${excerpt(path)}" would both be the table ${excerpt(table, 50)}. Give one of them another name in "table".`,
      );
    named.set(table.toLowerCase(), path);
  }
  const tables: LoadedTable[] = [];
  for (const { pattern, ...file } of files) {
    if (pattern === undefined) tables.push(...(await loadFile(connection, file)));
    else tables.push(await loadFolder(connection, { ...file, pattern }, controlFiles));
  }
  return tables;
}
