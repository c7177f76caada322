import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import type { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { HostKeys } from '../../plugins/shared/keys/host-keys.ts';
import { temporaryFolder } from './temporary.ts';

/** A store that the program of an earlier commit wrote, see `fixtures/stores/README.md`. */
export interface EarlierStore {
  readonly commit: string;
  /** TOOLKIT_KEY of that program. */
  readonly key: string;
  /** Version of its tables. */
  readonly tables: number;
  /** Decrypted values by key. */
  readonly entries: Readonly<Record<string, string>>;
  /** Values as they were in the database, in base64. */
  readonly encrypted: Readonly<Record<string, string>>;
}

/** Tables of version 1 in a file. */
const tables = `
create table entries (key text primary key not null, value blob not null, expires_at integer);
create index entries_expire on entries (expires_at) where expires_at is not null;
create table counts (key text primary key not null, is_counted integer not null, count integer not null, ends_at integer not null);
create table changes (id integer primary key autoincrement, key text not null, changed_at integer not null);
${[
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
]
  .map(
    ([event, row]) =>
      `create trigger entries_${event} after ${event} on entries begin insert into changes (key, changed_at) values (${row}.key, cast(unixepoch('subsec') * 1000 as integer)); end;`,
  )
  .join('\n')}
pragma user_version = 1;`;

export async function readEarlierStore(name: string): Promise<EarlierStore> {
  return JSON.parse(await readFile(new URL(`../../fixtures/stores/${name}.json`, import.meta.url), 'utf8')) as EarlierStore;
}

/** The cipher of a store whose programs have this key. */
export function cipherOf({ key }: Pick<EarlierStore, 'key'>): Cipher {
  return new HostKeys({ logger: { warn: () => {} }, maskAlso: () => {}, env: { TOOLKIT_KEY: key } }).cipher('state');
}

/** Returns the rows of the store as a database has them. */
export function rowsOf(store: EarlierStore): readonly { readonly key: string; readonly value: Buffer }[] {
  const cipher = cipherOf(store);
  return [
    ...Object.entries(store.entries).map(([key, text]) => ({ key, value: cipher.encrypt(text, key) })),
    ...Object.entries(store.encrypted).map(([key, value]) => ({ key, value: Buffer.from(value, 'base64') })),
  ];
}

/** Makes the file of the earlier program. Returns its path. */
export async function earlierFile(store: EarlierStore): Promise<string> {
  const file = path.join(await temporaryFolder(), 'state.db');
  const database = new Database(file);
  try {
    database.pragma('journal_mode = wal');
    database.exec(tables);
    const insert = database.prepare('insert into entries (key, value) values (?, ?)');
    for (const { key, value } of rowsOf(store)) insert.run(key, value);
  } finally {
    database.close();
  }
  return file;
}

/** Tables of PostgreSQL in the versions before heartbeats went. */
const postgresTables = `
create table toolkit_entries (key text collate "C" primary key, value bytea not null, expires_at timestamptz);
create index toolkit_entries_expire on toolkit_entries (expires_at) where expires_at is not null;
create table toolkit_counts (key text collate "C" primary key, is_counted boolean not null, count bigint not null, ends_at timestamptz not null);
create table toolkit_version (version integer not null);`;

/** Triggers that version 1 had besides, until 26 November. */
const postgresTriggers = `
create function toolkit_tell_entry() returns trigger language plpgsql as $$
begin
  perform pg_notify('toolkit_entries', coalesce(new.key, old.key));
  return null;
end $$;
create trigger toolkit_entries_tell after insert or update or delete on toolkit_entries for each row execute function toolkit_tell_entry();`;

/** Fills an empty database as the earlier program did. */
export async function earlierDatabase(store: EarlierStore, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(postgresTables);
    if (store.tables === 1) await client.query(postgresTriggers);
    await client.query('insert into toolkit_version values ($1)', [store.tables]);
    for (const { key, value } of rowsOf(store)) await client.query('insert into toolkit_entries values ($1, $2)', [key, value]);
  } finally {
    await client.end();
  }
}
