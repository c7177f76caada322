import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { DatabaseSockets } from '../../../plugins/engine-bullmq/database-sockets.ts';

const timeout = new Error('Query read timeout');

describe('the sockets of a queue', () => {
  const accepted: Socket[] = [];
  let server: Server;
  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      accepted.push(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    sinon.restore();
    for (const socket of accepted.splice(0)) socket.destroy();
  });
  after(() => server.close());

  /** Returns connected sockets. */
  async function open(sockets: DatabaseSockets, count = 2): Promise<readonly Socket[]> {
    const { port } = server.address() as { readonly port: number };
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = sockets.create();
        await once(socket.connect(port, '127.0.0.1'), 'connect');
        return socket;
      }),
    );
  }

  it('are all destroyed after a statement that had no answer, and new ones are opened', async () => {
    const sockets = new DatabaseSockets();
    const first = await open(sockets);
    sockets.replaceAfter(timeout);
    expect(first.map(({ destroyed }) => destroyed)).to.deep.equal([true, true]);
    const [next] = await open(sockets, 1);
    expect(next?.destroyed).to.equal(false);
    sockets.destroy();
    expect(next?.destroyed).to.equal(true);
  });

  it('stay open after any other error', async () => {
    const sockets = new DatabaseSockets();
    const kept = await open(sockets);
    for (const error of [new Error('duplicate key'), 'Query read timeout', undefined]) sockets.replaceAfter(error);
    expect(kept.map(({ destroyed }) => destroyed)).to.deep.equal([false, false]);
    sockets.destroy();
  });

  it('are forgotten when they close', async () => {
    const sockets = new DatabaseSockets();
    const [closed, other] = (await open(sockets)) as readonly [Socket, Socket];
    closed.destroy();
    await once(closed, 'close');
    const destroy = sinon.spy(closed, 'destroy');
    sockets.destroy();
    expect(destroy.called).to.equal(false);
    expect(other.destroyed).to.equal(true);
  });

  it('may end in order, and are not destroyed afterwards', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sockets = new DatabaseSockets();
    const socket = sockets.create();
    await sockets.close(Promise.resolve(), 1000);
    await clock.tickAsync(1000);
    expect(socket.destroyed).to.equal(false);
    sockets.destroy();
  });

  it('are destroyed when their end takes too long, which ends it', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sockets = new DatabaseSockets();
    const socket = sockets.create();
    const closed = sockets.close(once(socket, 'close'), 1000);
    await clock.tickAsync(999);
    expect(socket.destroyed).to.equal(false);
    await clock.tickAsync(1);
    await closed;
    expect(socket.destroyed).to.equal(true);
  });

  it('reject like the end that fails', async () => {
    const sockets = new DatabaseSockets();
    let caught: unknown;
    await sockets.close(Promise.reject(timeout), 1000).catch((error: unknown) => {
      caught = error;
    });
    expect(caught).to.equal(timeout);
  });
});
