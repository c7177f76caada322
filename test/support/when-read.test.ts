import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type Answering, whenRead } from '../../fixtures/servers/when-read.ts';

describe('a server of the tests', () => {
  let server: Server;

  async function serve(answer: Answering): Promise<Socket> {
    server = createServer(whenRead(answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(client, 'connect');
    return client;
  }

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('answers a request that came in pieces', async () => {
    const client = await serve((_, body, response) => response.end(`got ${body}`));
    client.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nä');
    await once(server, 'request');
    client.write('ö');
    let answer = '';
    for await (const chunk of client) answer += chunk;
    expect(answer).to.include('got äö');
  });

  it('lets a client go that leaves in the middle of a request', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', note);
    try {
      let answered = 0;
      const client = await serve(() => answered++);
      client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab');
      const [request] = await once(server, 'request');
      client.destroy();
      await new Promise((resolve) => request.socket.once('close', resolve));
      await new Promise(setImmediate);
      expect({ answered, rejections }).to.deep.equal({ answered: 0, rejections: [] });
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('fails the test, and keeps no client waiting, when it cannot answer', async () => {
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    try {
      const failed = once(process, 'uncaughtException');
      const client = await serve(async () => {
        throw new Error('no answer is known');
      });
      const left = once(client, 'close');
      client.resume().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      expect((await failed)[0]).to.have.property('message', 'no answer is known');
      await left;
    } finally {
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });
});
