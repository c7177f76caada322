import { apiVersion, definePlugin, type Plugin, type PluginApi, type WorkOptions } from '../../../../kernel/index.ts';
import type { ProbeAddress, ProbeServer } from '../../../shared/health/probe-server.ts';

const maxTimerMs = 2 ** 31 - 1;

export interface WorkerOptions {
  /** Time for running calls to end when it stops, in milliseconds. */
  readonly drainMs: number;
  /** Address of `/live` and `/ready`. @default none */
  readonly health?: ProbeAddress;
}

/** Creates the plugin that keeps a worker process alive, logs its state and answers probes. */
export function workerPlugin({ drainMs, health }: WorkerOptions): Plugin {
  return definePlugin({
    name: 'worker',
    apiVersion,
    apply(api) {
      const { hooks, logger } = api;
      let keepAliveTimer: NodeJS.Timeout | undefined;
      let probes: ProbeServer | undefined;
      hooks.serve.tapPromise('worker', async (sink) => {
        const { work } = sink;
        if (work === undefined) return;
        const { closing } = api.kernel;
        await api.kernel.resolveSecrets();
        if (health !== undefined) {
          probes = await openProbes(health, api);
          logger.info(`answers ${probes.url}/live and /ready`);
        }
        // Waiting for calls alone does not keep the process alive.
        keepAliveTimer = setInterval(() => {}, maxTimerMs);
        sink.started({ name: 'worker', drainMs });
        logger.info(`takes durable calls ${whichText(work)}, ${work.concurrency} at the same time`);
        closing.addEventListener('abort', () => logger.info(`takes no more durable calls; those that run have ${drainMs} ms to end`), {
          once: true,
        });
      });
      hooks.dispose.tap('worker', () => {
        clearInterval(keepAliveTimer);
        probes?.close();
      });
    },
  })();
}

async function openProbes(address: ProbeAddress, { state, logger, kernel }: PluginApi): Promise<ProbeServer> {
  const [{ serveProbes }, { Readiness }] = await Promise.all([
    import('../../../shared/health/probe-server.ts'),
    import('../../../shared/health/readiness.ts'),
  ]);
  return serveProbes(address, new Readiness(state, logger, { closing: kernel.closing }));
}

function whichText({ tools, providers }: WorkOptions): string {
  const parts = [
    ...(tools === undefined ? [] : [`of the tools ${tools.join(', ')}`]),
    ...(providers === undefined ? [] : [`of the providers ${providers.join(', ')}`]),
  ];
  return parts.length === 0 ? 'of all tools' : parts.join(' and ');
}
