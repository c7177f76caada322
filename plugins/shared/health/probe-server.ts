import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, ToolkitError } from '../../../kernel/index.ts';
import { answerProbe } from './probe-answer.ts';
import type { Readiness } from './readiness.ts';

/** Connections at the same time; more are closed at once. */
const maxConnections = 100;

/** Time for a request and its answer, in milliseconds. */
const timeoutMs = 5000;

export interface ProbeAddress {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
}

export interface ProbeServer {
  readonly url: string;
  close(): void;
}

/** Serves `GET /live` and `GET /ready`, and nothing else, for a process without another server. Throws CONFIG_INVALID when it cannot listen. */
export async function serveProbes({ port, host }: ProbeAddress, readiness: Readiness): Promise<ProbeServer> {
  const server = createServer(
    { requestTimeout: timeoutMs, headersTimeout: timeoutMs, connectionsCheckingInterval: 1000 },
    (request, response) => {
      response.setHeader('connection', 'close');
      void answer(request, response, readiness);
    },
  );
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError({ port, host }, error)));
    server.listen(port, host, resolve);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, readiness: Readiness): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0];
  if (path !== '/live' && path !== '/ready') return void response.writeHead(404).end();
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  await answerProbe(response, path, readiness);
}

function listenError({ port, host }: ProbeAddress, error: NodeJS.ErrnoException): ToolkitError {
  const what = error.code === 'EADDRINUSE' ? 'the port is in use. Choose another one; 0 takes a free one' : messageOf(error);
  return new ToolkitError('CONFIG_INVALID', `The health probes cannot listen on ${host}:${port}: ${what}.`, {}, { cause: error });
}
