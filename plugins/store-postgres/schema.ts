import type { PoolClient } from 'pg';
import { ToolkitError } from '../../kernel/index.ts';
import { createProcesses } from '../shared/cluster/process-session.ts';

/** Migrations by version. Tables are in the first schema of the search path. `collate "C"` sorts keys by bytes in every database locale. */
const migrations: readonly string[] = [
  `create table toolkit_entries (key text collate "C" primary key, value bytea not null, expires_at timestamptz);
   create index toolkit_entries_expire on toolkit_entries (expires_at) where expires_at is not null;
   create table toolkit_counts (
     key text collate "C" primary key, is_counted boolean not null, count bigint not null, ends_at timestamptz not null
   );
   create function toolkit_tell_entry() returns trigger language plpgsql as $$
   begin
     perform pg_notify('toolkit_entries', coalesce(new.key, old.key));
     return null;
   end $$;
   create trigger toolkit_entries_tell after insert or update or delete on toolkit_entries
     for each row execute function toolkit_tell_entry();`,
  // The writing process notifies after its transaction, see `Teller`.
  `drop trigger toolkit_entries_tell on toolkit_entries;
   drop function toolkit_tell_entry();`,
  createProcesses,
];

/** Arbitrary number of the advisory lock that a process holds during a migration. */
const lock = 7_214_655_381;

/** Migrates the tables to the version of this program. Rejects with STATE_UNAVAILABLE when a later version made them. */
export async function openSchema(client: PoolClient, name: string): Promise<void> {
  if ((await versionOf(client, name)) === migrations.length) return;
  // Before the transaction: inside it, a table that another process creates later stays invisible.
  await client.query('select pg_advisory_lock($1)', [lock]);
  try {
    await migrate(client, await versionOf(client, name));
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]);
  }
}

async function migrate(client: PoolClient, from: number): Promise<void> {
  await client.query('begin');
  try {
    for (const migration of migrations.slice(from)) await client.query(migration);
    await client.query('create table if not exists toolkit_version (version integer not null)');
    await client.query('delete from toolkit_version');
    await client.query('insert into toolkit_version values ($1)', [migrations.length]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function versionOf(client: PoolClient, name: string): Promise<number> {
  const { rows: tables } = await client.query("select to_regclass('toolkit_version') is not null as exists");
  if (tables[0]?.exists !== true) return 0;
  const { rows } = await client.query('select version from toolkit_version');
  const version = Number(rows[0]?.version ?? 0);
  if (version <= migrations.length) return version;
  throw new ToolkitError(
    'STATE_UNAVAILABLE',
    `The tables of the store ${name} have version ${version}, but this program supports only versions up to ${migrations.length}. Install a newer version of it, or name another database.`,
    { retryable: false },
  );
}
