import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Logger } from '../../../kernel/index.ts';
import { hostName } from '../../shared/http/host-check.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import { listen } from '../../shared/http/server/listen.ts';
import type { MetricsText } from './numbers.ts';

export interface MetricsServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  readonly read: () => Promise<MetricsText>;
  readonly logger: Logger;
}

export interface MetricsServer {
  readonly url: string;
  /** False where other machines may reach it. */
  readonly isOnLoopback: boolean;
  close(): void;
}

export const metricsPath = '/metrics';

/** Connections at the same time; more are closed at once. */
const maxConnections = 100;

/** Time limit of a request, without its answer, in milliseconds. */
const requestTimeoutMs = 5000;

/** Serves `GET /metrics`, and nothing else, without a token. Throws CONFIG_INVALID when it cannot listen. */
export async function serveMetrics({ port, host, read, logger }: MetricsServerOptions): Promise<MetricsServer> {
  let isOnLoopback = true;
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1000 },
    (request, response) => {
      const refusal = refusalOf(request, isOnLoopback ? host : undefined);
      if (refusal !== undefined) return void refuse(response, ...refusal);
      read().then(
        ({ contentType, text }) => {
          response
            .writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' })
            .end(request.method === 'HEAD' ? undefined : text);
        },
        (error: unknown) => {
          logger.error('the numbers cannot be shown', { error });
          refuse(response, 500, 'The server failed.');
        },
      );
    },
  );
  server.maxConnections = maxConnections;
  await listen(server, {
    port,
    host,
    failure: 'The numbers cannot be served',
    options: { port: '"metrics.port" of telemetry', host: '"metrics.host" of telemetry' },
  });
  const { address, port: actual } = server.address() as AddressInfo;
  // A socket for both families reports IPv4 as an IPv6 address.
  isOnLoopback = isLoopback(address.replace(/^::ffff:/, ''));
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${metricsPath}`,
    isOnLoopback,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Refusal = readonly [status: number, message: string, headers?: Readonly<Record<string, string>>];

/** `ownHost`: the name that a loopback server is reached by. */
function refusalOf({ method, url, headers }: IncomingMessage, ownHost: string | undefined): Refusal | undefined {
  if (ownHost !== undefined && !isOwnHost(headers.host ?? '', ownHost))
    return [403, 'This Host is not allowed: expected localhost or an address of this machine.'];
  if ((url ?? '').split('?', 1)[0] !== metricsPath) return [404, `There is nothing here. The numbers are at ${metricsPath}.`];
  return method === 'GET' || method === 'HEAD' ? undefined : [405, 'This method is not supported.', { allow: 'GET, HEAD' }];
}

function refuse(response: ServerResponse, status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${message}\n`);
}

/**
 * Returns true unless a page of another site makes the browser send this, by a name of its own that leads to loopback (DNS rebinding). An address is
 * no such name.
 */
function isOwnHost(host: string, ownHost: string): boolean {
  const name = hostName(host);
  return name === 'localhost' || name === ownHost.toLowerCase() || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
