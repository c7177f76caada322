import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterFile } from '../../../support/after-each.ts';
import { legacyServer } from './legacy-server.mjs';
import { modernServer } from './modern-server.mjs';

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void>;

export interface HttpFixture {
  readonly url: string;
  readonly events: { readonly event: string }[];
  readonly requests: { readonly method: string; readonly headers: IncomingMessage['headers']; readonly body: string }[];
  /** Forgets all sessions, as a restarted server does. */
  forget(): void;
  /** Ends all connections. */
  drop(): void;
}

const opened: (() => void)[] = [];

export interface HttpOptions {
  /** Requests without it are answered by 401. */
  readonly token?: string;
  /** Answers a request before the server does. Returns true when it has. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse, body: string) => boolean | Promise<boolean>;
}

/** Starts a fixture on the loopback, closed after the file. */
export async function httpServer(kind: 'legacy' | 'modern' | 'sse', { token, answer }: HttpOptions = {}): Promise<HttpFixture> {
  const events: { event: string }[] = [];
  const requests: HttpFixture['requests'] = [];
  const note = (event: { event: string }): void => void events.push(event);
  const { handle, forget = () => {} } = { legacy: overHttp, modern: overModernHttp, sse: overSse }[kind](note) as {
    handle: Handle;
    forget?: () => void;
  };
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    requests.push({ method: request.method ?? '', headers: request.headers, body });
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if ((await answer?.(request, response, body)) === true) return;
    await handle(request, response, body).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    events,
    requests,
    forget,
    drop: () => server.closeAllConnections(),
  };
}

afterFile(() => {
  for (const close of opened.splice(0)) close();
});

function overHttp(note: (event: { event: string }) => void): { handle: Handle; forget(): void } {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const handle: Handle = async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? sessions.get(id) : undefined;
    if (transport === undefined && id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    if (transport === undefined) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, made),
      });
      transport = made;
      await legacyServer(note).connect(transport as never);
    }
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  };
  return { handle, forget: () => sessions.clear() };
}

function overModernHttp(note: (event: { event: string }) => void): { handle: Handle } {
  const handler = createMcpHandler(() => modernServer(note, () => handler.notify) as never, { legacy: 'reject' });
  const handle: Handle = async (request, response, body) => {
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const headers = new Headers(request.headers as Record<string, string>);
    const init = { method: request.method ?? 'GET', headers, signal: ended.signal, ...(body === '' ? {} : { body }) };
    const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(answer.body as never)
        .on('error', () => response.destroy())
        .pipe(response);
  };
  return { handle };
}

/** HTTP with SSE as of 2024-11-05: a stream on GET names the address for POST, and `initialize` to the first address is refused. */
function overSse(note: (event: { event: string }) => void): { handle: Handle } {
  const transports = new Map<string, SSEServerTransport>();
  const handle: Handle = async (request, response, body) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      await legacyServer(note).connect(transport);
      return;
    }
    const session = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? '';
    const transport = transports.get(session);
    if (transport === undefined) response.writeHead(405).end();
    else await transport.handlePostMessage(request, response, JSON.parse(body));
  };
  return { handle };
}
