import { type ListOptions, type Logger, type TimeToLive, ToolkitError, type WindowCount, type WindowOptions } from '../../kernel/index.ts';
import { deleteProcess, type ObservedProcess, readProcesses, readSilence } from '../shared/cluster/process-observer.ts';
import { SessionPresence } from '../shared/cluster/session-presence.ts';
import { PostgresHosts } from '../shared/state/postgres-hosts.ts';
import { nameOfDatabase } from '../shared/state/postgres-url.ts';
import { endOfPrefix, maxCount } from '../shared/state/state-queries.ts';
import type { ReplaceOptions, StateTable, TableChange } from '../shared/state/state-table.ts';
import { Watchers } from '../shared/state/watchers.ts';
import { channelOf, notificationsFor } from './channel.ts';
import { ConnectionPool, type Statement } from './connection-pool.ts';
import { Listener } from './listener.ts';
import { loadPg } from './load-pg.ts';
import { LostStatement } from './lost-statement.ts';
import { Notifier } from './notifier.ts';
import { openSchema } from './schema.ts';
import { type ChangeName, repeatable, type StatementName, sql, sweepStatements } from './statements.ts';
import { clientSettings, storeClientClass } from './store-client.ts';
import { answerLimit, type StoreLimits, storeLimits } from './store-limits.ts';
import { unavailable } from './store-unavailable.ts';

const sweepIntervalMs = 30_000;

export interface PostgresTableOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly logger: Logger;
  /** @default `storeLimits` */
  readonly limits?: StoreLimits;
}

/** A state table in a PostgreSQL database. */
export class PostgresTable implements StateTable {
  readonly name: string;
  readonly presence: SessionPresence;
  readonly #pool: ConnectionPool;
  readonly #limits: StoreLimits;
  readonly #watchers = new Watchers();
  readonly #listener: Listener;
  readonly #notifier = new Notifier((keys) => this.#query('tell', notificationsFor(keys)));
  #sweepAt = Date.now() + sweepIntervalMs;

  private constructor(pg: Awaited<ReturnType<typeof loadPg>>, { url, maxConnections, logger, limits = storeLimits }: PostgresTableOptions) {
    const hosts = new PostgresHosts(url);
    const createClient = storeClientClass(pg, hosts, limits);
    this.name = nameOfDatabase(url);
    this.#limits = limits;
    this.#pool = new ConnectionPool({ pg, hosts, createClient, maxConnections, limits });
    this.#listener = new Listener({
      watchers: this.#watchers,
      logger,
      limits,
      createClient: () => new createClient(),
      isCurrent: (client) => client.url === hosts.current,
      listKeys: async (prefix) => (await this.#rows<{ key: string }>('keys', [prefix, endOfPrefix(prefix)])).map(({ key }) => key),
    });
    this.presence = new SessionPresence({
      createClient: (stream) => new pg.Client({ ...clientSettings(limits), connectionString: hosts.current, stream }),
      readProcesses: async () => (await this.#run<ObservedProcess>({ text: readProcesses, isRepeatable: true })).rows,
      deleteProcess: async ({ id, key }) => void (await this.#run({ text: deleteProcess, values: [id, key], isRepeatable: true })),
      readSilence: async (id) => {
        const { rows } = await this.#run<{ silent_ms: string | null }>({ text: readSilence, values: [id], isRepeatable: true });
        return Number(rows[0]?.silent_ms ?? 0);
      },
    });
  }

  /** Connects, and creates the tables. Rejects with STATE_UNAVAILABLE, or with DEPENDENCY_MISSING when the library is not installed. */
  static async open(options: PostgresTableOptions): Promise<PostgresTable> {
    const table = new PostgresTable(await loadPg(), options);
    try {
      await table.#pool.withClient((client) => openSchema(client, table.name, table.#limits));
      return table;
    } catch (error) {
      await table.#pool.close();
      throw unavailable(table.name, error);
    }
  }

  async get(key: string): Promise<Buffer | undefined> {
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
    await this.#pool.close();
  }

  async #rows<Row extends object>(statement: StatementName, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#query<Row>(statement, values)).rows;
  }

  /** Makes a conditional change together with others. Resolves to false when the condition does not hold. */
  async #change(change: ChangeName, key: string, values: readonly unknown[], also: readonly TableChange[]): Promise<boolean> {
    if (also.length === 0) return this.#writeOnce(change, key, values);
    const set = also.filter(({ value }) => value !== undefined);
    const deleted = also.filter(({ value }) => value === undefined);
    const more = [set.map(keyOf), set.map(({ value }) => value), set.map(({ ttlMs = null }) => ttlMs), deleted.map(keyOf)];
    return this.#writeOnce(`${change}AndMore`, key, [...values, ...more], also.map(keyOf));
  }

  /**
   * Runs a conditional write, again when its answer was lost: the condition holds once. It may hold no more because the lost one was carried out;
   * then the key has exactly the new bytes, which no other write has (encryption gives each its own). Anything else is not known.
   */
  async #writeOnce(statement: StatementName, key: string, values: readonly unknown[], more: readonly string[] = []): Promise<boolean> {
    try {
      return await this.#write(statement, key, values, more);
    } catch (error) {
      if (!(error instanceof ToolkitError && error.cause instanceof LostStatement)) throw error;
      if (await this.#write(statement, key, values, more)) return true;
      const [value] = values;
      const isRemoval = statement.startsWith('remove');
      const found = isRemoval ? undefined : await this.get(key);
      if (found === undefined || !(value instanceof Uint8Array) || !found.equals(value)) throw error;
      await this.#notifier.notify([key, ...more]);
      return true;
    }
  }

  /** Runs a statement. Resolves to true when it has written a row, after watchers were notified. */
  async #write(statement: StatementName, key: string, values: readonly unknown[], more: readonly string[] = []): Promise<boolean> {
    const { rowCount } = await this.#query(statement, [key, ...values]);
    this.#sweep();
    if (rowCount === 0) return false;
    await this.#notifier.notify([key, ...more]);
    return true;
  }

  #query<Row extends object>(name: StatementName, values: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
    return this.#run<Row>({
      // Named, so that the server plans it once for each connection.
      name: `toolkit ${name}`,
      text: sql[name],
      values: values.map((value) => value ?? null),
      timeoutMs: name === 'list' || name === 'keys' ? this.#limits.listMs : answerLimit(this.#limits, values),
      isRepeatable: repeatable.has(name),
    });
  }

  async #run<Row extends object>(statement: Statement): Promise<{ rows: Row[]; rowCount: number | null }> {
    try {
      return await this.#pool.run<Row>(statement);
    } catch (error) {
      throw unavailable(this.name, error);
    }
  }

  #sweep(): void {
    if (Date.now() < this.#sweepAt) return;
    this.#sweepAt = Date.now() + sweepIntervalMs;
    for (const text of sweepStatements) this.#pool.run({ text }).catch(() => {});
  }
}

const keyOf = ({ key }: TableChange): string => key;
