// The official SDK with one tool and nothing else: what toolkit is measured against. The tool does what crypto_hash does.
import { createHash } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
const tool = {
  name: 'crypto_hash',
  description: 'Computes the SHA-256 digest of a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  outputSchema: { type: 'object', properties: { digest: { type: 'string' } }, required: ['digest'] },
};
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  const output = { digest: createHash('sha256').update(params.arguments.text).digest('hex') };
  return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
});
await server.connect(new StdioServerTransport());
process.stdin.once('end', () => process.exit(0));
