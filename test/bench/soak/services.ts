import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Connections that nobody uses are gone when figures are taken. In milliseconds. */
const keepAliveMs = 500;

/** Services that the http tools call. Each has its own origin, because the server pauses requests to an origin that fails. */
export interface Services {
  readonly good: string;
  readonly failing: string;
  readonly hanging: string;
  close(): void;
}

export async function startServices(): Promise<Services> {
  const servers = await Promise.all([good, failing, hanging].map(listening));
  const [first = '', second = '', third = ''] = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    good: first,
    failing: second,
    hanging: third,
    close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const good: RequestListener = async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/slow') await wait(Number(searchParams.get('ms')));
  response.setHeader('content-type', 'text/plain').end('x'.repeat(Number(searchParams.get('size') ?? 10)));
};

/** The path says how. */
const failing: RequestListener = ({ url }, response) => {
  if (url === '/cut') response.writeHead(200, { 'content-length': 100 }).write('cut', () => response.destroy());
  else response.writeHead(503).end('not now');
};

const hanging: RequestListener = () => {};

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
