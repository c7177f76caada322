import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { expect } from 'chai';
import { FaultProxy } from './fault-proxy.ts';
import { FaultyConnection } from './faulty-connection.ts';
import { until } from './until.ts';

describe('a proxy with faults', () => {
  let server: Server;
  let proxy: FaultProxy;
  const served: Socket[] = [];
  const clients: Client[] = [];
  beforeEach(async () => {
    // Answers each chunk with the same one.
    server = createServer((socket) => {
      served.push(socket.on('error', () => {}));
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await FaultProxy.open({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.destroy();
    await proxy.close();
    for (const socket of served.splice(0)) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  class Client {
    readonly socket = connect(proxy.port, '127.0.0.1');
    /** Code of the error, or `end`. */
    readonly ended = new Promise<string>((resolve) => {
      this.socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
      this.socket.on('close', () => resolve('end'));
    });
    received = '';

    constructor() {
      clients.push(this);
      this.socket.setEncoding('utf8').on('data', (text: string) => {
        this.received += text;
      });
    }

    async hears(text: string): Promise<void> {
      await until(() => (this.received === text ? true : undefined));
    }

    async echo(text: string): Promise<void> {
      this.socket.write(text);
      await this.hears(this.received + text);
    }
  }

  /** Resolves after the bytes of `client` would have come through: another connection that passes has had an answer. */
  const afterAnother = async (): Promise<void> => {
    proxy.onConnection = (connection) => connection.pass();
    await new Client().echo('other');
  };

  it('passes bytes, and the end of a side', async () => {
    const client = new Client();
    await client.echo('a');
    expect(proxy.connections[0]?.sent).to.equal('a');
    client.socket.end();
    expect(await client.ended).to.equal('end');
    await until(() => (proxy.connections.length === 0 ? true : undefined));
  });

  it('gives a URL of the same database through it', () => {
    expect(proxy.urlOf('postgresql://u:p@db:5432/name?sslmode=disable')).to.equal(
      `postgresql://u:p@127.0.0.1:${proxy.port}/name?sslmode=disable`,
    );
  });

  it('delays what is sent', async () => {
    await proxy.delay(20, 'answers');
    const client = new Client();
    const sentAt = performance.now();
    await client.echo('a');
    expect(performance.now() - sentAt).to.be.at.least(20);
    await proxy.delay(1_000_000);
    client.socket.write('b');
    await afterAnother();
    expect(client.received).to.equal('a');
    await proxy.pass();
    await client.hears('ab');
  });

  for (const direction of ['requests', 'answers', 'both'] as const)
    it(`swallows ${direction}, and delivers them later in order`, async () => {
      const client = new Client();
      await client.echo('a');
      await proxy.swallow(direction);
      client.socket.write('b');
      client.socket.write('c');
      if (direction === 'answers') await until(() => ((served[0]?.bytesRead ?? 0) === 3 ? true : undefined));
      else await afterAnother();
      expect(served[0]?.bytesRead).to.equal(direction === 'answers' ? 3 : 1);
      expect(client.received).to.equal('a');
      await proxy.pass();
      await client.hears('abc');
    });

  it('accepts a new connection while it swallows, and reaches the server later', async () => {
    await proxy.swallow();
    const client = new Client();
    await once(client.socket, 'connect');
    client.socket.write('a');
    await afterAnother();
    expect(served).to.have.length(1);
    await proxy.pass();
    await client.hears('a');
  });

  it('hides the end of a swallowed client from the server, until it passes', async () => {
    const client = new Client();
    await client.echo('a');
    await proxy.swallow();
    client.socket.destroy();
    await afterAnother();
    expect(served[0]?.destroyed).to.equal(false);
    await proxy.pass();
    await until(() => (served[0]?.destroyed ? true : undefined));
  });

  it('resets a swallowed client that the server has given up, as soon as it passes', async () => {
    const client = new Client();
    await client.echo('a');
    await proxy.swallow();
    proxy.cut('server');
    await until(() => (served[0]?.destroyed ? true : undefined));
    await afterAnother();
    expect(client.socket.destroyed).to.equal(false);
    await proxy.pass();
    expect(await client.ended).to.equal('ECONNRESET');
  });

  it('drops and cuts connections', async () => {
    for (const [fault, end] of [
      ['drop', 'end'],
      ['cut', 'ECONNRESET'],
    ] as const) {
      const client = new Client();
      await client.echo('a');
      proxy[fault]();
      expect(await client.ended).to.equal(end);
    }
  });

  it('closes a connection that it cuts while a side is ending', async () => {
    const accepting = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    await new Promise<void>((resolve) => accepting.listen(0, '127.0.0.1', resolve));
    const { port } = accepting.address() as AddressInfo;
    const client = connect(port, '127.0.0.1').on('error', () => {});
    const [accepted] = (await once(accepting, 'connection')) as [Socket];
    const connection = new FaultyConnection(accepted, new Socket(), { host: '127.0.0.1', port });
    accepted.end();
    connection.cut();
    await connection.closed;
    client.destroy();
    accepting.close();
  });

  it('passes a reset as a reset', async () => {
    const client = new Client();
    await client.echo('a');
    served[0]?.resetAndDestroy();
    expect(await client.ended).to.equal('ECONNRESET');
  });

  it('has one connection at fault and the others healthy', async () => {
    const [first, second] = [new Client(), new Client()];
    await first.echo('first');
    await second.echo('second');
    const faulty = proxy.connections.find(({ sent }) => sent === 'first');
    faulty?.swallow();
    first.socket.write('!');
    await second.echo('!');
    expect(first.received).to.equal('first');
    faulty?.cut();
    expect(await first.ended).to.equal('ECONNRESET');
    await second.echo('!');
  });

  it('closes while the end of a side is on its way', async () => {
    const client = new Client();
    await client.echo('a');
    await proxy.delay(60_000);
    client.socket.end();
    const [connection] = proxy.connections;
    await until(() => (connection?.hasEnded ? true : undefined));
    connection?.pass();
    await proxy.close();
  });

  it('refuses new connections, leaves open ones, and accepts again on the same port', async () => {
    const open = new Client();
    await open.echo('a');
    proxy.refuse();
    expect(await new Client().ended).to.equal('ECONNREFUSED');
    await open.echo('b');
    await proxy.pass();
    await new Client().echo('c');
  });
});
