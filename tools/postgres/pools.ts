import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { OwnConnection } from './connection.ts';
import { connectFailure } from './connection-failure.ts';
import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';
import { tlsOptions } from './tls.ts';

/** Sets of credentials with open connections at the same time, and connections of each. */
const maxPools = 20;
export const maxConnections = 5;
/** How long an unused connection stays open, and what opening one or waiting for a free one may take. In milliseconds. */
const idleMs = 30_000;
const connectMs = 10_000;
/** How long closing waits for calls that are still running, in milliseconds. */
const closeMs = 4_000;

interface Entry {
  readonly key: string;
  readonly pool: Pool;
  readonly settings: Settings;
  /** Calls that have a connection or wait for one. */
  users: number;
  isClosing: boolean;
  /** Connections that a call has had. */
  readonly used: WeakSet<PoolClient>;
  /** Connections that are not closed yet. */
  readonly open: Set<Promise<void>>;
}

/** A pool of connections for each set of credentials, so that no call ever sees the connection of another set. */
export class Pools {
  /** By a hash of the settings, the one not used for longest first. */
  readonly #entries = new Map<string, Entry>();

  /** Runs the work with a connection that nobody else has meanwhile. `onOpen` runs when the credentials are new here. */
  async use<T>(settings: Settings, signal: AbortSignal, onOpen: () => void, work: (connection: OwnConnection) => Promise<T>): Promise<T> {
    const entry = await this.#entryFor(settings, onOpen);
    try {
      const client = await connectionOf(entry, signal);
      const connection = new OwnConnection(client, settings, entry.used.has(client));
      entry.used.add(client);
      try {
        return await work(connection);
      } finally {
        await connection.clean();
        connection.release();
      }
    } finally {
      entry.users--;
      if (entry.isClosing) this.#end(entry);
      this.#forget(entry);
    }
  }

  /** Closes every connection, those in use when their call ends. Calls that come later open new ones. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) {
      entry.isClosing = true;
      this.#end(entry);
    }
    const given = new AbortController();
    const closed = Promise.all(entries.flatMap(({ open }) => [...open]));
    await Promise.race([closed, delay(closeMs, undefined, { signal: given.signal }).catch(() => {})]);
    given.abort();
  }

  /** The caller is one of its users from here on, so that nobody closes it. */
  async #entryFor(settings: Settings, onOpen: () => void): Promise<Entry> {
    const key = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
    const { default: pg } = await import('pg');
    if (!this.#entries.has(key)) {
      const ssl = await tlsOptions(settings);
      // Another call may have been faster.
      if (!this.#entries.has(key)) {
        this.#makeRoom();
        this.#add(newEntry(key, new pg.Pool({ ...connectionOptions(settings), ssl }), settings));
        onOpen();
      }
    }
    const entry = this.#entries.get(key) as Entry;
    entry.users++;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    entry.pool.on('remove', () => this.#forget(entry));
  }

  /** Credentials that have no connection and no caller any more, or never had a connection, are not kept. */
  #forget(entry: Entry): void {
    const { key, pool, users } = entry;
    if (pool.totalCount === 0 && users === 0 && this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  #makeRoom(): void {
    if (this.#entries.size < maxPools) return;
    const unused = [...this.#entries].find(([, { users }]) => users === 0);
    if (unused === undefined)
      throw new Failure(
        'UPSTREAM_UNAVAILABLE',
        `${maxPools} sets of PostgreSQL credentials are in use at once, which is the limit. Try again when a call has ended.`,
      );
    const [key, entry] = unused;
    this.#entries.delete(key);
    entry.isClosing = true;
    this.#end(entry);
  }

  #end({ pool, users }: Entry): void {
    if (users === 0 && !pool.ending) void pool.end();
  }
}

function newEntry(key: string, pool: Pool, settings: Settings): Entry {
  const entry: Entry = { key, pool, settings, users: 0, isClosing: false, used: new WeakSet(), open: new Set() };
  // What is said about a connection that nobody uses; it is out of the pool already.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // A connection that breaks tells whoever waits for its answer; without a listener it would end the process as well.
    client.on('error', () => {});
    const closed = new Promise<void>((resolve) => client.on('end', resolve)).then(() => void entry.open.delete(closed));
    entry.open.add(closed);
  });
  return entry;
}

function connectionOptions({ host, port, user, password, database, applicationName }: Settings) {
  return {
    host,
    port,
    user,
    database,
    // A function, because pg takes an empty text for none and looks for one in PGPASSWORD and ~/.pgpass.
    password: () => password,
    application_name: applicationName,
    // Said, so that pg does not look into PGSSLNEGOTIATION.
    sslnegotiation: 'postgres' as const,
    keepAlive: true,
    max: maxConnections,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: connectMs,
    // A program that forgets to close toolkit can still end.
    allowExitOnIdle: true,
  };
}

/** Throws what the caller gets. Where the caller has given up meanwhile, the connection goes back as it is. */
async function connectionOf({ pool, settings }: Entry, signal: AbortSignal): Promise<PoolClient> {
  signal.throwIfAborted();
  const client = await pool.connect().catch((error: unknown) => {
    throw connectFailure(error, settings);
  });
  if (signal.aborted) client.release();
  signal.throwIfAborted();
  return client;
}
