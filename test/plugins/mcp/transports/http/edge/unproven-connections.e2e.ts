import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'chai';
import type { JsonObject } from '../../../../../../kernel/index.ts';
import { UnprovenConnections } from '../../../../../../plugins/mcp/transports/http/edge/unproven-connections.ts';
import { selfSigned } from '../../../../../../plugins/shared/http/tls/self-signed.ts';
import { afterEach } from '../../../../../support/after-each.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { raw, send, until, wireServer } from '../../../support/wire.ts';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that sends this and nothing more. Gives its end. */
async function open(port: number, bytes: string): Promise<{ readonly socket: Socket; readonly closed: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(bytes);
  return { socket, closed };
}

const ping = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

/** A connection of an address, as far as it is looked at. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort: number;
  isDestroyed = false;

  constructor(remoteAddress: string, remotePort: number) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

function opened(connections: UnprovenConnections, address: string, count: number, port = 1): readonly FakeSocket[] {
  return Array.from({ length: count }, (_, n) => {
    const socket = new FakeSocket(address, port + n);
    connections.add(socket as never);
    return socket;
  });
}

describe('connections that have shown no token', () => {
  it('give way to newer ones, the oldest first, and a client with a token is served', async () => {
    const { port, kernel } = await wireServer({ maxUnauthenticated: 5 });
    const unproven = (): unknown => (kernel.status()['sessions'] as JsonObject)['unproven'];
    const first = await Promise.all(Array.from({ length: 5 }, () => open(port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n')));
    await until(() => (unproven() === 5 ? true : undefined));
    for (let n = 0; n < 5; n++) await open(port, 'POST /mcp HTTP/1.1\r\n');
    await Promise.all(first.map(({ closed }) => closed));
    expect((await send(port, { body: ping })).status).to.equal(200);
  });

  it('are no longer counted once a request over them had a token', async () => {
    const { port } = await wireServer({ maxUnauthenticated: 2 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await send(port, { body: ping, agent });
    const [kept] = Object.values(agent.freeSockets).flat();
    for (let n = 0; n < 6; n++) await open(port, 'GET / HT');
    expect(kept?.destroyed).to.equal(false);
    expect((await send(port, { body: ping, agent })).status).to.equal(200);
    expect(kept).to.equal(Object.values(agent.freeSockets).flat()[0]);
    agent.destroy();
  });

  it('are counted while they say nothing of TLS, and proven over TLS', async () => {
    const cwd = await temporaryFolder();
    const { cert, key } = await selfSigned({ cwd, names: [] });
    const [certPath, keyPath] = [path.join(cwd, 'cert.pem'), path.join(cwd, 'key.pem')];
    await writeFile(certPath, cert);
    await writeFile(keyPath, key, { mode: 0o600 });
    const { port } = await wireServer({ maxUnauthenticated: 2, https: true, certPath, keyPath });
    const silent = await open(port, '');
    for (let n = 0; n < 3; n++) await open(port, '');
    await silent.closed;
    const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false });
    sockets.push(socket);
    await once(socket, 'secureConnect');
    const headers = `Host: localhost\r\nAuthorization: Bearer a-token-of-the-tests\r\n`;
    socket.write(`DELETE /mcp HTTP/1.1\r\n${headers}\r\n`);
    await once(socket, 'data');
    for (let n = 0; n < 4; n++) await open(port, '');
    socket.write(`DELETE /mcp HTTP/1.1\r\n${headers}\r\n`);
    expect(String(await once(socket, 'data'))).to.include('HTTP/1.1 ');
  });

  it('are closed when the headers do not come', async () => {
    const { port } = await wireServer();
    expect(await raw(port, 'GET /live HTTP/1.1\r\nHost: localhost\r\n', { staysOpen: true })).to.include('408');
  });

  const policies: readonly { title: string; proxies?: readonly string[]; address: string; most: number }[] = [
    { title: 'of one address of the network are a quarter at most', address: '203.0.113.7', most: 10 },
    { title: 'of loopback are as many as all', address: '127.0.0.9', most: 40 },
    { title: 'of loopback in IPv6 are as many as all', address: '::ffff:127.0.0.1', most: 40 },
    { title: 'of a proxy are as many as all', proxies: ['203.0.113.7'], address: '203.0.113.7', most: 40 },
    { title: 'of a network of proxies are as many as all', proxies: ['2001:db8::/32'], address: '2001:db8::5', most: 40 },
  ];
  for (const { title, proxies = [], address, most } of policies)
    it(`${title}, and those of others stay`, () => {
      const closed: string[] = [];
      const connections = new UnprovenConnections({ max: 40, proxies, onClosed: (from) => closed.push(from) });
      const others = most === 40 ? [] : opened(connections, '198.51.100.1', 10);
      const many = opened(connections, address, 100);
      expect(many.filter(({ isDestroyed }) => !isDestroyed)).to.deep.equal(many.slice(-most));
      expect(others.filter(({ isDestroyed }) => isDestroyed)).to.deep.equal([]);
      expect(closed).to.deep.equal(Array.from({ length: 100 - most }, () => address));
      for (const socket of [...many, ...others]) socket.destroy();
      expect(connections.size).to.equal(0);
    });

  it('may have a port again that another one had before', () => {
    const connections = new UnprovenConnections({ max: 4, proxies: [], onClosed: () => {} });
    const [before] = opened(connections, '127.0.0.1', 1);
    connections.prove(before as never);
    opened(connections, '127.0.0.1', 1);
    before?.emit('close');
    expect(connections.size).to.equal(1);
  });

  for (const proxy of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '2001:db8::/129'])
    it(`are not counted by a proxy "${proxy}", which is refused`, async () => {
      await wireServer({ proxies: [proxy] }).then(
        () => expect.fail('it started'),
        (error: Error) => expect(error.message).to.include(`"proxies" names "${proxy}"`),
      );
    });
});
