import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { textOf } from '../../e2e/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { closeAfterTest, installed, type OpenForeign, token } from './foreign.ts';

/** mcp-remote, which gives a client of stdio a server of HTTP. */
export const mcpRemote: OpenForeign<'http'> = async ({ url }) => {
  const bridge = path.join(installed, 'mcp-remote/dist/proxy.js');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bridge, url, '--allow-http', '--header', `Authorization: Bearer ${token}`],
    env: { PATH: process.env['PATH'] ?? '', MCP_REMOTE_CONFIG_DIR: await temporaryFolder() },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'suite', version: '1.0.0' });
  closeAfterTest(() => client.close());
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    names: tools.map(({ name }) => name),
    call: async (name, parameters) => textOf(await client.callTool({ name, arguments: parameters })),
  };
};
