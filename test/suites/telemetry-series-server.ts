/** A server with numbers and one tool, as a child of `telemetry-series.suite.ts`. Says its port once it listens. */
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { telemetry } from '../../plugins/telemetry/index.ts';
import { createMCPServer } from '../../plugins/toolkit/index.ts';

const greet = {
  name: 'greet',
  description: 'Greets somebody by name.',
  parameters: { name: { type: 'string' } },
  execution: { type: 'function', handler: ({ name }: { readonly name?: string }) => ({ greeting: `Hello ${name ?? 'you'}` }) },
  secrets: ['GREETING_TOKEN'],
  risk: 'low',
};

const tools = definePlugin({
  name: 'tools',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('tools', (sink) => sink.addTool(greet, { trust: 'operator' })),
});

const server = await createMCPServer({
  mcpToken: process.env['SERVER_TOKEN'] ?? '',
  transport: 'http',
  port: 0,
  includeCore: false,
  autoDiscover: false,
  logLevel: 'error',
  plugins: [tools(), telemetry()],
});

// Own text: the address that it listens on.
process.send?.({ port: Number(new URL(server.url ?? '').port) });
