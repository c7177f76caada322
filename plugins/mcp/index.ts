import { randomUUID } from 'node:crypto';
import { apiVersion, definePlugin, type Kernel, type ServeSink } from '../../kernel/index.ts';
import { version } from '../shared/version.ts';
import { mcpCommand } from './command.ts';
import { type McpOptions, McpOptionsSchema } from './options.ts';
import { toolFilter } from './tool-filter.ts';

export type { McpOptions } from './options.ts';

const maxBodyBytes = 4 * 1024 * 1024;
const maxSessions = 1000;

/** The MCP server: offers the tools of the kernel over stdio or HTTP. The protocol library is imported when it starts. */
export const mcp = definePlugin({
  name: 'mcp',
  apiVersion,
  optionsSchema: McpOptionsSchema,
  commands: [mcpCommand],
  apply(api, options) {
    let stop: () => Promise<void> = async () => {};
    api.hooks.serve.tapPromise('mcp', async (sink) => {
      await api.kernel.resolveSecrets();
      stop = await start(api.kernel, options, sink, (token) => api.protect('MCP_TOKEN', token));
    });
    api.hooks.dispose.tapPromise('mcp', () => stop());
  },
});

async function start(kernel: Kernel, options: McpOptions, sink: ServeSink, protect: (token: string) => void): Promise<() => Promise<void>> {
  const isVisible = toolFilter(options.tools, options.excludeTools, kernel.registry.tools.keys());
  const protocol = { kernel, version, isVisible, caller: 'default' };
  if (options.transport !== 'http') {
    const { serveStdio } = await import('./stdio.ts');
    const { ended, stop } = await serveStdio(protocol);
    sink.started({ name: 'mcp (stdio)', ended });
    return stop;
  }
  const { serveHttp } = await import('./http.ts');
  const given = options.mcpToken ?? (process.env['TOOLKIT_MCP_TOKEN'] || undefined);
  const token = given ?? randomUUID();
  protect(token);
  const { allowedHosts = [], allowedOrigins = [], port = 3000, host = '127.0.0.1' } = options;
  const { url, stop } = await serveHttp({
    ...protocol,
    port,
    host,
    maxSessions,
    edge: { token, allowedHosts, allowedOrigins, maxBodyBytes },
  });
  // Written past the logger, which would mask the token.
  process.stderr.write(`MCP server: ${url}\n${given === undefined ? `Token:      ${token}\n` : ''}`);
  sink.started({ name: 'mcp (http)', url, token });
  return stop;
}
