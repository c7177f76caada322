import { apiVersion, definePlugin, type Plugin, type WorkOptions } from '../../../../kernel/index.ts';

export interface WorkerOptions {
  readonly work: WorkOptions;
  /** How long running calls may take to end when the process stops, in milliseconds. */
  readonly drainMs: number;
}

const longestMs = 2 ** 31 - 1;

/** In place of a server: makes calls from when the kernel serves until it closes. */
export function workerPlugin({ work, drainMs }: WorkerOptions): Plugin {
  return definePlugin({
    name: 'worker',
    apiVersion,
    apply(api) {
      const { hooks, logger } = api;
      let open: NodeJS.Timeout | undefined;
      hooks.serve.tapPromise('worker', async (sink) => {
        const { calls, closing } = api.kernel;
        await api.kernel.resolveSecrets();
        await calls.work(work);
        // What waits for calls does not keep a process alive.
        open = setInterval(() => {}, longestMs);
        sink.started({ name: 'worker', drainMs });
        logger.info(`takes durable calls ${whichText(work)}, ${work.concurrency} at the same time`);
        closing.addEventListener('abort', () => logger.info(`takes no more durable calls; those that run have ${drainMs} ms to end`), {
          once: true,
        });
      });
      hooks.dispose.tap('worker', () => clearInterval(open));
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
