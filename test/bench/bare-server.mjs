// The official SDK with one tool and nothing else: what toolkit is measured against.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'crypto_hash', description: 'Gives a text back.', inputSchema }],
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }));
await server.connect(new StdioServerTransport());
process.stdin.once('end', () => process.exit(0));
