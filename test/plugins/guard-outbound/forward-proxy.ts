import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach } from '../../support/after-each.ts';

export interface ForwardProxy {
  readonly port: number;
  /** Method and target of each request, as they came. */
  readonly requests: readonly string[];
  /** The Proxy-Authorization of each request. */
  readonly authorizations: readonly (string | undefined)[];
}

const running = new Map<Server, Set<Duplex>>();

/** A proxy on 127.0.0.1 (RFC 9110, 7.7 and 9.3.6) for which every name is `port` of this machine. `password`: what it wants to be told. */
export async function forwardProxy(port: number, password?: string): Promise<ForwardProxy> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Set<Duplex>();
  const isKnown = ({ method, url, headers }: IncomingMessage): boolean => {
    requests.push(`${method} ${url}`);
    authorizations.push(headers['proxy-authorization']);
    const [, pair = ''] = headers['proxy-authorization']?.split(' ') ?? [];
    return password === undefined || Buffer.from(pair, 'base64').toString().endsWith(`:${password}`);
  };
  const server = createServer((request, response) => {
    if (!isKnown(request)) return void response.writeHead(407).end();
    const { pathname, search } = new URL(request.url ?? '');
    const { 'proxy-authorization': _own, ...headers } = request.headers;
    // Each on a connection of its own: one that is kept may be closed when the next request is sent on it.
    const target = { port, host: '127.0.0.1', method: request.method, path: pathname + search, headers, agent: false } as const;
    const onward = forward(target, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    if (!isKnown(request)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const onward = net.connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection Established\r\n\r\n'));
    for (const end of [socket, onward]) sockets.add(end.on('error', () => {}));
    socket.pipe(onward).pipe(socket);
  });
  server.keepAliveTimeout = 0;
  running.set(server, sockets);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, requests, authorizations };
}

afterEach(async () => {
  for (const [server, sockets] of running) {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  running.clear();
});
