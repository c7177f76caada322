import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../../../kernel/index.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import { listen } from './listen.ts';
import { absolute, Edge, type EdgeOptions, type Refusal } from './request-checks.ts';
import { Session } from './sessions/session.ts';
import { Sessions, type SessionsOptions } from './sessions/sessions.ts';

export interface HttpOptions {
  readonly port: number;
  readonly host: string;
  readonly edge: EdgeOptions;
  readonly sessions: SessionsOptions;
  /** Request headers that pages may send, beside those of the protocol. */
  readonly allowedHeaders: readonly string[];
  /** PEM; without it, plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly logger: Logger;
  /** Aborts when no new work is taken any more. */
  readonly closing: AbortSignal;
}

/** How long the last answers may take to reach their clients when the server stops, in milliseconds. */
const flushMs = 1000;
const sweepMs = 20;

/**
 * How long a connection may be idle between two requests, in milliseconds. A client that works on an answer meanwhile does not see that a
 * connection was closed, and its next request on it fails: the official one checks the schemas of a long tools/list for seconds.
 */
const keepAliveMs = 75_000;

/** Serves many clients over Streamable HTTP on `/mcp` and `/`, and `/health` without a token. */
export async function serveHttp(options: HttpOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const { tls, host, port, closing } = options;
  const endpoint = new Endpoint(options);
  const handle = (request: IncomingMessage, response: ServerResponse): void => void endpoint.handle(request, response);
  const server = tls === undefined ? createServer(handle) : createSecureServer({ ...tls, minVersion: 'TLSv1.2' }, handle);
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  server.keepAliveTimeout = keepAliveMs;
  await listen(server, port, host);
  closing.addEventListener('abort', () => server.close(), { once: true });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${name}:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      server.close();
      await Promise.race([endpoint.sessions.answered(), setTimeout(flushMs, undefined, { ref: false })]);
      await endpoint.sessions.close();
      await flush(server, sockets, closed);
    },
  };
}

class Endpoint {
  readonly sessions: Sessions;
  readonly #options: HttpOptions;
  readonly #edge: Edge;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#edge = new Edge(options.edge);
    this.sessions = new Sessions(options.sessions);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = await this.#answer(request, response);
      if (refusal !== undefined) refuse(request, response, refusal);
    } catch (error) {
      // A client that goes away in the middle of its request is not worth a line.
      if (request.complete) this.#options.logger.error('an HTTP request failed', { error });
      if (!response.headersSent) refuse(request, response, { status: 500, message: 'The server failed.', code: -32603 });
      else response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const edge = this.#edge;
    const strange = edge.checkOrigin(request);
    if (strange !== undefined) return strange;
    allowOrigin(request, response);
    const path = absolute(request.url)?.pathname ?? (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (request.method === 'OPTIONS') return void answerPreflight(response, this.#options.allowedHeaders);
    if (path === '/health' && (request.method === 'GET' || request.method === 'HEAD')) return this.#health(response);
    const caller = edge.callerOf(request);
    if (typeof caller !== 'string') return caller;
    if (path !== '/mcp' && path !== '/')
      return { status: 404, message: `There is nothing at ${path.slice(0, 100)}. The endpoint is /mcp.` };
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
      return {
        status: 405,
        message: `The method ${request.method} is not supported.`,
        headers: { allow: 'GET, POST, DELETE, OPTIONS' },
      };
    return edge.checkMedia(request) ?? edge.checkVersion(request) ?? (await this.#pass(request, response, caller));
  }

  async #pass(request: IncomingMessage, response: ServerResponse, caller: string): Promise<Refusal | undefined> {
    const read = request.method === 'POST' ? await this.#edge.readMessage(request) : undefined;
    if (read !== undefined && 'status' in read) return read;
    const message = read?.message;
    if (message !== undefined && request.headers['mcp-session-id'] === undefined && isInitializeRequest(message)) {
      if (this.#options.closing.aborted) return { status: 503, message: 'The server is stopping.', headers: { 'retry-after': '30' } };
      return this.sessions.open(request, response, message, caller);
    }
    const session = this.sessions.find(request, caller);
    if (!(session instanceof Session)) return session;
    return session.handle(request, response, message);
  }

  #health(response: ServerResponse): undefined {
    const { closing, sessions } = this.#options;
    const body = { status: closing.aborted ? 'stopping' : 'ok', tools: sessions.protocol.catalog.tools.length };
    response
      .writeHead(closing.aborted ? 503 : 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(body));
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, message, headers = {}, code = -32000 }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  // What is left of a body that nobody wants is dropped, so that the connection can go on.
  request.resume();
}

/** Lets what was written reach its readers, then closes what is left, also what the server does not count: clients that never began with TLS. */
async function flush(server: HttpServer, sockets: ReadonlySet<Socket>, closed: Promise<void>): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  const limit = globalThis.setTimeout(() => sockets.forEach((socket) => void socket.destroy()), flushMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
