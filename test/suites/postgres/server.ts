import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { until } from '../../e2e/program.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';

export interface Address {
  readonly host?: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** Beside these, such as sslmode. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A PostgreSQL server for tests, and a superuser on it. */
export class RealServer {
  readonly #url: URL;
  readonly #own: OwnServer | undefined;
  readonly #admin: pg.Pool;
  /** SQL that takes back what tests have made, the last first. */
  readonly #undo: string[] = [];

  private constructor(url: URL, own?: OwnServer) {
    this.#url = url;
    this.#own = own;
    this.#admin = new pg.Pool({ connectionString: url.href, max: 2, application_name: 'admin' });
    this.#admin.on('error', () => {});
  }

  /** The one that TOOLKIT_TEST_POSTGRES_URL names, else a new one. Throws when there is neither. */
  static async start(): Promise<RealServer> {
    const given = process.env['TOOLKIT_TEST_POSTGRES_URL'];
    if (given !== undefined && given !== '') return new RealServer(new URL(given));
    const own = await startOwnServer();
    return new RealServer(own.url, own);
  }

  /** Folder of the server that was started for the tests, with its certificates and its socket. Undefined for a server that was given. */
  get folder(): string | undefined {
    return this.#own?.folder;
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: this.#url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(this.#url.port || '5432') };
  }

  /** For the superuser, unless the address says otherwise. */
  url({ host, user, password, database, parameters = {} }: Address = {}): string {
    const url = new URL(this.#url);
    if (host !== undefined) url.hostname = host;
    if (user !== undefined) url.username = user;
    if (password !== undefined) url.password = encodeURIComponent(password);
    if (database !== undefined) url.pathname = `/${database}`;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Runs SQL as the superuser, past the tool. */
  async rows(sql: string, values: readonly unknown[] = []): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.#admin.query(sql, [...values])).rows as Record<string, unknown>[];
  }

  /** The same in the database of a URL. */
  async rowsIn(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  /** Makes something for one test, which `undo` takes back. */
  async make(sql: string, undo: string): Promise<void> {
    await this.rows(sql);
    this.#undo.unshift(undo);
  }

  /** Gives the work an expression for FROM that waits until `release` is called, or the work is done. */
  async holding<T>(work: (wait: string, release: () => Promise<unknown>) => Promise<T>): Promise<T> {
    const key = randomBytes(4).readInt32BE();
    const client = await this.#admin.connect();
    const release = (): Promise<unknown> => client.query('SELECT pg_advisory_unlock_all()');
    try {
      await client.query(`SELECT pg_advisory_lock(${key})`);
      return await work(`pg_advisory_lock_shared(${key})`, release);
    } finally {
      await release();
      client.release();
    }
  }

  /** A role that may log in. Gives its name. */
  async makeRole(password: string): Promise<string> {
    const role = uniqueName('role');
    await this.make(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`, `DROP ROLE ${role}`);
    return role;
  }

  /** A database, empty or like another one, which nobody may use meanwhile. Gives its URL, for the superuser. */
  async makeDatabase(like = ''): Promise<string> {
    const database = uniqueName('database');
    const template = like === '' ? '' : ` TEMPLATE ${new URL(like).pathname.slice(1)}`;
    await this.make(`CREATE DATABASE ${database}${template}`, `DROP DATABASE ${database} WITH (FORCE)`);
    return this.url({ database });
  }

  /** A table with one integer, id. Gives its name. */
  async makeTable(): Promise<string> {
    const table = uniqueName('table');
    await this.make(`CREATE TABLE ${table} (id integer)`, `DROP TABLE ${table}`);
    return table;
  }

  async undo(): Promise<void> {
    for (const sql of this.#undo.splice(0)) await this.rows(sql);
  }

  /** Returns the connections of an application, with their state and query. */
  async backends(application: string): Promise<readonly { pid: number; state: string; query: string }[]> {
    const rows = await this.rows('SELECT pid, state, query FROM pg_stat_activity WHERE application_name = $1', [application]);
    return rows as unknown as { pid: number; state: string; query: string }[];
  }

  /** Waits until the application has as many connections in this state. */
  async untilBackends(application: string, state: 'active' | 'idle' | 'any', count: number): Promise<void> {
    await until(async () => {
      const found = (await this.backends(application)).filter((backend) => state === 'any' || backend.state === state);
      return found.length === count ? true : undefined;
    });
  }

  /** Waits until as many of its connections run this statement itself, and not what comes before it. */
  async untilRunning(application: string, sql: string, count = 1): Promise<void> {
    await until(async () => {
      const found = (await this.backends(application)).filter(({ state, query }) => state === 'active' && query === sql);
      return found.length === count ? true : undefined;
    });
  }

  async stop(): Promise<void> {
    await this.#admin.end();
    await this.#own?.stop();
  }
}

export function uniqueName(what: string): string {
  return `${what}_${randomBytes(4).toString('hex')}`;
}
