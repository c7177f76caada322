import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { ErrorCode, Logger, ToolkitError } from '../../../kernel/index.ts';
import { secretsEnv, Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import type { SqlResult } from '../../../tools/postgres/result.ts';
import { rejection } from '../../support/rejection.ts';
import { packFolder } from '../packs.ts';
import { freshDataDirectory } from './data-directory.ts';

export const password = 'not-a-real-password';

type More = Readonly<Record<string, unknown>>;

/** PostgreSQL in WebAssembly on a free loopback port, and a toolkit that calls the tool on it. It checks no password. */
export class Database {
  readonly env: Readonly<Record<string, string>>;
  readonly toolkit: Toolkit;
  readonly #pglite: PGlite;
  readonly #server: PGLiteSocketServer;

  private constructor(env: Readonly<Record<string, string>>, toolkit: Toolkit, pglite: PGlite, server: PGLiteSocketServer) {
    this.env = env;
    this.toolkit = toolkit;
    this.#pglite = pglite;
    this.#server = server;
  }

  /** With the tables and functions that this script makes. Stop it after the tests. */
  static async start(script = ''): Promise<Database> {
    const pglite = await PGlite.create({ loadDataDir: await freshDataDirectory() });
    await pglite.exec(script);
    // The connection of a call before may not be gone yet.
    const server = new PGLiteSocketServer({ db: pglite, port: 0, maxConnections: 10 });
    await server.start();
    const env = {
      POSTGRES_HOST: '127.0.0.1',
      POSTGRES_PORT: server.getServerConn().split(':').at(-1) ?? '',
      POSTGRES_USER: 'postgres',
      POSTGRES_PASSWORD: password,
      POSTGRES_DATABASE: 'postgres',
    };
    return new Database(env, await sqlToolkit(env), pglite, server);
  }

  stopServer(): Promise<void> {
    return this.#server.stop();
  }

  async stop(): Promise<void> {
    await this.toolkit.close();
    await this.stopServer();
    await this.#pglite.close();
  }

  /** Past the tool. */
  async rows(sql: string): Promise<readonly unknown[]> {
    return (await this.#pglite.query(sql)).rows;
  }

  run(sql: string, params: readonly unknown[] = [], more: More = {}): Promise<SqlResult> {
    return runSql(this.toolkit, sql, params, more);
  }

  async failure(code: ErrorCode, sql: string, params: readonly unknown[] = [], more: More = {}): Promise<ToolkitError> {
    return rejection(this.run(sql, params, more), code);
  }
}

/** Many tests of a file use one; who makes it closes it. */
export function sqlToolkit(env: Readonly<Record<string, string>>, logger: Logger = memoryLogger()): Promise<Toolkit> {
  return Toolkit.init({
    autoDiscover: false,
    includeCore: false,
    toolPaths: [packFolder('postgres')],
    plugins: [secretsEnv({ env: { ...env } })],
    logger,
  });
}

export async function runSql(toolkit: Toolkit, sql: string, params: readonly unknown[] = [], more: More = {}): Promise<SqlResult> {
  const output: unknown = await toolkit.execute('postgres_execute_sql', { sql, params, ...more });
  return output as SqlResult;
}
