/**
 * A server with one tool that waits, as a child of `sessions.suite.ts`, which starts it with `--expose-gc`. Says its address once it listens;
 * lets as many milliseconds pass as it is told, and measures itself. No other time passes for the limits of sessions and calls, which are of
 * seconds; what is put off for less comes by itself. From source, because the class that is counted has to be the one that is used.
 */
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import sinon from 'sinon';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { SessionClient } from '../../plugins/mcp/protocol/clients/session-client.ts';
import { createMCPServer } from '../../plugins/toolkit/index.ts';

const { setTimeout: soon, clearTimeout: cancelSoon } = globalThis;
const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const { setTimeout: later, clearTimeout: cancelLater } = globalThis;
const late = new WeakSet<NodeJS.Timeout>();
globalThis.setTimeout = ((run: () => void, ms = 0, ...given: []) => {
  if (ms < 1000) return soon(run, ms, ...given);
  const timer = later(run, ms, ...given);
  late.add(timer);
  return timer;
}) as typeof setTimeout;
globalThis.clearTimeout = ((timer?: NodeJS.Timeout) =>
  timer !== undefined && late.has(timer) ? cancelLater(timer) : cancelSoon(timer)) as typeof clearTimeout;

const wait = {
  name: 'wait',
  description: 'Waits until it is cancelled.',
  execution: {
    type: 'function',
    handler: (_parameters: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_, reject) => {
        signal.onabort = () => reject(signal.reason);
      }),
  },
  risk: 'low',
};

const tools = definePlugin({
  name: 'tools',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('tools', (sink) => sink.addTool(wait, { trust: 'operator' })),
});

const server = await createMCPServer({
  ...JSON.parse(process.env['SERVER_OPTIONS'] ?? '{}'),
  transport: 'http',
  port: 0,
  includeCore: false,
  autoDiscover: false,
  plugins: [tools()],
});

process.on('message', async (passMs: number) => {
  clock.tick(passMs);
  // What a collection sets free may hold what only the next one can.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await setImmediate();
  }
  process.send?.({
    heapBytes: process.memoryUsage().heapUsed,
    sessions: queryObjects(SessionClient, { format: 'count' }),
    timers: clock.countTimers(),
    handles: process.getActiveResourcesInfo().sort(),
    descriptors: existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0,
  });
});
process.send?.({ port: Number(new URL(server.url ?? '').port) });
