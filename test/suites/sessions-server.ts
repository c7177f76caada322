/**
 * A server with one tool that waits, as a child of `sessions.suite.ts`, which starts it with `--expose-gc`. Says its address once it listens;
 * measures itself whenever it is told anything. From source, because the class that is counted has to be the one that is used: the build
 * holds a copy of the SDK.
 */
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { createMCPServer } from '../../plugins/toolkit/index.ts';

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

process.on('message', async () => {
  // What a collection sets free may hold what only the next one can.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await setImmediate();
  }
  process.send?.({
    heapBytes: process.memoryUsage().heapUsed,
    sessions: queryObjects(Server, { format: 'count' }),
    handles: process.getActiveResourcesInfo().sort(),
    descriptors: existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0,
  });
});
process.send?.({ port: Number(new URL(server.url ?? '').port) });
