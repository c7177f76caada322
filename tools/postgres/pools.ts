import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { CallConnection } from './connection.ts';
import { connectFailure } from './connection-failure.ts';
import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';
import { tlsOptions } from './tls.ts';

/** Maximum sets of credentials with open connections, and maximum connections of each. */
const maxPools = 20;
export const maxConnections = 5;
/** Time before an idle connection is closed, and time limit for opening one or waiting for a free one. In milliseconds. */
const idleTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;
/** Time limit of closing for running calls, in milliseconds. */
const closeTimeoutMs = 4_000;

interface Entry {
  readonly key: string;
  readonly pool: Pool;
  readonly settings: Settings;
  /** Number of calls that have a connection or wait for one. */
  users: number;
  isClosing: boolean;
  /** Connections that a call has used. */
  readonly used: WeakSet<PoolClient>;
  /** Resolves for each open connection when it closes. */
  readonly open: Set<Promise<void>>;
}

/** A pool of connections for each set of credentials, so that no call uses a connection of other credentials. */
export class Pools {
  /** Entries by a hash of the settings, the least recently used first. */
  readonly #entries = new Map<string, Entry>();

  /** Runs the work with an exclusive connection. `onOpen` runs when the credentials are new here. */
  async use<T>(settings: Settings, signal: AbortSignal, onOpen: () => void, work: (connection: CallConnection) => Promise<T>): Promise<T> {
    const entry = await this.#entryFor(settings, onOpen);
    try {
      const client = await connectionOf(entry, signal);
      const connection = new CallConnection(client, settings, entry.used.has(client));
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

  /** Closes every connection, those in use at the end of their call. Later calls open new ones. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) {
      entry.isClosing = true;
      this.#end(entry);
    }
    const timer = new AbortController();
    const closed = Promise.all(entries.flatMap(({ open }) => [...open]));
    await Promise.race([closed, delay(closeTimeoutMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }

  /** Finds or creates the entry and counts the caller as a user, so that the entry stays open. */
  async #entryFor(settings: Settings, onOpen: () => void): Promise<Entry> {
    const key = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
    const { default: pg } = await import('pg');
    if (!this.#entries.has(key)) {
      const ssl = await tlsOptions(settings);
      // Another call may have created it meanwhile.
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

  /** Removes an entry without connections and without users. */
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
  // An idle connection failed. pg has already removed it from the pool.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // The running query receives the error too; without a listener it would end the process.
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
    // A function, because pg replaces an empty text by PGPASSWORD or a line of ~/.pgpass.
    password: () => password,
    application_name: applicationName,
    // Explicit, so that pg does not read PGSSLNEGOTIATION.
    sslnegotiation: 'postgres' as const,
    keepAlive: true,
    max: maxConnections,
    idleTimeoutMillis: idleTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
    // Lets a program end that forgets to close toolkit.
    allowExitOnIdle: true,
  };
}

/** Takes a connection from the pool. Throws the failure that the caller gets. Returns the connection when the caller has cancelled meanwhile. */
async function connectionOf({ pool, settings }: Entry, signal: AbortSignal): Promise<PoolClient> {
  signal.throwIfAborted();
  const client = await pool.connect().catch((error: unknown) => {
    throw connectFailure(error, settings);
  });
  if (signal.aborted) client.release();
  signal.throwIfAborted();
  return client;
}
