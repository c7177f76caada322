import path from 'node:path';
import type { PluginApi } from 'toolkit';
import { type Figure, microseconds, percentile } from './figures.ts';

// The built package, because that is what people run.
const { apiVersion, createKernel, createLogger, definePlugin, executorFunction, validateOutput }: typeof import('toolkit') = await import(
  path.resolve('dist/plugins/toolkit/index.js')
);

const calls = 50_000;
/** At the default level: a logger that takes debug lines, several of them a call, is another figure. */
const quiet = createLogger({ env: {}, write: () => {} });

function busyPlugin(name: string) {
  return definePlugin({
    name,
    apiVersion,
    apply({ hooks }: PluginApi) {
      hooks.injectAuth.tapPromise(name, async (draft) => draft);
      hooks.beforeExecute.tapPromise(name, async (draft) => draft);
      hooks.validateOutput.tapPromise(name, async (result) => result);
      hooks.settled.tapPromise(name, async () => {});
    },
  })();
}

/** What the kernel adds to a no-op function tool, bare and with twenty plugins that tap four hooks of every call. */
export async function kernelOverhead(): Promise<Figure[]> {
  return [...(await measure(0)), ...(await measure(20))];
}

async function measure(plugins: number): Promise<Figure[]> {
  const tool = definePlugin({
    name: 'tool',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tap('tool', (sink) =>
        sink.addTool({
          name: 'noop',
          description: 'Does nothing.',
          parameters: { n: { type: 'integer' } },
          execution: { type: 'function', handler: () => null },
        }),
      ),
  });
  const busy = Array.from({ length: plugins }, (_, index) => busyPlugin(`busy-${index}`));
  const kernel = await createKernel({
    plugins: [executorFunction(), validateOutput(), tool(), ...busy],
    logger: quiet,
  });
  const samples: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now();
    await kernel.call({ tool: 'noop', parameters: { n: call } });
    samples.push(performance.now() - startedAt);
  }
  await kernel.close();
  const warm = samples.slice(calls / 5);
  return [
    { what: `kernel overhead of a call, ${plugins} plugins, p50`, value: microseconds(percentile(warm, 0.5)), budget: '30 µs' },
    { what: `kernel overhead of a call, ${plugins} plugins, p99`, value: microseconds(percentile(warm, 0.99)), budget: '100 µs' },
  ];
}
