import type { Pool } from 'pg';
import { type ListOptions, type Logger, type TimeToLive, ToolkitError, type WindowCount, type WindowOptions } from '../../kernel/index.ts';
import { deleteProcess, type ObservedProcess, readProcesses } from '../shared/cluster/process-observer.ts';
import { SessionPresence } from '../shared/cluster/session-presence.ts';
import { postgresProblem } from '../shared/state/postgres-problem.ts';
import { nameOfDatabase } from '../shared/state/postgres-url.ts';
import { endOfPrefix, maxCount } from '../shared/state/state-queries.ts';
import type { ReplaceOptions, StateTable, TableChange } from '../shared/state/state-table.ts';
import { Watchers } from '../shared/state/watchers.ts';
import { allKeysChannel, channelOf } from './channel.ts';
import { Listener } from './listener.ts';
import { loadPg } from './load-pg.ts';
import { Notifier } from './notifier.ts';
import { openSchema } from './schema.ts';
import { type ChangeName, type StatementName, sql, sweepStatements } from './statements.ts';

const sweepIntervalMs = 30_000;

/** Time limit of a statement on the connection by which others know this process, in milliseconds. */
const sessionTimeoutMs = 5000;

export interface PostgresTableOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly logger: Logger;
}

/** A state table in a PostgreSQL database. */
export class PostgresTable implements StateTable {
  readonly name: string;
  readonly presence: SessionPresence;
  readonly #pool: Pool;
  readonly #watchers: Watchers;
  readonly #listener: Listener;
  readonly #notifier = new Notifier((keys) => this.#query('tell', notificationsFor(keys)));
  #sweepAt = Date.now() + sweepIntervalMs;

  private constructor(name: string, pool: Pool, watchers: Watchers, listener: Listener, presence: SessionPresence) {
    this.name = name;
    this.presence = presence;
    this.#pool = pool;
    this.#watchers = watchers;
    this.#listener = listener;
  }

  /** Connects, and creates the tables. Rejects with STATE_UNAVAILABLE, or with DEPENDENCY_MISSING when the library is not installed. */
  static async open({ url, maxConnections, logger }: PostgresTableOptions): Promise<PostgresTable> {
    const pg = await loadPg();
    const name = nameOfDatabase(url);
    const settings = { connectionString: url, application_name: 'toolkit', connectionTimeoutMillis: 10_000, keepAlive: true };
    const pool = new pg.Pool({ ...settings, max: maxConnections, allowExitOnIdle: true });
    // An idle connection broke; the pool opens another when needed.
    pool.on('error', () => {});
    const watchers = new Watchers();
    const listKeys = async (prefix: string): Promise<readonly string[]> =>
      (await pool.query<{ key: string }>(sql.keys, [prefix, endOfPrefix(prefix)])).rows.map(({ key }) => key);
    const table = new PostgresTable(
      name,
      pool,
      watchers,
      new Listener({ watchers, logger, createClient: () => new pg.Client(settings), listKeys }),
      new SessionPresence({
        createClient: (stream) =>
          new pg.Client({ ...settings, stream, query_timeout: sessionTimeoutMs, connectionTimeoutMillis: sessionTimeoutMs }),
        readProcesses: () =>
          pool.query<ObservedProcess>(readProcesses).then(
            ({ rows }) => rows,
            (error: unknown) => Promise.reject(unavailable(name, error)),
          ),
        deleteProcess: async ({ id, key }) => void (await pool.query(deleteProcess, [id, key])),
      }),
    );
    try {
      const client = await pool.connect();
      try {
        await openSchema(client, name);
      } finally {
        client.release();
      }
      return table;
    } catch (error) {
      await pool.end();
      throw unavailable(name, error);
    }
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return (await this.#rows<{ value: Buffer }>('get', [key]))[0]?.value;
  }

  async set(key: string, value: Uint8Array, { ttlMs }: TimeToLive): Promise<void> {
    await this.#write('set', key, [value, ttlMs]);
  }

  async replace(
    key: string,
    expected: Uint8Array | undefined,
    value: Uint8Array | undefined,
    { ttlMs, also = [] }: ReplaceOptions,
  ): Promise<boolean> {
    if (expected === undefined && value === undefined) return (await this.get(key)) === undefined;
    if (expected === undefined) return this.#change('add', key, [value, ttlMs], also);
    return value === undefined
      ? this.#change('remove', key, [expected], also)
      : this.#change('replace', key, [value, ttlMs, expected], also);
  }

  async delete(key: string): Promise<boolean> {
    const found = await this.#rows<{ was: boolean }>('delete', [key]);
    if (found.length > 0) await this.#notifier.notify([key]);
    return found.some(({ was }) => was);
  }

  async increment(key: string, { windowMs, by = 1, limit = maxCount }: WindowOptions): Promise<WindowCount> {
    const [row] = await this.#rows<{ is_counted: boolean; count: string; ends_in: string }>('increment', [key, by, windowMs, limit]);
    this.#sweep();
    return { isCounted: row?.is_counted === true, count: Number(row?.count), endsInMs: Number(row?.ends_in) };
  }

  async list(prefix: string, { after: last = '', limit = 1000 }: ListOptions): Promise<readonly { key: string; value: Uint8Array }[]> {
    return this.#rows<{ key: string; value: Buffer }>('list', [last, prefix, endOfPrefix(prefix), limit]);
  }

  async watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>> {
    const remove = this.#watchers.add(prefix, onChange);
    try {
      const leave = await this.#listener.listen(channelOf(prefix));
      return async () => {
        remove();
        leave();
      };
    } catch (error) {
      remove();
      throw unavailable(this.name, error);
    }
  }

  async close(): Promise<void> {
    await this.presence.close();
    await this.#listener.close();
    await this.#pool.end();
  }

  async #rows<Row extends object>(statement: StatementName, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#query<Row>(statement, values)).rows;
  }

