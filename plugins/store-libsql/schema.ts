import { ToolkitError } from '../../kernel/index.ts';
import { heartbeatPrefixes, upgradedMessage, waitForEarlierProcesses } from '../shared/state/earlier-processes.ts';
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
  [
    `create trigger if not exists entries_refuse_earlier before insert on entries when ${isHeartbeat('new.key')}
      begin select raise(abort, '${upgradedMessage}'); end`,
  ],
];

/** Version since which processes know each other otherwise than by heartbeats in the store. */
const withoutHeartbeats = 2;

/** Version of a file whose calls were moved to another store: higher than all that are used, so that every program refuses it, earlier ones too. */
const movedVersion = 1_000_000;

/** Marks the file as moved to a store, in one step. */
export async function markMoved(file: SqlFile, destination: string): Promise<void> {
  await file.run(
    ['create table if not exists moved (destination text not null)'],
    ['delete from moved'],
    ['insert into moved values (?)', destination],
    [`pragma user_version = ${movedVersion}`],
  );
}

/** Returns the store to which the calls were, or are being, moved. Undefined when the file is in use. */
export async function movedTo(file: SqlFile): Promise<string | undefined> {
  if ((await versionOf(file)) !== movedVersion) return undefined;
  const [found] = await file.run(['select destination from moved']);
  return String(found?.[0]?.['destination']);
}

/** Opens a file whose calls are moved. Rejects with STATE_UNAVAILABLE when no store is in it: it is left as it is. */
export async function openMovedSchema(file: SqlFile): Promise<void> {
  const version = await versionOf(file);
  if (version === movedVersion) return;
  if (version > 0) return openSchema(file);
  throw new ToolkitError(
    'STATE_UNAVAILABLE',
    `The file ${file.file} holds no store of this program. Name the one that storeLibsql() uses.`,
    {
      retryable: false,
    },
  );
}

/** Migrates the file to the version of this program. Rejects with STATE_UNAVAILABLE when a later version wrote it. */
export async function openSchema(file: SqlFile): Promise<void> {
  const version = await versionOf(file);
  if (version === movedVersion) {
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      `The store ${file.file} is closed for good: "toolkit calls move" has moved its calls to another store. Use the configuration of that store, or name another file.`,
      { retryable: false },
    );
  }
  if (version > migrations.length) {
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      `The store ${file.file} has version ${version}, and this program knows ${migrations.length} at most: it was written by a later one. Install that, or name another file.`,
      { retryable: false },
    );
  }
  if (version > 0 && version < withoutHeartbeats)
    await waitForEarlierProcesses(file.file, async () => {
      const [living] = await file.run([
        `select key from entries where ${isHeartbeat('key')} and expires_at > unixepoch('subsec') * 1000 limit 1`,
      ]);
      return living?.[0] !== undefined;
    });
  const missing = migrations.slice(version).flat();
  if (missing.length > 0)
    await file.run(...[...missing, `pragma user_version = ${migrations.length}`].map((statement) => [statement] as const));
}

async function versionOf(file: SqlFile): Promise<number> {
  const [rows] = await file.run(['pragma user_version']);
  return Number(rows?.[0]?.['user_version'] ?? 0);
}

/** Returns the condition for keys of heartbeats. */
function isHeartbeat(key: string): string {
  return `(${heartbeatPrefixes.map((prefix) => `${key} glob '${prefix}*'`).join(' or ')})`;
}
