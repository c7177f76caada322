import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../../kernel/index.ts';
import {
  type Certificate,
  createHttpServer,
  flushServer,
  originOf,
  replaceCertificate,
  trackSockets,
} from '../../../shared/http/server/http-server.ts';
import { listen } from '../../../shared/http/server/listen.ts';
import { Endpoint, type EndpointOptions } from './endpoint.ts';
import type { TokenUser } from './tokens/tokens-reload.ts';

export interface HttpServerOptions extends EndpointOptions {
  readonly port: number;
  readonly host: string;
  /** Certificate; without it the server uses plain HTTP. */
  readonly tls?: Certificate;
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
  const server = createHttpServer(handle, tls);
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  server.on('connection', (socket) => options.edge.connect(socket));
  const sockets = trackSockets(server);
  server.keepAliveTimeout = keepAliveMs;
  await listen(server, { port, host, failure: 'The MCP server cannot listen', options: { port: '--port', host: '--host' } });
  closing.addEventListener('abort', () => server.close(), { once: true });
  const url = `${originOf(server, host, tls !== undefined)}/mcp`;
  options.checks.authorization?.setUrl(url);
  options.routes?.open(url);
  return {
    url,
    status: () => ({ ...endpoint.sessions.status, unproven: options.edge.unproven }),
    useCertificate: (certificate) => replaceCertificate(server, certificate),
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
      await flushServer(server, sockets, closed);
      options.edge.close();
    },
  };
}
