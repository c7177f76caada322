import { existsSync, statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier } from '../engine/identifier.ts';
import type { InputFile } from '../files/open-input.ts';
import { excerpt, Failure } from '../shared/failure.ts';
import { type Cell, type Column, writeRows } from './write-rows.ts';

type Value = string | number | bigint | Uint8Array | null;

/**
 * Loads the tables and views of a SQLite file, or the one with that name. Opens the file as immutable, so that no journal is
 * read or written beside it. Throws INVALID_PARAMETERS.
 */
export async function loadSqlite(
  connection: DuckDBConnection,
  file: InputFile,
  only: string | undefined,
  tableFor: (name: string) => Promise<string>,
): Promise<void> {
  refusePending(file.name);
  const { default: Database } = await import('libsql');
  let names: readonly string[] = [];
  try {
    const database = new Database(`file:${file.devicePath}?immutable=1`, { readonly: true });
    database.exec('PRAGMA trusted_schema = OFF');
    names = (
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
        .all() as { name: string }[]
    ).map(({ name }) => name);
    for (const name of names) {
      if (only !== undefined && name !== only) continue;
      const statement = database
        .prepare(`SELECT * FROM ${identifier(name)}`)
        .raw(true)
        .safeIntegers(true);
      const columns = statement.columns().map((column) => String(column.name));
      const types = (database
        .prepare(
          `SELECT ${columns.map((column) => `group_concat(DISTINCT typeof(${identifier(column)}))`).join(', ')} FROM ${identifier(name)}`,
        )
        .raw(true)
        .get() ?? []) as (string | null)[];
      const typed = columns.map((column, index) => ({ name: column, type: typeOf(types[index] ?? '') }));
      await writeRows(connection, await tableFor(name), typed, converted(statement.iterate() as Iterable<readonly Value[]>, typed));
    }
    database.close();
  } catch (error) {
    throw new Failure('INVALID_PARAMETERS', `Cannot read "${excerpt(file.name)}" as SQLite: ${excerpt((error as Error).message)}.`);
  }
  if (only !== undefined && !names.includes(only))
    throw new Failure(
      'INVALID_PARAMETERS',
      `"${excerpt(file.name)}" has no table "${excerpt(only, 50)}". It has ${excerpt(names.join(', '))}.`,
    );
}

/** Refuses a file with pending changes in its journal: they would be missing from every result. */
function refusePending(path: string): void {
  for (const ending of ['-wal', '-journal'])
    if (existsSync(`${path}${ending}`) && statSync(`${path}${ending}`).size > 0)
      throw new Failure(
        'INVALID_PARAMETERS',
        `"${excerpt(path)}" has changes that are still in its ${ending} file. Close the program that writes it (or run PRAGMA wal_checkpoint(TRUNCATE) there), then try again.`,
      );
}

/** Returns the type of a column. SQLite has a type for each value: a column with several types is text, unless all are numbers. */
function typeOf(kinds: string): Column['type'] {
  const found = new Set(kinds.split(',').filter((kind) => kind !== '' && kind !== 'null'));
  if (found.has('text') || found.size === 0 || (found.has('blob') && found.size > 1)) return 'VARCHAR';
  if (found.has('blob')) return 'BLOB';
  return found.has('real') ? 'DOUBLE' : 'BIGINT';
}

function* converted(rows: Iterable<readonly Value[]>, columns: readonly Column[]): Iterable<readonly Cell[]> {
  for (const row of rows)
    yield columns.map(({ type }, index) =>
      type === 'VARCHAR' && row[index] instanceof Uint8Array ? Buffer.from(row[index]).toString('base64') : (row[index] ?? null),
    );
}
