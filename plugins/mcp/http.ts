import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { ToolkitError } from '../../kernel/index.ts';
import { checkBearer, checkOrigin, type EdgeOptions, type Refusal, readMessage } from './edge.ts';
import { createProtocolServer, type ProtocolOptions } from './protocol.ts';

export interface HttpOptions extends ProtocolOptions {
  readonly port: number;
  readonly host: string;
  readonly edge: EdgeOptions;
  readonly maxSessions: number;
}

/** Serves many clients over Streamable HTTP on `/mcp` and `/`, and `/health` without a token. */
export async function serveHttp(options: HttpOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    handle(request, response, options, sessions).catch((error: unknown) => {
      options.kernel.logger.error('an HTTP request failed', { error });
      if (!response.headersSent) refuse(response, { status: 500, message: 'The server failed.', code: -32603 });
      else response.destroy();
    });
  });
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}/mcp`,
    async stop() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const wrongOrigin = checkOrigin(request, options.edge);
  if (wrongOrigin !== undefined) return refuse(response, wrongOrigin);
  if (request.method === 'OPTIONS') return preflight(request, response);
  if (pathname === '/health' && request.method === 'GET') return health(response, options);
  if (pathname !== '/mcp' && pathname !== '/')
    return refuse(response, { status: 404, message: `There is nothing at ${pathname.slice(0, 100)}. The endpoint is /mcp.` });
  const wrongToken = checkBearer(request, options.edge);
  if (wrongToken !== undefined) return refuse(response, wrongToken);
  if (request.headers.origin !== undefined) response.setHeader('access-control-allow-origin', request.headers.origin);
  if (request.method === 'POST') return post(request, response, options, sessions);
  if (request.method === 'GET' || request.method === 'DELETE') return inSession(request, response, sessions, undefined);
  return refuse(response, {
    status: 405,
    message: `Method ${request.method} is not supported.`,
    headers: { allow: 'GET, POST, DELETE, OPTIONS' },
  });
}

async function post(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<void> {
  const read = await readMessage(request, options.edge);
  if ('status' in read) return refuse(response, read);
  if (request.headers['mcp-session-id'] !== undefined || !isInitializeRequest(read.message))
    return inSession(request, response, sessions, read.message);
  if (sessions.size >= options.maxSessions)
    return refuse(response, { status: 503, message: 'Too many sessions are open.', code: -32000, headers: { 'retry-after': '30' } });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = createProtocolServer(options);
  // Asserted: the SDK's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const { onclose } = transport;
  transport.onclose = () => {
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    onclose?.();
  };
  await transport.handleRequest(request, response, read.message);
}

async function inSession(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, StreamableHTTPServerTransport>,
  message: unknown,
): Promise<void> {
  const id = request.headers['mcp-session-id'];
  if (typeof id !== 'string')
    return refuse(response, {
      status: 400,
      message: 'The header Mcp-Session-Id is required. Open a session with "initialize" first.',
      code: -32000,
    });
  const transport = sessions.get(id);
  if (transport === undefined)
    return refuse(response, {
      status: 404,
      message: 'The session does not exist or has ended. Open a new one with "initialize".',
      code: -32001,
    });
  await transport.handleRequest(request, response, message);
}

function health(response: ServerResponse, { kernel, isVisible }: HttpOptions): void {
  const tools = [...kernel.registry.tools.values()].filter(isVisible).length;
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify({ status: 'ok', tools }));
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(204, {
      ...(request.headers.origin === undefined ? {} : { 'access-control-allow-origin': request.headers.origin }),
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID',
      'access-control-expose-headers': 'Mcp-Session-Id',
      vary: 'Origin',
    })
    .end();
}

function refuse(response: ServerResponse, { status, message, headers = {}, code }: Refusal): void {
  const body = code === undefined ? { error: message } : { jsonrpc: '2.0', id: null, error: { code, message } };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function listen(server: HttpServer, { port, host }: HttpOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): ToolkitError {
  const advice: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use. Stop the other program, or choose another with --port`,
    EACCES: `port ${port} may not be used by this account. Choose one above 1023 with --port`,
    EADDRNOTAVAIL: `this machine has no address "${host}". Correct --host`,
  };
  return new ToolkitError(
    'CONFIG_INVALID',
    `The MCP server cannot listen on ${host}:${port}: ${advice[error.code ?? ''] ?? error.message}.`,
    { port, host },
    { cause: error },
  );
}
