import { type HttpRouteAccess, type Logger, type PluginApi, ToolkitError } from '../../kernel/index.ts';
import { approvalWays } from '../shared/approval/approval-ways.ts';
import { codeName } from './access/code-login.ts';
import { OneTimeCodes } from './access/codes.ts';
import { openAccess } from './access/open-access.ts';
import { consoleAnswer } from './answer.ts';
import { consoleWay } from './answer-api.ts';
import { readAssets } from './assets.ts';
import { checkAddress, checkOptions } from './check-options.ts';
import { consoleLogin } from './console-fact.ts';
import { endpoints } from './endpoints/index.ts';
import { CallsLog } from './feed/calls.ts';
import { openFeed } from './feed/feed.ts';
import type { ConsoleOptions } from './options.ts';
import { addListener } from './own-listener.ts';
import { consoleRoutes } from './routes.ts';
import { printStart } from './start-line.ts';

/** After the transports: the address of the MCP server is known then, and the first server of a host stays that of its clients. */
const lastStage = 1000;

/** Adds the console to the MCP server over HTTP, or opens a listener of its own. Throws CONFIG_INVALID for options that make no sense. */
export async function openConsole(api: PluginApi, options: ConsoleOptions): Promise<void> {
  checkOptions(options);
  const { extend, hooks, logger, state, cwd } = api;
  const { listen } = options;
  const usesOpenid = options.openid !== undefined;
  const assets = await readAssets();
  const codes = new OneTimeCodes(state);
  const now = (): number => Date.now();
  const own = listen === undefined ? undefined : addListener(api, listen);
  let pages: Pick<HttpRouteAccess, 'baseUrl'> = { baseUrl: () => own?.url() };
  const { sessions, cookie, login } = openAccess(api, options, { assets, codes, baseUrl: () => pages.baseUrl(), now });
  const feed = openFeed(api);
  const calls = new CallsLog({ now, onChange: () => feed.changed('calls') });
  calls.tap(hooks);
  const checks = { cwd, env: process.env, state };
  const services = () => ({ kernel: api.kernel, logger, now, calls, checks });
  const handle = consoleAnswer({
    ...{ assets, login, cookie },
    api: { endpoints, services, sessions, cookie, feed, pollMs: () => state.pollMs },
  });
  const routes = consoleRoutes(handle, usesOpenid);
  if (own === undefined) for (const route of routes) pages = extend.httpRoute(route);
  extend.fact(approvalWays, { way: consoleWay, names: usesOpenid ? 'many' : [codeName] });
  extend.fact(consoleLogin, { usesOpenid, isShared: () => state.isShared, createCode: () => codes.create() });
  hooks.serve.tapPromise({ name: 'console', stage: lastStage }, async (sink) => {
    // A worker takes no requests.
    if (sink.work !== undefined) return;
    const certificateFile = await own?.open(routes, sink);
    const baseUrl = pages.baseUrl();
    if (baseUrl === undefined) {
      logger.warn(
        'the console is not served, because no MCP server over HTTP runs here. Start it with "toolkit mcp --transport http", or give console() a listener: listen: { port: 4900 }',
      );
      return;
    }
    checkAddress(baseUrl);
    const code = usesOpenid ? undefined : await startCode(codes, logger);
    printStart({ baseUrl, code, certificateFile }, logger);
  });
}

/** Returns a code for the start; undefined while the store is away, which must not keep a server from starting. */
async function startCode(codes: OneTimeCodes, logger: Pick<Logger, 'warn'>): Promise<string | undefined> {
  try {
    return await codes.create();
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'STATE_UNAVAILABLE') throw error;
    logger.warn('the console has no code, because the store cannot be reached. Type "toolkit console login" once it can');
    return undefined;
  }
}
