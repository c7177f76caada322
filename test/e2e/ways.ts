import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type Connect, transports } from './transports.ts';

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

/** A client over one transport, which comes to a tool in one way, of a server in one mode. */
export interface Combination {
  readonly transport: string;
  readonly connect: Connect;
  readonly way: string;
  readonly call: CallBy;
  readonly mode: string;
  /** The options of the approval gate, as a configuration says them. */
  readonly gate: string;
}

/** Every two of transport, way and mode are together in one combination: each transport with each mode, in one of the two ways. */
export function combinations(modes: Readonly<Record<string, string>>): readonly Combination[] {
  return Object.entries(transports).flatMap(([transport, connect], row) =>
    Object.entries(modes).map(([mode, gate], column) => {
      const [way, call] = Object.entries(ways)[(row + column) % 2] as [string, CallBy];
      return { transport, connect, way, call, mode, gate };
    }),
  );
}
