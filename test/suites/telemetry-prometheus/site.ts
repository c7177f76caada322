import path from 'node:path';
import { type Started, start } from '../../e2e/program.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { installIn } from '../../support/installed.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { tokenOf } from '../approvals/site.ts';
import { RealServer } from '../postgres/server.ts';
import { config, toolFiles } from './config.ts';
import { Outside } from './outside.ts';

/** A running server: its port for clients, and the address of its numbers. */
export interface MeasuredServer {
  readonly server: Started;
  readonly port: number;
  readonly metrics: URL;
}

export const caller = 'agent';
/** Has the refresh token of the environment. */
export const operator = 'default';

/** Three servers of the built program over one PostgreSQL, with the services that their tools use. */
export class Site {
  readonly servers: MeasuredServer[] = [];
  readonly #outside = new Outside();
  #database: RealServer | undefined;
  #store: FaultProxy | undefined;

  static async open(): Promise<Site> {
    const site = new Site();
    try {
      await site.#open();
      return site;
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  /** Ends the connections of the servers to the database, and refuses new ones. */
  async loseStore(): Promise<void> {
    await this.#store?.refuse();
    await this.#store?.cut();
  }

  async close(): Promise<void> {
    for (const { server } of this.servers) {
      server.child.kill('SIGKILL');
      await server.exit;
    }
    await this.#store?.close();
    await this.#outside.close();
    await this.#database?.undo();
    await this.#database?.stop();
  }

  async #open(): Promise<void> {
    await this.#outside.open();
    this.#database = await RealServer.start();
    this.#store = await FaultProxy.open(this.#database.address);
    const cwd = await temporaryFolder({
      'package.json': '{ "name": "telemetry-suite", "type": "module" }',
      'toolkit.config.js': config,
      ...toolFiles(this.#outside.url),
    });
    await installIn(cwd);
    const env = {
      TOOLKIT_STORE_URL: this.#store.urlOf(await this.#database.makeDatabase()),
      TOOLKIT_KEY: 'a key of thirty-two bytes or more, of this suite',
      TOKEN: tokenOf(operator),
      TOKENS: JSON.stringify([{ name: caller, token: tokenOf(caller) }]),
      OUTSIDE: this.#outside.url,
      UPSTREAM: path.resolve('test/plugins/upstreams/servers/plain.mjs'),
      ACME_CLIENT_SECRET: 'secret-of-the-client',
      ACME_REFRESH_TOKEN: 'refresh-token',
    };
    // The first makes the tables, and the lock of the sources.
    this.servers.push(await serverOf(cwd, env));
    this.servers.push(...(await Promise.all([serverOf(cwd, env), serverOf(cwd, env)])));
  }
}

async function serverOf(cwd: string, env: Readonly<Record<string, string>>): Promise<MeasuredServer> {
  const state = await temporaryFolder();
  const server = start(['mcp', '-t', 'http', '-p', '0', '--config', 'toolkit.config.js'], { cwd, env: { ...env, XDG_STATE_HOME: state } });
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
  const [, metrics = ''] = await server.waitFor(/metrics: (\S+)\n/);
  return { server, port: Number(new URL(url).port), metrics: new URL(metrics) };
}
