import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach } from '../../support/after-each.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

export interface Break {
  /** The simple query at which the connection breaks, by how it begins. */
  readonly at: string;
  /** Its how many-th occurrence on one connection; 1 is the first. */
  readonly occurrence: number;
  /** True when the server gets it and answers, and only the answer is lost. */
  readonly isAnswered: boolean;
}

/** Stands on a free loopback port before a server, and breaks connections. Gives its port; closed after the test. */
export async function breakingProxy(
  target: { readonly host: string; readonly port: number },
  { at, occurrence, isAnswered }: Break,
): Promise<string> {
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    let left = occurrence;
    const upstream = connect(target);
    for (const socket of [client, upstream]) sockets.push(socket.on('error', () => {}));
    upstream.pipe(client);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (chunk: Buffer) => {
      if (queryOf(chunk)?.startsWith(at)) left--;
      if (left > 0) return void upstream.write(chunk);
      upstream.unpipe(client);
      if (!isAnswered) return client.destroy();
      upstream.once('data', () => client.destroy()).resume();
      return void upstream.write(chunk);
    });
  });
  closers.push(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return String((proxy.address() as AddressInfo).port);
}

/** The text of a simple query: a Q, four bytes of length, the text (PostgreSQL documentation, 55.7). */
function queryOf(chunk: Buffer): string | undefined {
  return chunk[0] === 'Q'.charCodeAt(0) ? chunk.toString('utf8', 5) : undefined;
}
