import sinon from 'sinon';
import { createKernel, type Kernel, type Plugin, type PluginEntry } from '../../../kernel/index.ts';
import { console as consolePlugin } from '../../../plugins/console/index.ts';
import type { ConsoleOptions } from '../../../plugins/console/options.ts';
import { type McpOptions, mcp } from '../../../plugins/mcp/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { type Answer, ask as askPort, type Sent } from './request.ts';

export type { Answer, Sent } from './request.ts';

/** A running server with a console. */
export interface ConsoleSite {
  readonly kernel: Kernel;
  readonly port: number;
  /** Port of the MCP server, the same unless the console has a listener of its own. */
  readonly mcpPort: number;
  readonly origin: string;
  /** All that it printed past its log. */
  readonly printed: string;
  /** The code that it printed at start. */
  readonly code: string;
}

export interface SiteOptions {
  readonly console?: ConsoleOptions;
  readonly mcp?: McpOptions;
  readonly plugins?: readonly PluginEntry[];
  /** True when the console has a listener of its own. @default false */
  readonly listens?: boolean;
  readonly logger?: ReturnType<typeof memoryLogger>;
}

const opened: Kernel[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kernel) => kernel.close().catch(() => {})));
});

/** Serves a console on an MCP server over HTTP, on a free port. Closed after the test. */
export async function consoleSite(options: SiteOptions = {}): Promise<ConsoleSite> {
  const { plugins = [], logger = memoryLogger() } = options;
  const server: Plugin = mcp({ transport: 'http', port: 0, mcpToken: 'token-of-the-tests', ...options.mcp });
  const kernel = await createKernel({ logger, plugins: [...plugins, server, consolePlugin(options.console ?? {})] });
  opened.push(kernel);
  let printed = '';
  const stderr = sinon.stub(process.stderr, 'write').callsFake((chunk) => {
    printed += String(chunk);
    return true;
  });
  const running = await kernel.serve().finally(() => stderr.restore());
  const [mcpPort = 0, ownPort = 0] = running.map(({ url = '' }) => Number(new URL(url).port));
  const port = options.listens === true ? ownPort : mcpPort;
  const [, code = ''] = /Code: (\S+)/.exec(printed) ?? [];
  return { kernel, port, mcpPort, origin: `http://127.0.0.1:${port}`, printed, code };
}

/** Sends a request as it is: the path is not normalized. Reads the whole answer. */
export function ask({ port }: Pick<ConsoleSite, 'port'>, path: string, sent: Sent = {}): Promise<Answer> {
  return askPort(port, path, sent);
}

/** Sends the form of the login, as its page does. */
export function sendCode(
  site: Pick<ConsoleSite, 'port' | 'origin'>,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return ask(site, '/console/login', {
    method: 'POST',
    headers: { origin: site.origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ code }).toString(),
  });
}

/** Returns the first cookie that an answer sets, such as `toolkit-console=…`; empty without one. */
export function cookieOf({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** Logs in with the code that was printed. Returns the cookie. */
export async function logIn(site: ConsoleSite): Promise<string> {
  return cookieOf(await sendCode(site, site.code));
}

/** Reads the token for POSTs of a session. */
export async function csrfOf(site: ConsoleSite, cookie: string): Promise<string> {
  const { body } = await ask(site, '/console/api/overview', { headers: { cookie } });
  // No number: an answer of the console.
  return (JSON.parse(body) as { readonly csrf: string }).csrf;
}

/** Sends a POST to the API, as the page does. */
export function post(site: ConsoleSite, path: string, headers: Readonly<Record<string, string>>, body = '{}'): Promise<Answer> {
  return ask(site, `/console/api/${path}`, {
    method: 'POST',
    headers: { origin: site.origin, 'content-type': 'application/json', ...headers },
    body,
  });
}
