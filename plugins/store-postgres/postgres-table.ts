import type { Pool } from 'pg';
import { type ListOptions, type Logger, type TimeToLive, ToolkitError, type WindowCount, type WindowOptions } from '../../kernel/index.ts';
import { postgresProblem } from '../shared/state/postgres-problem.ts';
import { nameOfDatabase } from '../shared/state/postgres-url.ts';
import { endOfPrefix, mostCounted } from '../shared/state/state-queries.ts';
import type { StateTable } from '../shared/state/state-table.ts';
import { Watchers } from '../shared/state/watchers.ts';
import { Listener } from './listener.ts';
import { loadPg } from './load-pg.ts';
import { openSchema } from './schema.ts';
import { Teller } from './teller.ts';

/** The clock of the database: those of its machines may differ. */
const now = 'clock_timestamp()';
/** The same in every part of a statement: a window must not end between two of them. */
const began = 'statement_timestamp()';
const isThere = `(expires_at is null or expires_at > ${now})`;
/** From milliseconds; null for none. */
const after = (parameter: string, from = now): string => `${from} + ${parameter}::double precision * interval '1 ms'`;

const sweepMs = 30_000;

const sql = {
  get: `select value from toolkit_entries where key = $1 and ${isThere}`,
  set: `insert into toolkit_entries values ($1, $2, ${after('$3')})
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
  add: `insert into toolkit_entries as entry values ($1, $2, ${after('$3')})
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at where entry.expires_at <= ${now}`,
  replace: `update toolkit_entries set value = $2, expires_at = ${after('$3')} where key = $1 and value = $4 and ${isThere}`,
  remove: `delete from toolkit_entries where key = $1 and value = $2 and ${isThere}`,
  delete: `with entry as (delete from toolkit_entries where key = $1 returning ${isThere} as was),
    counted as (delete from toolkit_counts where key = $1 returning ends_at > ${now} as was)
    select was from entry union all select was from counted`,
  list: `select key, value from toolkit_entries where key > $1 and key >= $2 and key < $3 and ${isThere} order by key limit $4`,
  keys: `select key from toolkit_entries where key >= $1 and key < $2 and ${isThere}`,
  increment: `insert into toolkit_counts as counted values ($1, $2 <= $4::bigint, case when $2 <= $4::bigint then $2::bigint else 0 end, ${after('$3', began)})
    on conflict (key) do update set
      is_counted = case when counted.ends_at > ${began} then counted.count else 0 end + $2 <= $4::bigint,
      count = case when counted.ends_at > ${began} then counted.count else 0 end
        + case when case when counted.ends_at > ${began} then counted.count else 0 end + $2 <= $4::bigint then $2::bigint else 0 end,
      ends_at = case when counted.ends_at > ${began} then counted.ends_at else ${after('$3', began)} end
    returning is_counted, count, greatest(0, extract(epoch from ends_at - ${now}) * 1000) as ends_in`,
  tell: `select pg_notify('toolkit_entries', key) from unnest($1::text[]) key`,
  sweep: [
    `delete from toolkit_entries where key in (select key from toolkit_entries where expires_at <= ${now} limit 10000 for update skip locked)`,
    `delete from toolkit_counts where key in (select key from toolkit_counts where ends_at <= ${now} limit 10000 for update skip locked)`,
  ],
};

export interface PostgresTableOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly logger: Logger;
}

/** A state in a PostgreSQL database. */
export class PostgresTable implements StateTable {
  readonly name: string;
  readonly #pool: Pool;
  readonly #watchers: Watchers;
  readonly #listener: Listener;
  readonly #teller = new Teller((keys) => this.#query(sql.tell, [keys]));
  #sweepAt = Date.now() + sweepMs;

  private constructor(name: string, pool: Pool, watchers: Watchers, listener: Listener) {
    this.name = name;
    this.#pool = pool;
    this.#watchers = watchers;
    this.#listener = listener;
  }

  /** Rejects with STATE_UNAVAILABLE, with DEPENDENCY_MISSING where the library is not installed. */
  static async open({ url, maxConnections, logger }: PostgresTableOptions): Promise<PostgresTable> {
    const pg = await loadPg();
    const name = nameOfDatabase(url);
    const settings = { connectionString: url, application_name: 'toolkit', connectionTimeoutMillis: 10_000, keepAlive: true };
    const pool = new pg.Pool({ ...settings, max: maxConnections, allowExitOnIdle: true });
    // A connection that breaks while nobody uses it; the next one who asks gets another.
    pool.on('error', () => {});
    const watchers = new Watchers();
    const keysOf = async (prefix: string): Promise<readonly string[]> =>
      (await pool.query<{ key: string }>(sql.keys, [prefix, endOfPrefix(prefix)])).rows.map(({ key }) => key);
    const table = new PostgresTable(
      name,
      pool,
      watchers,
      new Listener({ watchers, logger, client: () => new pg.Client(settings), keysOf }),
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
    return (await this.#rows<{ value: Buffer }>(sql.get, [key]))[0]?.value;
  }

  async set(key: string, value: Uint8Array, { ttlMs }: TimeToLive): Promise<void> {
    await this.#write(sql.set, key, [value, ttlMs]);
  }

  async replace(key: string, expected: Uint8Array | undefined, value: Uint8Array | undefined, { ttlMs }: TimeToLive): Promise<boolean> {
    if (expected === undefined && value === undefined) return (await this.get(key)) === undefined;
    if (expected === undefined) return this.#write(sql.add, key, [value, ttlMs]);
    return value === undefined ? this.#write(sql.remove, key, [expected]) : this.#write(sql.replace, key, [value, ttlMs, expected]);
  }

  async delete(key: string): Promise<boolean> {
    const found = await this.#rows<{ was: boolean }>(sql.delete, [key]);
    if (found.length > 0) await this.#teller.tell(key);
    return found.some(({ was }) => was);
  }

  async increment(key: string, { windowMs, by = 1, limit = mostCounted }: WindowOptions): Promise<WindowCount> {
    const [row] = await this.#rows<{ is_counted: boolean; count: string; ends_in: string }>(sql.increment, [key, by, windowMs, limit]);
    this.#sweep();
    return { isCounted: row?.is_counted === true, count: Number(row?.count), endsInMs: Number(row?.ends_in) };
  }

  async list(prefix: string, { after: last = '', limit = 1000 }: ListOptions): Promise<readonly { key: string; value: Uint8Array }[]> {
    return this.#rows<{ key: string; value: Buffer }>(sql.list, [last, prefix, endOfPrefix(prefix), limit]);
  }

  async watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>> {
    const remove = this.#watchers.add(prefix, onChange);
    try {
      await this.#listener.listen();
    } catch (error) {
      remove();
      throw unavailable(this.name, error);
    }
    return async () => remove();
  }

  async close(): Promise<void> {
    await this.#listener.close();
    await this.#pool.end();
  }

  async #rows<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#query<Row>(text, values)).rows;
  }

  /** Whether a row was written, of which others know then. */
  async #write(text: string, key: string, values: readonly unknown[]): Promise<boolean> {
    const { rowCount } = await this.#query(text, [key, ...values]);
    this.#sweep();
    if (rowCount === 0) return false;
    await this.#teller.tell(key);
    return true;
  }

  async #query<Row extends object>(text: string, values: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
    try {
      // Named, so that the server plans it once for each connection.
      return await this.#pool.query({ name: nameOfStatement(text), text, values: values.map((value) => value ?? null) });
    } catch (error) {
      throw unavailable(this.name, error);
    }
  }

  #sweep(): void {
    if (Date.now() < this.#sweepAt) return;
    this.#sweepAt = Date.now() + sweepMs;
    // What is over its time is not there, removed or not.
    for (const statement of sql.sweep) this.#pool.query(statement).catch(() => {});
  }
}

function nameOfStatement(text: string): string {
  return `toolkit ${Object.entries(sql).find(([, one]) => one === text)?.[0]}`;
}

function unavailable(name: string, error: unknown): ToolkitError {
  if (ToolkitError.is(error)) return error;
  return new ToolkitError('STATE_UNAVAILABLE', `The store ${name} cannot be used: ${postgresProblem(error)}.`, {}, { cause: error });
}
