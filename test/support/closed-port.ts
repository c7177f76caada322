import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach } from './after-each.ts';

const held: (() => void)[] = [];

export interface HeldPort {
  readonly port: number;
  release(): void;
}

/**
 * A port of 127.0.0.1 at which nobody listens, and which the system gives to no server and no client: it is the near end of a connection
 * that was bound to it. A server that names the port itself may still take it. One that has just been closed could be anybody's by now.
 */
export async function holdPort(): Promise<HeldPort> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  // Without an address of its own the system would choose the port when it connects, and may choose it again for another connection.
  const near = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, localAddress: '127.0.0.1' });
  const [[far]] = await Promise.all([accepted, once(near, 'connect')]);
  server.close();
  for (const socket of [near, far]) socket.on('error', () => {});
  const release = (): void => {
    near.destroy();
    far.destroy();
  };
  return { port: (near.address() as AddressInfo).port, release };
}

/** A port of 127.0.0.1 at which nobody listens until the end of the test. */
export async function closedPort(): Promise<number> {
  const { port, release } = await holdPort();
  held.push(release);
  return port;
}

afterEach(() => {
  for (const release of held.splice(0)) release();
});
