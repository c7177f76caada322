import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

/** Calls a tool, and gives what its client gets, failures included. */
export type CallBy = (client: Client, name: string, parameters: object) => ReturnType<Client['callTool']>;

/** How a client comes to a tool: by its name, or through the tool that calls the others. */
export const ways: Readonly<Record<string, CallBy>> = {
  directly: (client, name, parameters) => client.callTool({ name, arguments: { ...parameters } }),
  'through toolkit_call_tool': (client, name, parameters) =>
    client.callTool({ name: 'toolkit_call_tool', arguments: { name, arguments: { ...parameters } } }),
};

/** Few tools are listed, and the others are called through one of them. */
export const searching: readonly string[] = ['--expose', 'search'];
