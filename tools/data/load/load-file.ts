import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier, tableNameOf } from '../engine/identifier.ts';
import { openInput } from '../files/open-input.ts';
import { excerpt, Failure } from '../shared/failure.ts';
import { detectFormat } from './detect-format.ts';
import type { FileOptions } from './file-options.ts';
import { loadJson } from './load-json.ts';
import { loadLines } from './load-lines.ts';
import { loadSheets } from './load-sheets.ts';
import { loadSqlite } from './load-sqlite.ts';
import { loadText } from './load-text.ts';
import type { LoadedTable } from './loaded-table.ts';

/**
 * Loads a file: as one table, or, for each sheet of a workbook and each table of a SQLite file, as a table in a schema with the
 * file's name.
 */
export async function loadFile(connection: DuckDBConnection, options: FileOptions): Promise<readonly LoadedTable[]> {
  const file = await openInput(options.path);
  try {
    const { format, isGzip } = await detectFormat(file, options.format);
    const base = options.table ?? tableNameOf(file.name);
    const loaded: LoadedTable[] = [];
    const single = (): string => {
      loaded.push({ sqlName: identifier(base), name: plain(base), path: file.name });
      return identifier(base);
    };
    const inSchema = async (name: string): Promise<string> => {
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${identifier(base)}`);
      const sqlName = `${identifier(base)}.${identifier(name)}`;
      loaded.push({ sqlName, name: `${plain(base)}.${plain(name)}`, path: file.name });
      return sqlName;
    };
    if (format === 'csv' || format === 'tsv')
      await loadText(connection, single(), {
        file,
        isGzip,
        options,
        delimiter: options.delimiter ?? (format === 'tsv' ? '\t' : undefined),
      });
    else if (format === 'json' || format === 'jsonl') await loadJson(connection, single(), { file, isGzip, isLines: format === 'jsonl' });
    else if (format === 'lines') await loadLines(connection, single(), file, isGzip, options.encoding);
    else if (format === 'parquet') await loadParquet(connection, single(), file.devicePath, file.name);
    else if (format === 'xlsx') await loadSheets(connection, file, options, async (sheet, isOnly) => (isOnly ? single() : inSchema(sheet)));
    else await loadSqlite(connection, file, options.sheet, inSchema);
    return loaded;
  } finally {
    await file.handle.close();
  }
}

async function loadParquet(connection: DuckDBConnection, table: string, devicePath: string, name: string): Promise<void> {
  try {
    await connection.run(`CREATE TABLE ${table} AS SELECT * FROM read_parquet('${devicePath}')`);
  } catch (error) {
    throw new Failure(
      'INVALID_PARAMETERS',
      `Cannot read "${excerpt(name)}" as Parquet: ${excerpt((error as Error).message.replaceAll(devicePath, name))}`,
    );
  }
}

/** Quotes a name where SQL needs quotes. */
function plain(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : identifier(name);
}
