import { type HttpRouteAccess, type PluginApi, ToolkitError, toUrl } from '../../kernel/index.ts';
import { approvalWays } from '../shared/approval/approval-ways.ts';
import { isSecure } from '../shared/http/loopback.ts';
import { codeName } from './access/code-login.ts';
import { OneTimeCodes } from './access/codes.ts';
import { openAccess } from './access/open-access.ts';
import { consoleAnswer } from './answer.ts';
import { consoleWay } from './answer-api.ts';
import { readAssets } from './assets.ts';
import { checkOptions } from './check-options.ts';
import { consoleLogin } from './console-fact.ts';
import { endpoints } from './endpoints/index.ts';
import { CallsLog } from './feed/calls.ts';
import { openFeed } from './feed/feed.ts';
import type { ConsoleOptions } from './options.ts';
import { consoleRoutes } from './routes.ts';
import { printStart } from './start-line.ts';

/** After the transports: the address of the MCP server is known then, and the first server of a host stays that of its clients. */
const lastStage = 1000;

/** Adds the console to the MCP server over HTTP, or opens a listener of its own. Throws CONFIG_INVALID for options that make no sense. */
export async function openConsole(api: PluginApi, options: ConsoleOptions): Promise<void> {
  checkOptions(options);
  const { extend, hooks, logger, state } = api;
  const { listen } = options;
  const usesOpenid = options.openid !== undefined;
  const assets = await readAssets();
  const codes = new OneTimeCodes(state);
  let ownUrl: string | undefined;
  let pages: Pick<HttpRouteAccess, 'baseUrl'> = { baseUrl: () => ownUrl };
  const now = (): number => Date.now();
  const { sessions, cookie, login } = openAccess(api, options, { assets, codes, baseUrl: () => pages.baseUrl(), now });
  const feed = openFeed(api);
  const calls = new CallsLog({ now, onChange: () => feed.changed('calls') });
  calls.tap(hooks);
  const services = { logger, now, calls, checks: { cwd: api.cwd, env: process.env, state } };
  const handle = consoleAnswer({
    assets,
    login,
    cookie,
    api: {
      ...{ endpoints, sessions, cookie, feed },
      services: () => ({ ...services, kernel: api.kernel }),
      pollMs: () => state.pollMs,
    },
  });
  const routes = consoleRoutes(handle, usesOpenid);
  if (listen === undefined) for (const route of routes) pages = extend.httpRoute(route);
  extend.fact(approvalWays, { way: consoleWay, names: usesOpenid ? 'many' : [codeName] });
  extend.fact(consoleLogin, { usesOpenid, isShared: () => state.isShared, createCode: () => codes.create() });
  hooks.serve.tapPromise({ name: 'console', stage: lastStage }, async ({ work }) => {
    // A worker takes no requests.
    if (work !== undefined) return;
    const baseUrl = pages.baseUrl();
    if (baseUrl === undefined) {
      logger.warn(
        'the console is not served, because no MCP server over HTTP runs here. Start it with "toolkit mcp --transport http", or give console() a listener: listen: { port: 4900 }',
      );
      return;
    }
    refuseInsecure(baseUrl);
    printStart({ baseUrl, code: usesOpenid ? undefined : await codes.create() }, logger);
  });
}

/** Refuses an address at which codes and cookies can be read on the way. */
function refuseInsecure(baseUrl: string): void {
  if (isSecure(toUrl(baseUrl))) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `The console cannot be at ${baseUrl}: codes and cookies can be read on the way. Use HTTPS (--cert and --key, or --self-signed), give "resource" as the https URL of the proxy before it, or give console() a listener of its own: listen: { port: 4900 }.`,
  );
}
