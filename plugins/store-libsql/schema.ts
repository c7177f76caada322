import { ToolkitError } from '../../kernel/index.ts';
import type { SqlFile } from './sql-file.ts';

/** Migrations: each leads from the version before it to its own, counted from 1. Never change a released one; add another. */
const migrations: readonly (readonly string[])[] = [
  [
    'create table if not exists entries (key text primary key not null, value blob not null, expires_at integer)',
    'create index if not exists entries_expire on entries (expires_at) where expires_at is not null',
    'create table if not exists counts (key text primary key not null, is_counted integer not null, count integer not null, ends_at integer not null)',
    'create table if not exists changes (id integer primary key autoincrement, key text not null, changed_at integer not null)',
    ...['insert', 'update', 'delete'].map(
      (event) =>
        `create trigger if not exists entries_${event} after ${event} on entries begin insert into changes (key, changed_at)
          values (${event === 'delete' ? 'old' : 'new'}.key, cast(unixepoch('subsec') * 1000 as integer)); end`,
    ),
  ],
];

/** Migrates the file to the version of this program. Rejects with STATE_UNAVAILABLE when a later version wrote it. */
export async function openSchema(file: SqlFile): Promise<void> {
  const [rows] = await file.run(['pragma user_version']);
  const version = Number(rows?.[0]?.['user_version'] ?? 0);
  if (version > migrations.length) {
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      `The store ${file.file} has version ${version}, and this program knows ${migrations.length} at most: it was written by a later one. Install that, or name another file.`,
      { retryable: false },
    );
  }
  const missing = migrations.slice(version).flat();
  if (missing.length > 0)
    await file.run(...[...missing, `pragma user_version = ${migrations.length}`].map((statement) => [statement] as const));
}
