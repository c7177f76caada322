import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { toUrl } from '../../../../kernel/index.ts';

/** Certificate and private key in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const minVersion = 'TLSv1.2';

/** Time limit of a request's headers and of a TLS handshake, in milliseconds. */
const headersTimeoutMs = 10_000;

/** Time limit of a whole request, without its answer, in milliseconds. */
const requestTimeoutMs = 60_000;

/** Interval at which slow requests are closed, in milliseconds. Node's default is 30 seconds. */
const requestCheckIntervalMs = 1000;

/** Time that the last responses have to reach their clients when the server stops, in milliseconds. */
const flushTimeoutMs = 1000;

/** Interval at which idle connections are closed meanwhile, in milliseconds. */
const idleSweepIntervalMs = 20;

/** Creates a server with time limits for slow clients; with a certificate for HTTPS. */
export function createHttpServer(handle: RequestListener, tls: Certificate | undefined): HttpServer {
  const timing = { connectionsCheckingInterval: requestCheckIntervalMs };
  const server =
    tls === undefined
      ? createServer(timing, handle)
      : createSecureServer({ ...timing, ...tls, minVersion, handshakeTimeout: headersTimeoutMs }, handle);
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = headersTimeoutMs;
  return server;
}

/** Replaces the certificate of an HTTPS server for new connections. */
export function replaceCertificate(server: HttpServer, { cert, key }: Certificate): void {
  (server as SecureServer).setSecureContext({ cert, key, minVersion });
}

/** Returns the address of a listening server, such as `https://127.0.0.1:3000`. */
export function originOf(server: HttpServer, host: string, isSecure: boolean): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${isSecure ? 'https' : 'http'}://${name}:${(server.address() as AddressInfo).port}`;
}

/** Returns the origin of an address; loopback in place of "every address", which no browser opens. */
export function reachableOrigin(url: string): string {
  const { origin, protocol, port, hostname } = toUrl(url);
  const loopback = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname];
  return loopback === undefined ? origin : `${protocol}//${loopback}:${port}`;
}

/** Returns the open connections of a server, those included that never begin TLS. */
export function trackSockets(server: HttpServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Waits for a closing server: lets the last responses reach their clients, then destroys the remaining sockets. `closed`: its event. */
export async function flushServer(server: HttpServer, sockets: ReadonlySet<Socket>, closed: Promise<void>): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepIntervalMs);
  const limit = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), flushTimeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
