import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier, literal, tableNameOf } from '../engine/identifier.ts';
import type { ControlFiles } from '../shared/context.ts';
import { excerpt, Failure } from '../shared/failure.ts';
import type { FileOptions } from './file-options.ts';
import { loadFile } from './load-file.ts';
import type { LoadedTable } from './loaded-table.ts';

/** Maximum number of files in one table. */
const maxFiles = 1000;

/**
 * Loads the files of a folder whose names match the pattern as one table, in the order of their names, with a column `file`.
 * Skips links and control files. Throws INVALID_PARAMETERS when no file matches, or one has several tables.
 */
export async function loadFolder(
  connection: DuckDBConnection,
  options: FileOptions & { readonly pattern: string },
  controlFiles: ControlFiles,
): Promise<LoadedTable> {
  const { path: folder, pattern, table = tableNameOf(folder) } = options;
  const names = await namesIn(folder, pattern, controlFiles);
  const parts: string[] = [];
  for (const [index, name] of names.entries()) {
    const loaded = await loadFile(connection, { ...options, path: path.join(folder, name), table: `part ${index}` });
    const [part] = loaded;
    if (part === undefined || loaded.length > 1)
      throw new Failure(
        'INVALID_PARAMETERS',
        `"${excerpt(name)}" has ${loaded.length} tables, and one is expected of each file. Give "sheet", or name the file alone.`,
      );
    parts.push(`SELECT ${literal(name)} AS file, * FROM ${part.sqlName}`);
  }
  await connection.run(`CREATE TABLE ${identifier(table)} AS ${parts.join(' UNION ALL BY NAME ')}`);
  for (const index of names.keys()) await connection.run(`DROP TABLE IF EXISTS ${identifier(`part ${index}`)}`);
  return { sqlName: identifier(table), name: table, path: folder };
}

async function namesIn(folder: string, pattern: string, controlFiles: ControlFiles): Promise<readonly string[]> {
  const fits = new RegExp(
    `^${[...pattern].map((sign) => (sign === '*' ? '[^/]*' : sign === '?' ? '[^/]' : sign.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'))).join('')}$`,
  );
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('INVALID_PARAMETERS', `Cannot list "${excerpt(folder)}" (${error.code}). With "pattern", path is a folder.`);
  });
  const names = entries
    .filter((entry) => entry.isFile() && fits.test(entry.name) && controlFiles.find(path.join(folder, entry.name), 'read') === undefined)
    .map(({ name }) => name)
    .sort();
  if (names.length === 0)
    throw new Failure(
      'INVALID_PARAMETERS',
      `No file in "${excerpt(folder)}" fits "${excerpt(pattern, 100)}". * stands for any characters of a name.`,
    );
  if (names.length > maxFiles)
    throw new Failure(
      'INVALID_PARAMETERS',
      `${names.length} files fit "${excerpt(pattern, 100)}", at most ${maxFiles} are one table. Narrow the pattern.`,
    );
  return names;
}
