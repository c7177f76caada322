import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type JsonObject, ToolkitError } from '../../../../kernel/index.ts';
import { Endpoint, type EndpointOptions } from './endpoint.ts';
import type { TokenUser } from './tokens/tokens-reload.ts';

export interface HttpServerOptions extends EndpointOptions {
  readonly port: number;
  readonly host: string;
  /** Certificate; without it the server uses plain HTTP. */
  readonly tls?: Certificate;
}

/** Certificate and private key in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface RunningHttpServer extends TokenUser {
  readonly url: string;
  status(): JsonObject;
  /** Replaces the certificate for new connections. Only for a server with TLS. */
  useCertificate(certificate: Certificate): void;
  /** Marks the server as not ready, and still handles requests for `shutdownDelayMs`. */
  leave(shutdownDelayMs: number): Promise<void>;
  /** Resolves when every request so far has its response or has lost its connection, after `limitMs` at the latest. */
  answered(limitMs: number): Promise<void>;
  stop(): Promise<void>;
}

const minVersion = 'TLSv1.2';

/** Time limit of a request's headers and of a TLS handshake, in milliseconds. */
const headersTimeoutMs = 10_000;

/** Interval at which slow requests are closed, in milliseconds. Node's default is 30 seconds. */
const requestCheckIntervalMs = 1000;

/** Time that the last responses have to reach their clients when the server stops, in milliseconds. */
const flushTimeoutMs = 1000;

/** Interval at which idle connections are closed meanwhile, in milliseconds. */
const idleSweepIntervalMs = 20;

/**
 * Time that a connection may be idle between two requests, in milliseconds. A busy client does not see that a connection was closed, and
 * its next request fails: the official client checks the schemas of a long tools/list for seconds.
 */
const keepAliveMs = 75_000;

/** Serves clients over Streamable HTTP on `/mcp` and `/`. Serves `/live`, `/ready` and `/health` without a token. */
export async function serveHttp(options: HttpServerOptions): Promise<RunningHttpServer> {
  const { tls, host, port, closing } = options;
  const endpoint = new Endpoint(options);
  const handle = endpoint.handle.bind(endpoint);
  const timing = { connectionsCheckingInterval: requestCheckIntervalMs };
  const server =
    tls === undefined
      ? createServer(timing, handle)
      : createSecureServer({ ...timing, ...tls, minVersion, handshakeTimeout: headersTimeoutMs }, handle);
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    options.edge.connect(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.requestTimeout = 60_000;
  server.headersTimeout = headersTimeoutMs;
  server.keepAliveTimeout = keepAliveMs;
  await listen(server, port, host);
  closing.addEventListener('abort', () => server.close(), { once: true });
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `${tls === undefined ? 'http' : 'https'}://${name}:${(server.address() as AddressInfo).port}/mcp`;
  options.checks.authorization?.setUrl(url);
  options.routes?.open(url);
  return {
    url,
    status: () => ({ ...endpoint.sessions.status, unproven: options.edge.unproven }),
    useCertificate: ({ cert, key }) => (server as SecureServer).setSecureContext({ cert, key, minVersion }),
    useTokens: (tokens) => endpoint.useTokens(tokens),
    dropTokens: (gone) => endpoint.dropTokens(gone),
    async leave(shutdownDelayMs) {
      options.readiness.isLeaving = true;
      await setTimeout(shutdownDelayMs, undefined, { signal: closing }).catch(() => {});
    },
    async answered(limitMs) {
      await Promise.race([endpoint.answered(), setTimeout(limitMs, undefined, { ref: false })]);
    },
    async stop() {
      options.routes?.close();
      server.close();
      await endpoint.close();
      await flush(server, sockets, closed);
      options.edge.close();
    },
  };
}

/** Lets the last responses reach their clients, then destroys the remaining sockets, including those of clients that never began TLS. */
async function flush(server: HttpServer, sockets: ReadonlySet<Socket>, closed: Promise<void>): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepIntervalMs);
  const limit = globalThis.setTimeout(() => sockets.forEach((socket) => void socket.destroy()), flushTimeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** Starts to listen. Throws CONFIG_INVALID, which says whether to change the port or the host. */
async function listen(server: HttpServer, port: number, host: string): Promise<void> {
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
    ENOTFOUND: `the name "${host}" has no address. Correct --host`,
  };
  return new ToolkitError(
    'CONFIG_INVALID',
    `The MCP server cannot listen on ${host}:${port}: ${advice[error.code ?? ''] ?? error.message}.`,
    { port, host },
    { cause: error },
  );
}
