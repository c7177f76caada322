// The official SDK over Streamable HTTP with the tool of bare-stdio.mjs and nothing else. Prints its port.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const tool = {
  name: 'crypto_hash',
  description: 'Computes the SHA-256 digest of a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  outputSchema: { type: 'object', properties: { digest: { type: 'string' } }, required: ['digest'] },
};
const sessions = new Map();

async function open() {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const output = { digest: createHash('sha256').update(params.arguments.text).digest('hex') };
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

const listening = createServer(async (request, response) => {
  const transport = sessions.get(request.headers['mcp-session-id']) ?? (await open());
  await transport.handleRequest(request, response);
}).listen(0, '127.0.0.1', () => process.stdout.write(`${listening.address().port}\n`));
