import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Client } from 'pg';
import { endConnection } from '../../../../plugins/shared/cluster/end-connection.ts';

describe('the end of a connection to PostgreSQL', () => {
  it('comes also where the server does not confirm it', async () => {
    const served: Socket[] = [];
    const server = createServer({ allowHalfOpen: true }, (accepted) => void served.push(accepted.resume().on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const client = {
      end: async () => {
        socket.end();
        await once(socket, 'close');
      },
    } as unknown as Client;
    await endConnection(client, socket);
    expect(socket.destroyed).to.equal(true);
    for (const accepted of served) accepted.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
