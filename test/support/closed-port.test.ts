import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect } from 'chai';
import { closedPort, holdPort } from './closed-port.ts';

describe('a port that a test needs to be closed', () => {
  it('refuses connections', async () => {
    const [error] = await once(connect(await closedPort(), '127.0.0.1'), 'error');
    expect(error).to.have.property('code', 'ECONNREFUSED');
  });

  it('can be taken by a server that names it, such as one that another program starts', async () => {
    const { port, release } = await holdPort();
    const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    await once(server, 'listening');
    release();
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
