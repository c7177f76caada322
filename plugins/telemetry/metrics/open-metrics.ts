import type { HttpRouteResponse, PluginApi } from '../../../kernel/index.ts';
import { type MetricsServer, metricsPath, serveMetrics } from './metrics-server.ts';
import { Numbers } from './numbers.ts';

export interface MetricsOptions {
  readonly port?: number;
  readonly host?: string;
}

/** Before everything else: a port that is in use ends the start before a worker takes calls. On `dispose`, whose order is reversed, after it. */
const firstStage = -1000;

/** After the transports: the first server of a host is that of its clients. */
const lastStage = 1000;

/**
 * Counts calls, and offers the numbers at `/metrics`: on a server of its own where a port is given, else on the MCP server over HTTP. Without either
 * nothing but the calls is counted.
 */
export function openMetrics(api: PluginApi, { port, host = '127.0.0.1' }: MetricsOptions): void {
  const numbers = new Numbers({ kernel: () => api.kernel, logger: api.logger });
  api.hooks.settled.tap('metrics', (end) => numbers.calls.record(end));
  if (port === undefined) showOnMcpServer(api, numbers);
  else showOnOwnServer(api, numbers, { port, host });
}

function showOnMcpServer({ extend, hooks, logger }: PluginApi, numbers: Numbers): void {
  const pages = extend.httpRoute({
    path: metricsPath,
    access: 'operator',
    async handle() {
      const { contentType, text } = await numbers.read();
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    },
  });
  hooks.serve.tapPromise({ name: 'metrics', stage: lastStage }, async () => {
    const baseUrl = pages.baseUrl();
    if (baseUrl === undefined) return;
    await numbers.start();
    logger.info(`metrics: ${baseUrl}${metricsPath}, with the token of an operator`);
  });
}

function showOnOwnServer(
  { extend, hooks, logger }: PluginApi,
  numbers: Numbers,
  { port, host }: { readonly port: number; readonly host: string },
): void {
  let server: MetricsServer | undefined;
  extend.httpRoute({ path: metricsPath, access: 'operator', handle: () => elsewhere(server) });
  hooks.serve.tapPromise({ name: 'metrics port', stage: firstStage }, async () => {
    await numbers.start();
    server = await serveMetrics({ port, host, read: () => numbers.read(), logger });
  });
  hooks.serve.tap({ name: 'metrics', stage: lastStage }, (sink) => {
    if (server === undefined) return;
    const { url, isOnLoopback } = server;
    logger.info(`metrics: ${url}`);
    if (!isOnLoopback)
      logger.warn(`metrics: "metrics.host" of telemetry is ${host}: whoever reaches ${url} reads the numbers. No token is asked for`);
    sink.started({ name: 'metrics', url, drainMs: 0 });
  });
  hooks.dispose.tap({ name: 'metrics', stage: firstStage }, () => server?.close());
}

/** Returns the answer of the MCP server to an operator: where the numbers are. */
function elsewhere(server: MetricsServer | undefined): HttpRouteResponse {
  return { status: 404, body: server === undefined ? 'There is nothing here.\n' : `The numbers are at ${server.url}.\n` };
}
