/** An MCP server over HTTP, which also runs durable calls, until it is killed or its parent ends. Arguments: tools, URL of the database, concurrency. */
import { apiVersion, definePlugin, ToolkitError } from '../../../kernel/index.ts';
import { engineBullmq } from '../../../plugins/engine-bullmq/index.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { createMCPServer } from '../../../plugins/toolkit/mcp-server.ts';
import type { Order, Report } from './messages.ts';

const [tools = '', url = '', concurrency = '4'] = process.argv.slice(2);

const report = (given: Report): void => void (process.connected && process.send?.(given, () => {}));
const log =
  (level: string) =>
  (message: string): void =>
    report({ type: 'logged', level, message });

/** Reports the calls of this process. `began`: directly before the executor, after `calls-once` has written the intent. */
const reporting = definePlugin({
  name: 'reporting',
  apiVersion,
  apply({ hooks }) {
    const nameOf = (parameters: object): string => String((parameters as { readonly name?: unknown }).name);
    const names = new Map<string, string>();
    // Before `calls-once` writes the intent.
    hooks.beforeExecute.tap({ name: 'reporting', stage: -5000 }, ({ id, parameters }) => {
      names.set(id, nameOf(parameters));
      report({ type: 'prepared', name: nameOf(parameters) });
    });
    hooks.execute.for('*').tapPromise({ name: 'reporting', stage: 2001 }, async ({ parameters }) => {
      report({ type: 'began', name: nameOf(parameters) });
      return undefined;
    });
    hooks.settled.tap({ name: 'reporting', stage: -2000 }, ({ id, outcome }) => {
      const name = names.get(id);
      names.delete(id);
      if (name !== undefined) report({ type: 'ended', name, code: outcome.type === 'completed' ? undefined : outcome.error.code });
    });
  },
});

process.on('disconnect', () => process.exit());
const server = await createMCPServer({
  transport: 'http',
  port: 0,
  toolPaths: [tools],
  includeCore: false,
  autoDiscover: false,
  allowHosts: ['127.0.0.1'],
  logger: { error: log('error'), warn: log('warn'), info: () => {}, debug: () => {} },
  plugins: [storePostgres({ url }), engineBullmq({ url, concurrency: Number(concurrency) }), reporting()],
});

process.on('message', ({ id, tool, name }: Order) => {
  server.kernel
    ?.execute(tool, { name })
    .then(() => report({ type: 'answer', id }))
    .catch((error: unknown) => report({ type: 'answer', id, code: ToolkitError.is(error) ? error.code : String(error) }));
});
report({ type: 'serving', url: server.url ?? '' });
