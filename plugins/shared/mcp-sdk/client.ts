/** The official client, with what its transports are made of. Loaded by the self-test of a client's configuration alone. */
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
export type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
