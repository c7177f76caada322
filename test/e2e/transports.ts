import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { httpClient, start, stdioClient } from './program.ts';

/** A client of a new server in a folder. */
export type Connect = (cwd: string, capabilities?: Parameters<typeof httpClient>[2], args?: readonly string[]) => Promise<Client>;

/** By name. */
export const transports: Readonly<Record<string, Connect>> = {
  stdio: async (cwd, capabilities = {}, args = []) => (await stdioClient(args, { cwd, capabilities })).client,
  HTTP: async (cwd, capabilities, args = []) => {
    const server = start(['mcp', '--transport', 'http', '--port', '0', '--token', 'the-token', ...args], { cwd });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    return httpClient(url, 'the-token', capabilities);
  },
};
