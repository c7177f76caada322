/**
 * One of several processes that share a store, as a child of `shared-limits.suite.ts`: makes the calls that it is told, and says what starts.
 * `TOOLKIT_STORE_URL` and `TOOLKIT_KEY` name the store, `SERVICE_URL` what its http tools ask.
 */
import { setTimeout } from 'node:timers/promises';
import { apiVersion, createKernel, definePlugin, ToolkitError } from '../../../kernel/index.ts';
import { cacheResults } from '../../../plugins/cache-results/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { limitCircuit } from '../../../plugins/limit-circuit/index.ts';
import { limitRate } from '../../../plugins/limit-rate/index.ts';
import { outputBudget } from '../../../plugins/output-budget/index.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { limits, type Order, type Report } from './orders.ts';

const url = process.env['SERVICE_URL'] ?? '';
const report = (given: Report): void => void process.send?.(given);
/** Functions that end the running calls, by label. */
const ends = new Map<string, () => void>();

/** Asks the service to take so long. */
const work = async ({ ms }: { ms: number }, { signal }: { signal: AbortSignal }): Promise<null> => {
  await (await fetch(`${url}/work?ms=${ms}`, { signal })).text();
  return null;
};

const tools: readonly object[] = [
  {
    name: 'counted',
    description: 'Works.',
    parameters: { ms: { type: 'integer' } },
    rate_limit: { concurrency: limits.counted },
    execution: { type: 'function', timeout_ms: 600_000, handler: work },
  },
  {
    name: 'fenced',
    description: 'Works.',
    parameters: { ms: { type: 'integer' } },
    rate_limit: { concurrency: limits.counted, fence: true },
    execution: { type: 'function', timeout_ms: limits.fencedTimeoutMs, handler: work },
  },
  {
    name: 'rated',
    description: 'Ends at once.',
    rate_limit: limits.rate,
    execution: { type: 'function', timeout_ms: 600_000, handler: () => null },
  },
  {
    name: 'placed',
    description: 'Runs until it is told to end.',
    parameters: { label: { type: 'string' } },
    rate_limit: { concurrency: limits.concurrency },
    execution: {
      type: 'function',
      timeout_ms: 600_000,
      handler: ({ label }: { label: string }): Promise<null> =>
        new Promise((resolve) => {
          ends.set(label, () => resolve(null));
          report({ started: label });
        }),
    },
  },
  { name: 'ask', description: 'Asks.', execution: { type: 'http', method: 'get', url: `${url}/failing` } },
  {
    name: 'cached',
    description: 'Asks.',
    cache: { ttl_ms: 3_600_000 },
    execution: { type: 'http', method: 'get', url: `${url}/counting` },
  },
  { name: 'long', description: 'Long.', risk: 'low', execution: { type: 'function', handler: () => `${process.pid} `.repeat(20_000) } },
];

const kernel = await createKernel({
  logger: memoryLogger(),
  plugins: [
    definePlugin({
      name: 'tools',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('tools', (sink) => {
          for (const tool of tools) sink.addTool(tool, { trust: 'operator' });
        }),
    })(),
    executorFunction(),
    executorHttp(),
    guardOutbound({ allowHosts: ['127.0.0.1'] }),
    limitRate({ maxQueued: 10_000 }),
    limitCircuit({ maxFailures: 2, resetTimeoutMs: 3_600_000 }),
    cacheResults(),
    outputBudget(),
    storePostgres(),
  ],
});

let isLoaded = false;
let succeeded = 0;

async function load(tool: string, ms: number): Promise<void> {
  while (isLoaded) {
    await kernel.call({ tool, parameters: { ms } }).then(
      () => succeeded++,
      // The store is away: its calls are refused at once.
      () => setTimeout(20),
    );
  }
}

async function answer(order: Order): Promise<unknown> {
  if ('calls' in order) return (await Promise.all(Array.from({ length: order.calls }, () => kernel.call({ tool: 'rated' })))).length;
  if ('call' in order) {
    const { output, content, meta } = await kernel.call(order.call);
    return { output, content, meta };
  }
  if ('load' in order) {
    isLoaded = true;
    succeeded = 0;
    for (let count = 0; count < order.parallel; count++) void load(order.load, order.ms);
    return undefined;
  }
  if ('stop' in order) {
    isLoaded = false;
    return succeeded;
  }
  if ('end' in order) return ends.get(order.end)?.();
  if ('page' in order) {
    const [template] = [...kernel.registry.resourceTemplates.values()];
    const [callId = '', page = ''] = order.page.replace('output://', '').split('/');
    return template?.read(
      order.page,
      { callId, page },
      { caller: order.caller, signal: new AbortController().signal, logger: kernel.logger, client: {} as never },
    );
  }
  return kernel.status();
}

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  answer(order).then(
    (value) => report({ id, value }),
    (error: unknown) =>
      report({ id, error: ToolkitError.is(error) ? { code: error.code, message: error.message } : { code: '', message: String(error) } }),
  );
});
process.on('disconnect', () => process.exit());
report({ ready: true });
