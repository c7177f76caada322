import type { ClientBase, QueryConfig } from 'pg';
import { ToolkitError } from '../../kernel/index.ts';
import { createProcesses } from '../shared/cluster/process-session.ts';
import { heartbeatPrefixes, upgradedMessage, waitForEarlierProcesses } from '../shared/state/earlier-processes.ts';
import type { StoreLimits } from './store-limits.ts';

/** Condition for keys by which processes of earlier versions say that they live. */
const isHeartbeat = (key: string): string => `${key} ~ '^(${heartbeatPrefixes.join('|')})'`;

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
  `${createProcesses};
   create function toolkit_refuse_earlier() returns trigger language plpgsql as $$
   begin
     raise exception '${upgradedMessage}';
   end $$;
   create trigger toolkit_entries_refuse_earlier before insert on toolkit_entries
     for each row when (${isHeartbeat('new.key')}) execute function toolkit_refuse_earlier();`,
];

/** Version since which processes know each other otherwise than by heartbeats in the store. */
const withoutHeartbeats = 3;

/** Arbitrary number of the advisory lock that a process holds during a migration. */
const lock = 7_214_655_381;

/** Runs a statement of a migration. */
type Run = (text: string, values?: unknown[]) => Promise<unknown>;

/** Migrates the tables to the version of this program. Rejects with STATE_UNAVAILABLE when a later version made them. */
export async function openSchema(client: ClientBase, name: string, { migrationMs, serverMs }: StoreLimits): Promise<void> {
  if ((await versionOf(client, name)) === migrations.length) return;
  // The types do not know `query_timeout` of a single statement.
  const run: Run = (text, values) =>
    client.query({ text, query_timeout: migrationMs, ...(values === undefined ? {} : { values }) } as QueryConfig);
  await run(`set statement_timeout = ${migrationMs}`);
  // Before the transaction: inside it, a table that another process creates later stays invisible.
  await run('select pg_advisory_lock($1)', [lock]);
  try {
    const version = await versionOf(client, name);
    if (version > 0 && version < withoutHeartbeats) await waitForEarlierProcesses(name, () => hasHeartbeat(client));
    await migrate(run, version);
  } finally {
    await run('select pg_advisory_unlock($1)', [lock]);
    await run(`set statement_timeout = ${serverMs}`);
  }
}

async function hasHeartbeat(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select from toolkit_entries where ${isHeartbeat('key')} and expires_at > now() limit 1`);
  return rows.length > 0;
}

async function migrate(run: Run, from: number): Promise<void> {
  await run('begin');
  try {
    for (const migration of migrations.slice(from)) await run(migration);
    await run('create table if not exists toolkit_version (version integer not null)');
    await run('delete from toolkit_version');
    await run('insert into toolkit_version values ($1)', [migrations.length]);
    await run('commit');
  } catch (error) {
    await run('rollback');
    throw error;
  }
}

/** Version of the tables that this program uses. */
export const tableVersion = migrations.length;

/** Returns the version of the tables, 0 when there are none. */
export async function readTableVersion(client: ClientBase): Promise<number> {
  const { rows: tables } = await client.query("select to_regclass('toolkit_version') is not null as exists");
  if (tables[0]?.exists !== true) return 0;
  const { rows } = await client.query('select version from toolkit_version');
  return Number(rows[0]?.version ?? 0);
}

async function versionOf(client: ClientBase, name: string): Promise<number> {
  const version = await readTableVersion(client);
  if (version <= tableVersion) return version;
  throw new ToolkitError(
    'STATE_UNAVAILABLE',
    `The tables of the store ${name} have version ${version}, but this program supports only versions up to ${tableVersion}. Install a newer version of it, or name another database.`,
    { retryable: false },
  );
}
