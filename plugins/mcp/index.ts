import path from 'node:path';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { toolFilter } from '../shared/exposure/tool-filter.ts';
import { version } from '../shared/project/version.ts';
import { McpOptionsSchema } from './options.ts';
import { Catalog } from './protocol/catalog.ts';
import { defaultTransport, transports } from './transports/index.ts';

export type { McpOptions } from './options.ts';

/** The MCP server: serves the tools of the kernel over one of the transports. The protocol library is imported when it starts. */
export const mcp = definePlugin({
  name: 'mcp',
  apiVersion,
  optionsSchema: McpOptionsSchema,
  apply(api, options) {
    let stop: () => Promise<void> = async () => {};
    for (const file of [options.certPath, options.keyPath].filter((given) => given !== undefined))
      api.extend.controlFiles(path.resolve(api.cwd, file), { what: 'the certificate of the server and its key', read: false });
    api.hooks.serve.tapPromise('mcp', async (sink) => {
      const { kernel } = api;
      const { transport = defaultTransport, tools, excludeTools, pageSize = 1000, drainMs } = options;
      await kernel.resolveSecrets();
      const catalog = new Catalog(kernel, toolFilter(tools, excludeTools, kernel.registry.tools.keys()));
      const protocol = { catalog, version, pageSize };
      const { stop: end, ...server } = await transports[transport].start({ api, options, protocol, output: sink.output });
      sink.started({ ...server, name: `mcp (${transport})`, ...(drainMs === undefined ? {} : { drainMs }) });
      stop = async () => {
        catalog.close();
        await end();
      };
    });
    api.hooks.dispose.tapPromise('mcp', () => stop());
  },
});
