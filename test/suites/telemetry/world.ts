import { createHash } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { program, type Started, start } from '../../e2e/program.ts';
import { installIn } from '../../support/installed.ts';
import { type OtlpCollector, openOtlpCollector } from '../../support/telemetry/otlp-collector.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Era, httpTransport, TracedClient, type TransportName } from './client.ts';
import { type ShopService, shopService } from './service.ts';
import { shopConfig, stockConfig } from './shop.ts';

/** The token of the clients over HTTP. */
export const token = 'planted-token-of-the-clients';

const port = ['-t', 'http', '-p', '0'];

type Env = Readonly<Record<string, string>>;

/** The processes of the suite, with a collector that gets their spans. */
export class World {
  readonly collector: OtlpCollector;
  readonly service: ShopService;
  readonly #cwd: string;
  readonly #env: Env;
  readonly #url: string;
  readonly #started: readonly Started[];
  readonly #clients: TracedClient[] = [];

  private constructor(given: {
    collector: OtlpCollector;
    service: ShopService;
    cwd: string;
    env: Env;
    url: string;
    started: readonly Started[];
  }) {
    this.collector = given.collector;
    this.service = given.service;
    this.#cwd = given.cwd;
    this.#env = given.env;
    this.#url = given.url;
    this.#started = given.started;
  }

  /** Starts a server over HTTP, the worker of its durable calls, and the MCP server that it asks. `more`: variables of them all. */
  static async open(more: Env = {}): Promise<World> {
    const cwd = await temporaryFolder({
      'package.json': '{ "type": "module" }',
      'shop.config.js': shopConfig,
      'stock.config.js': stockConfig,
    });
    await installIn(cwd);
    const service = await shopService();
    const collector = await openOtlpCollector();
    const env = {
      ...collector.env,
      TOOLKIT_KEY: 'a key of thirty-two bytes or more, of this suite',
      SERVICE: service.url,
      HOME: cwd,
      ...more,
    };
    const run = (name: string, args: readonly string[], own: Env = {}): Started =>
      start([...args, '--token', token], { cwd, env: { ...env, ...own, OTEL_SERVICE_NAME: name } });
    const worker = start(['worker', '--config', 'shop.config.js'], { cwd, env: { ...env, OTEL_SERVICE_NAME: 'worker' } });
    const stock = run('stock', ['mcp', ...port, '--config', 'stock.config.js']);
    const STOCK = await urlOf(stock);
    const shop = run('shop', ['mcp', ...port, '--config', 'shop.config.js'], { STOCK });
    const [url] = await Promise.all([urlOf(shop), worker.waitFor(/takes durable calls/)]);
    return new World({ collector, service, cwd, env: { ...env, STOCK }, url, started: [shop, worker, stock] });
  }

  /** Connects a client: over stdio to a server of its own, with these variables. */
  async connect(era: Era, transport: TransportName, env: Env = {}): Promise<TracedClient> {
    const client = await TracedClient.connect(era, transport === 'HTTP' ? httpTransport(this.#url, token) : this.#stdio(env));
    this.#clients.push(client);
    return client;
  }

  /** Ends all processes by a signal: what they have not sent yet, they send now. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
    for (const { child } of this.#started) child.kill('SIGTERM');
    for (const { exit, stderr } of this.#started) expect(await exit, stderr()).to.deep.equal({ code: 0, signal: null });
    await this.collector.close();
  }

  #stdio(env: Env): Transport {
    return new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--config', 'shop.config.js'],
      cwd: this.#cwd,
      env: { PATH: process.env['PATH'] ?? '', ...this.#env, OTEL_SERVICE_NAME: 'shop', ...env },
      stderr: 'ignore',
    });
  }
}

async function urlOf(server: Started): Promise<string> {
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
  return url;
}

/** Span of the client of the suite in every trace. */
export const clientSpanId = '00f067aa0ba902b7';

/** Returns the id of the trace of a scenario. */
export function traceIdOf(...names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32);
}
