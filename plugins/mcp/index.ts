import { apiVersion, definePlugin, type ServeSink } from '../../kernel/index.ts';
import { toolFilter } from '../shared/tool-filter.ts';
import { version } from '../shared/version.ts';
import { mcpCommand } from './command.ts';
import { type McpOptions, McpOptionsSchema } from './options.ts';
import { Catalog } from './protocol/catalog.ts';
import type { ProtocolOptions } from './protocol/connection.ts';

export type { McpOptions } from './options.ts';

/** The MCP server: offers the tools of the kernel over stdio or HTTP. The protocol library is imported when it starts. */
export const mcp = definePlugin({
  name: 'mcp',
  apiVersion,
  optionsSchema: McpOptionsSchema,
  commands: [mcpCommand],
  apply(api, options) {
    let stop: () => Promise<void> = async () => {};
    api.hooks.serve.tapPromise('mcp', async (sink) => {
      const { kernel } = api;
      await kernel.resolveSecrets();
      const catalog = new Catalog(kernel, toolFilter(options.tools, options.excludeTools, kernel.registry.tools.keys()));
      const protocol = { catalog, version, pageSize: options.pageSize ?? 1000 };
      const end = await (options.transport === 'http' ? startHttp : startStdio)(api, options, protocol, sink);
      stop = async () => {
        catalog.close();
        await end();
      };
    });
    api.hooks.dispose.tapPromise('mcp', () => stop());
  },
});

type Api = Parameters<ReturnType<typeof mcp>['apply']>[0];

async function startStdio(_api: Api, { drainMs }: McpOptions, protocol: ProtocolOptions, sink: ServeSink): Promise<() => Promise<void>> {
  const { serveStdio } = await import('./transports/stdio/serve-stdio.ts');
  const { ended, stop } = await serveStdio(protocol, sink.output);
  sink.started({ name: 'mcp (stdio)', ended, ...(drainMs === undefined ? {} : { drainMs }) });
  return stop;
}

async function startHttp(api: Api, options: McpOptions, protocol: ProtocolOptions, sink: ServeSink): Promise<() => Promise<void>> {
  const { httpSettings } = await import('./transports/http/http-settings.ts');
  const { serveHttp } = await import('./transports/http/serve-http.ts');
  const { kernel, logger, cwd } = api;
  const { settings, ownToken, generatedToken, certificateFile, warnings } = await httpSettings(options, protocol, cwd, process.env);
  for (const { token } of settings.edge.tokens) api.maskAlso('MCP_TOKEN', token);
  if (settings.tls !== undefined) api.maskAlso('MCP_TLS_KEY', settings.tls.key);
  for (const warning of warnings) logger.warn(warning);
  const { url, stop } = await serveHttp({ ...settings, logger, closing: kernel.closing });
  // Written past the logger, which would mask the token.
  process.stderr.write(
    [
      `MCP server: ${url}`,
      ...(generatedToken === undefined ? [] : [`Token:      ${generatedToken}`]),
      ...(certificateFile === undefined ? [] : [`Certificate: ${certificateFile} (clients must be told to trust it)`]),
      '',
    ].join('\n'),
  );
  sink.started({ name: 'mcp (http)', url, drainMs: options.drainMs ?? 10_000, ...(ownToken === undefined ? {} : { token: ownToken }) });
  return stop;
}
