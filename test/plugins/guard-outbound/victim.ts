import net from 'node:net';
import { afterEach } from '../../support/after-each.ts';

export interface Victim {
  readonly port: number;
  /** The first bytes of each connection; empty while there is none. */
  readonly connections: readonly string[];
}

const servers = new Map<net.Server, Set<net.Socket>>();

/** A server on 127.0.0.1 that tools must not reach: it counts connections, and not only requests that can be read. Closed after the test. */
export function victim(): Promise<Victim> {
  return rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\ninside'));
}

/** A server on 127.0.0.1 that answers each piece of data as it likes, byte for byte. Closed after the test. */
export async function rawServer(answer: (socket: net.Socket, text: string) => void): Promise<Victim> {
  const connections: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const index = connections.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      connections[index] ||= data.toString('latin1');
      answer(socket, data.toString('latin1'));
    });
  });
  servers.set(server, sockets);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, connections };
}

afterEach(async () => {
  for (const [server, sockets] of servers) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
});
