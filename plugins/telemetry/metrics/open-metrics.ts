import type { PluginApi } from '../../../kernel/index.ts';
import { type MetricsServer, metricsPath, serveMetrics } from './metrics-server.ts';
import { Numbers } from './numbers.ts';

export interface MetricsOptions {
  readonly port?: number;
  readonly host?: string;
}

/** After the transports: the first server of a host is that of its clients. */
const lastStage = 1000;

/**
 * Counts calls, and offers the numbers at `/metrics`: on a server of its own where a port is given, else on the MCP server over HTTP. Without either
 * nothing but the calls is counted.
 */
export function openMetrics(api: PluginApi, { port, host = '127.0.0.1' }: MetricsOptions): void {
  const { extend, hooks, logger } = api;
  const numbers = new Numbers({ kernel: () => api.kernel, logger });
  hooks.settled.tap('metrics', (end) => numbers.calls.record(end));
  if (port !== undefined) {
    let server: MetricsServer | undefined;
    hooks.serve.tapPromise({ name: 'metrics', stage: lastStage }, async (sink) => {
      await numbers.start();
      server = await serveMetrics({ port, host, read: () => numbers.read(), logger });
      logger.info(`metrics: ${server.url}`);
      sink.started({ name: 'metrics', url: server.url, drainMs: 0 });
    });
    hooks.dispose.tap('metrics', () => server?.close());
    return;
  }
  const pages = extend.httpRoute({
    path: metricsPath,
    access: 'operator',
    async handle() {
      const { contentType, text } = await numbers.read();
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    },
  });
  hooks.serve.tapPromise({ name: 'metrics', stage: lastStage }, async () => {
    if (pages.baseUrl() !== undefined) await numbers.start();
  });
}
