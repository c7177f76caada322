import type pg from 'pg';
import type { PostgresHosts } from '../shared/state/postgres-hosts.ts';
import { LostStatement } from './lost-statement.ts';
import { prepareClient, type StoreClient } from './store-client.ts';
import type { StoreLimits } from './store-limits.ts';

export interface ConnectionPoolOptions {
  readonly pg: typeof pg;
  readonly hosts: PostgresHosts;
  readonly createClient: new () => StoreClient;
  readonly maxConnections: number;
  readonly limits: StoreLimits;
}

export interface Statement {
  /** Name of a prepared statement. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Time limit in milliseconds. @default that of single keys */
  readonly timeoutMs?: number;
  /** True when running the statement twice is the same as once. @default false */
  readonly isRepeatable?: boolean;
}

type PooledClient = StoreClient & pg.PoolClient;

/**
 * Connections to the server in use. One on which a statement was lost is destroyed, and the idle ones with it, because the same fault may have hit
 * them: the next statement opens a new one, to the next host when this one cannot be reached or does not write.
 */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #pool: pg.Pool;
  readonly #open = new Set<PooledClient>();
  readonly #busy = new Set<PooledClient>();

  constructor(options: ConnectionPoolOptions) {
    const { pg, createClient, maxConnections, limits } = options;
    this.#options = options;
    this.#pool = new pg.Pool({
      Client: createClient,
      max: maxConnections,
      connectionTimeoutMillis: limits.waitMs,
      allowExitOnIdle: true,
      onConnect: (client) => prepareClient(client, limits),
    });
    // An idle connection broke; the pool opens another when needed.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => this.#open.add(client as PooledClient));
    this.#pool.on('acquire', (client) => this.#busy.add(client as PooledClient));
    this.#pool.on('release', (_error, client) => this.#busy.delete(client as PooledClient));
    this.#pool.on('remove', (client) => this.#open.delete(client as PooledClient));
  }

  /**
   * Runs a statement, once more on a new connection when it was lost and is repeatable, or was surely not carried out. Rejects with LostStatement
   * when it may have been carried out.
   */
  async run<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#attempt<Row>(statement);
    } catch (error) {
      if (!(error instanceof LostStatement) || !(error.isNotDone || statement.isRepeatable === true)) throw error;
      return this.#attempt<Row>(statement);
    }
  }

  /** Lends a connection. One on which the work failed is not used again. */
  async withClient<T>(work: (client: StoreClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.destroy();
      client.release(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    const destroy = (): void => {
      for (const client of this.#open) client.destroy();
    };
    // A silent connection never confirms its end.
    const timer = setTimeout(destroy, this.#options.limits.closeMs);
    await this.#pool.end();
    // Those that are still saying goodbye keep no process alive.
    timer.unref();
  }

  async #attempt<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>> {
    const client = await this.#connect();
    const { name, text, values = [], timeoutMs = this.#options.limits.answerMs } = statement;
    try {
      // The types do not know `query_timeout` of a single statement.
      const query = { ...(name === undefined ? {} : { name }), text, values: [...values], query_timeout: timeoutMs };
      const result = await client.query<Row>(query);
      client.release();
      return result;
    } catch (error) {
      const lost = LostStatement.of(error);
      if (lost === undefined) client.release();
      else this.#discard(client);
      throw lost ?? error;
    }
  }

  #discard(client: PooledClient): void {
    client.destroy();
    client.release(true);
    for (const other of this.#open) if (!this.#busy.has(other)) other.destroy();
  }

  async #connect(): Promise<PooledClient> {
    for (;;) {
      const client = await this.#openOrTake();
      if (!client.isDestroyed) return client;
      // The pool has not heard of its end yet.
      client.release(true);
    }
  }

  /** Opens a connection or takes an idle one. Tries each host once when one must be opened. */
  async #openOrTake(): Promise<PooledClient> {
    const { hosts, maxConnections } = this.#options;
    for (let left = hosts.count; ; left--) {
      const url = hosts.current;
      const mustOpen = this.#pool.idleCount === 0 && this.#pool.totalCount < maxConnections;
      try {
        return (await this.#pool.connect()) as PooledClient;
      } catch (error) {
        if (mustOpen) hosts.leave(url);
        if (!mustOpen || left <= 1) throw error;
      }
    }
  }
}
