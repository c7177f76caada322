import path from 'node:path';
import type { PluginApi } from '@toolkit/core';
import { percentile, type Row } from './rows.ts';

// The built package, because that is what people run.
const { apiVersion, createKernel, createLogger, definePlugin, executorFunction, validateOutput }: typeof import('@toolkit/core') =
  await import(path.resolve('dist/plugins/toolkit/index.js'));

const calls = 50_000;
const plugins = 20;
/** At the default level: a logger that takes debug lines, several of them a call, is another figure. */
const quiet = createLogger({ env: {}, write: () => {} });

/** Taps of a plugin on four hooks of each call; they do nothing. */
const taps = {
  synchronous: ({ hooks }: PluginApi, name: string): void => {
    hooks.injectAuth.tap(name, (draft) => draft);
    hooks.beforeExecute.tap(name, (draft) => draft);
    hooks.validateOutput.tap(name, (result) => result);
    hooks.settled.tap(name, () => {});
  },
  asynchronous: ({ hooks }: PluginApi, name: string): void => {
    hooks.injectAuth.tapPromise(name, async (draft) => draft);
    hooks.beforeExecute.tapPromise(name, async (draft) => draft);
    hooks.validateOutput.tapPromise(name, async (result) => result);
    hooks.settled.tapPromise(name, async () => {});
  },
};

/** Measures what the kernel adds to a function tool that does nothing, with twenty plugins that tap four hooks of every call. */
export async function overhead(): Promise<Row[]> {
  return [...(await measure('synchronous', { p50: 6, p99: 30 })), ...(await measure('asynchronous', { p50: 20, p99: 80 }))];
}

async function measure(kind: keyof typeof taps, most: { readonly p50: number; readonly p99: number }): Promise<Row[]> {
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
  const busy = Array.from({ length: plugins }, (_, n) =>
    definePlugin({ name: `busy-${n}`, apiVersion, apply: (api) => taps[kind](api, `busy-${n}`) })(),
  );
  const kernel = await createKernel({ plugins: [executorFunction(), validateOutput(), tool(), ...busy], logger: quiet });
  const samples: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now();
    const output = kernel.start({ tool: 'noop', parameters: { n: call } });
    if (output instanceof Promise) await output;
    samples.push(performance.now() - startedAt);
  }
  await kernel.close();
  const warm = samples.slice(calls / 5);
  return (['p50', 'p99'] as const).map((name) => {
    const value = percentile(warm, name === 'p50' ? 0.5 : 0.99) * 1000;
    const what = `overhead of the kernel, ${plugins} plugins with ${kind} taps on four hooks, ${name}`;
    return { what, goal: `< ${most[name]} µs`, figure: `${value.toFixed(1)} µs`, isKept: value < most[name] };
  });
}
