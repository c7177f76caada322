import { apiVersion, definePlugin, type Plugin, type WorkOptions } from '../../../../kernel/index.ts';

const maxTimerMs = 2 ** 31 - 1;

/** Creates the plugin that keeps a worker process alive and logs its state. `drainMs`: time for running calls to end when it stops. */
export function workerPlugin(drainMs: number): Plugin {
  return definePlugin({
    name: 'worker',
    apiVersion,
    apply(api) {
      const { hooks, logger } = api;
      let keepAliveTimer: NodeJS.Timeout | undefined;
      hooks.serve.tapPromise('worker', async (sink) => {
        const { work } = sink;
        if (work === undefined) return;
        const { closing } = api.kernel;
        await api.kernel.resolveSecrets();
        // Waiting for calls alone does not keep the process alive.
        keepAliveTimer = setInterval(() => {}, maxTimerMs);
        sink.started({ name: 'worker', drainMs });
        logger.info(`takes durable calls ${whichText(work)}, ${work.concurrency} at the same time`);
        closing.addEventListener('abort', () => logger.info(`takes no more durable calls; those that run have ${drainMs} ms to end`), {
          once: true,
        });
      });
      hooks.dispose.tap('worker', () => clearInterval(keepAliveTimer));
    },
  })();
}

function whichText({ tools, providers }: WorkOptions): string {
  const parts = [
    ...(tools === undefined ? [] : [`of the tools ${tools.join(', ')}`]),
    ...(providers === undefined ? [] : [`of the providers ${providers.join(', ')}`]),
  ];
  return parts.length === 0 ? 'of all tools' : parts.join(' and ');
}