  /** Makes a conditional change together with others. Resolves to false when the condition does not hold. */
  async #change(change: ChangeName, key: string, values: readonly unknown[], also: readonly TableChange[]): Promise<boolean> {
    if (also.length === 0) return this.#write(change, key, values);
    const set = also.filter(({ value }) => value !== undefined);
    const deleted = also.filter(({ value }) => value === undefined);
    const more = [set.map(keyOf), set.map(({ value }) => value), set.map(({ ttlMs = null }) => ttlMs), deleted.map(keyOf)];
    return this.#write(`${change}AndMore`, key, [...values, ...more], also.map(keyOf));
  }

  /** Runs a statement. Resolves to true when it has written a row, after watchers were notified. */
  async #write(statement: StatementName, key: string, values: readonly unknown[], more: readonly string[] = []): Promise<boolean> {
    const { rowCount } = await this.#query(statement, [key, ...values]);
    this.#sweep();
    if (rowCount === 0) return false;
    await this.#notifier.notify([key, ...more]);
    return true;
  }

  async #query<Row extends object>(name: StatementName, values: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
    try {
      // Named, so that the server plans it once for each connection.
      return await this.#pool.query({ name: `toolkit ${name}`, text: sql[name], values: values.map((value) => value ?? null) });
    } catch (error) {
      throw unavailable(this.name, error);
    }
  }

  #sweep(): void {
    if (Date.now() < this.#sweepAt) return;
    this.#sweepAt = Date.now() + sweepIntervalMs;
    for (const statement of sweepStatements) this.#pool.query(statement).catch(() => {});
  }
}

const keyOf = ({ key }: TableChange): string => key;

/** Returns the channels, and the key to send to each. */
function notificationsFor(keys: readonly string[]): readonly [readonly string[], readonly string[]] {
  return [
    [...keys.map(channelOf), ...keys.map(() => allKeysChannel)],
    [...keys, ...keys],
  ];
}

function unavailable(name: string, error: unknown): ToolkitError {
  if (ToolkitError.is(error)) return error;
  return new ToolkitError('STATE_UNAVAILABLE', `The store ${name} cannot be used: ${postgresProblem(error)}.`, {}, { cause: error });
}
