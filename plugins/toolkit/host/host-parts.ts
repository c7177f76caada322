import type { Writable } from 'node:stream';
import { type Kernel, ToolkitError } from '../../../kernel/index.ts';
import type { ClientParts, HostedServer, HostParts, ModelApi, ModelForm } from '../../host-stdio/host-parts.ts';
import type { McpOptions } from '../../mcp/index.ts';
import { ownsStdout } from '../../mcp/transports/index.ts';
import { MCPServer } from '../mcp-server.ts';
import { Toolkit } from '../toolkit.ts';
import { clientOptions } from './client-options.ts';

type JsonOptions = Readonly<Record<string, unknown>>;

/** The parts that `toolkit host` needs. */
export const hostParts: HostParts = {
  openToolkit: async (options, client) => Toolkit.init(await clientOptions(options, client)),
  startServer,
  modelForm,
};

async function startServer(options: JsonOptions, client: ClientParts, output: Writable | undefined): Promise<HostedServer> {
  if (output === undefined && ownsStdout(options as McpOptions))
    throw new ToolkitError(
      'CONFIG_INVALID',
      'A server over stdio needs standard input and output, on which this host speaks with its client. Say transport: "http", or start the host with --fd.',
    );
  const server = new MCPServer(await clientOptions(options, client));
  await server.start(output === undefined ? {} : { output });
  return {
    url: server.url,
    token: server.getActiveToken(),
    kernel: server.kernel,
    ended: server.ended,
    stop: (how) => server.stop(how),
  };
}

/** Returns the tools in the form of a model API. These adapters do not import the frameworks that they are for. */
async function modelForm(api: ModelApi, kernel: Kernel, options: JsonOptions): Promise<ModelForm> {
  if (api === 'anthropic') {
    const { anthropicTools } = await import('../../adapter-anthropic/index.ts');
    const tools = anthropicTools(kernel, options);
    return { tools: tools.tools, run: (calls, how) => tools.run(calls as never, how) };
  }
  const { openaiTools } = await import('../../adapter-openai/index.ts');
  const tools = api === 'chat' ? openaiTools(kernel, { ...options, api }) : openaiTools(kernel, { ...options, api });
  return { tools: tools.tools, run: (calls, how) => tools.run(calls as never, how) };
}
