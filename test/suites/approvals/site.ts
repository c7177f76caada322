import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApprovalEvent } from '../../../kernel/index.ts';
import { type Started, start } from '../../e2e/program.ts';
import { installIn } from '../../support/installed.ts';
import { foldersForFile, temporaryFolder } from '../../support/temporary.ts';
import { Effects } from '../once/effects.ts';
import { World } from '../replicas/world.ts';
import { config } from './config.ts';
import { Server } from './server.ts';

export interface SiteOptions {
  /** URL of a PostgreSQL database. @default the store is a SQLite file */
  readonly storeUrl?: string;
  /** Callers over HTTP. Their tokens: `tokenOf`. */
  readonly callers: readonly string[];
  /** Options of `approvals()`. */
  readonly approvals?: Readonly<Record<string, unknown>>;
  /** @default true */
  readonly hasEngine?: boolean;
  /** @default false */
  readonly hasConsole?: boolean;
}

/** The processes of one configuration and one store, with the services that they use. */
export class Site {
  /** Counts the runs of `act`, by its `key`. */
  readonly effects = new Effects();
  /** Takes the messages of the webhook, and holds commands at their gate. */
  readonly world = new World();
  readonly #servers: Server[] = [];
  readonly #options: SiteOptions;
  #cwd = '';
  #effectsUrl = '';
  #gates = 0;

  private constructor(options: SiteOptions) {
    this.#options = options;
  }

  static async open(options: SiteOptions): Promise<Site> {
    const site = new Site(options);
    const files = { 'package.json': '{ "name": "approvals-suite", "type": "module" }' };
    site.#cwd = await foldersForFile(() => temporaryFolder(files));
    await installIn(site.#cwd);
    await writeFile(path.join(site.#cwd, 'toolkit.config.js'), config);
    await site.world.open();
    site.#effectsUrl = await site.effects.start();
    return site;
  }

  /** Starts a server. `approvals`: options over those of the site. */
  async start(approvals: Readonly<Record<string, unknown>> = {}): Promise<Server> {
    const server = await Server.start({ cwd: this.#cwd, env: this.#env(approvals) });
    this.#servers.push(server);
    return server;
  }

  /** Starts several at a time. */
  async startAll(count: number, approvals: Readonly<Record<string, unknown>> = {}): Promise<readonly Server[]> {
    return Promise.all(Array.from({ length: count }, () => this.start(approvals)));
  }

  /** Runs a command of the program. */
  run(args: readonly string[]): Started {
    return start([...args, '--config', 'toolkit.config.js'], { cwd: this.#cwd, env: this.#env({}) });
  }

  /** Returns a new one-time code for the console. */
  async consoleCode(): Promise<string> {
    const { exit, stdout, stderr } = this.run(['console', 'login']);
    const { code } = await exit;
    if (code !== 0) throw new Error(`"console login" ended with ${code}: ${stdout()}${stderr()}`);
    return stdout().trim();
  }

  /** Starts a command, which waits before its first decision. Resolves once it does, to the function that lets it go on. */
  async ready(args: readonly string[]): Promise<() => Promise<Started>> {
    const gate = `/gate/${this.#gates++}`;
    const env = { ...this.#env({}), GATE: `${this.world.url}${gate}` };
    const started = start([...args, '--config', 'toolkit.config.js'], { cwd: this.#cwd, env });
    await this.world.comes(gate, started.exit);
    return async () => {
      await this.world.release(gate);
      return started;
    };
  }

  /** The number of runs with this key. */
  runs(key: string): number {
    return this.effects.of('/act', key);
  }

  /** The events of all servers so far, those of killed ones included. */
  get events(): readonly ApprovalEvent[] {
    return this.#servers.flatMap(({ events }) => events);
  }

  /** Kills all servers with SIGKILL. */
  async killAll(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill()));
  }

  async close(): Promise<void> {
    await this.killAll();
    this.effects.stop();
    await this.world.close();
  }

  #env(approvals: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
    const { storeUrl, callers, hasEngine = true, hasConsole = false } = this.#options;
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      XDG_STATE_HOME: path.join(this.#cwd, 'state'),
      XDG_CACHE_HOME: path.resolve('node_modules/.cache/test-cache'),
      ...(storeUrl === undefined ? { STORE_FILE: 'state/store.db' } : { TOOLKIT_STORE_URL: storeUrl }),
      TOOLKIT_KEY: 'a key of thirty-two bytes or more, of this suite',
      TOKENS: JSON.stringify(callers.map((name) => ({ name, token: tokenOf(name) }))),
      APPROVALS: JSON.stringify({ ...this.#options.approvals, ...approvals }),
      EFFECTS: this.#effectsUrl,
      HOOK: `${this.world.url}/hook`,
      ...(hasEngine ? {} : { HAS_ENGINE: '' }),
      ...(hasConsole ? { HAS_CONSOLE: '' } : {}),
    };
  }
}

export function tokenOf(caller: string): string {
  return `token-of-${caller.replaceAll(' ', '-')}`;
}
