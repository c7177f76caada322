import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import sinon from 'sinon';
import type { Kernel } from '../../../../../../kernel/index.ts';
import { afterEach } from '../../../../../support/after-each.ts';
import { handlerTool } from '../../../support/client.ts';
import { replicas } from '../../../support/replicas.ts';
import { dispatch, until, type WireServer, wireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';

/** In milliseconds: so long nobody else can take a stream over that was taken over. */
const takeoverMs = 5000;

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  sinon.restore();
});

/** Opens the stream of the session over a connection on which nobody reads and that stays open, as one through a proxy that has lost its client. */
async function halfOpen(client: WireClient, more: Readonly<Record<string, string>> = {}): Promise<Socket> {
  const headers = { host: '127.0.0.1', accept: 'text/event-stream', ...client.headers, ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(client.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write(`GET /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** Moves the clock that only goes forward. */
function goForward(ms: number): void {
  const now = performance.now.bind(performance);
  sinon.restore();
  sinon.stub(performance, 'now').callsFake(() => now() + ms);
}

/** Open requests, streams included, of all clients. */
function connectionsOf(kernel: Kernel): number {
  const { inUse } = kernel.status()['sessions'] as { inUse: Record<string, { connections: number }> };
  return Object.values(inUse).reduce((sum, { connections }) => sum + connections, 0);
}

const question = { message: 'Which?', schema: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] } };

/** A tool that asks the person, and gives the answer. */
const asks = handlerTool((_, { client }) => client.elicit?.(question) ?? 'nobody to ask', { name: 'asks' });

/** One server, or two that share a store: the client comes to the second one with its second stream, and to the first one with its third. */
const servers: Readonly<Record<string, () => Promise<readonly [WireServer, WireServer]>>> = {
  'at one server': async () => {
    const server = await wireServer({}, [asks]);
    return [server, server];
  },
  'at several servers': async () => (await replicas(2, [asks])) as unknown as readonly [WireServer, WireServer],
};

describe('the stream of a session that is open already', () => {
  for (const [where, start] of Object.entries(servers)) {
    describe(where, () => {
      for (const [what, last] of [
        ['without an id of an event', undefined],
        ['with the id of its last event', 'last'],
      ] as const) {
        it(`goes over to a newer connection, ${what}, and the older one ends`, async () => {
          const [one, other] = await start();
          const client = await WireClient.open(one.port);
          const older = await client.listen();
          const { id } = await older.first(() => true);
          const newer = await client.at(other.port).listen(last && id);
          expect(newer.status).to.equal(200);
          await older.end();
          await one.kernel.reload();
          await other.kernel.reload();
          expect(newer.isOver).to.equal(false);
        });
      }

      it('goes over from a connection on which nobody reads, and frees that', async () => {
        const [one, other] = await start();
        const client = await WireClient.open(one.port);
        const dead = await halfOpen(client);
        expect((await client.at(other.port).listen()).status).to.equal(200);
        await until(() => connectionsOf(one.kernel) === (one === other ? 1 : 0) || undefined);
        expect(dead.destroyed).to.equal(false);
      });

      it('stays where it is when a third comes within five seconds', async () => {
        const [one, other] = await start();
        const client = await WireClient.open(one.port);
        const first = await client.listen();
        const second = await client.at(other.port).listen();
        await first.end();
        const third = await client.listen();
        expect([second.status, third.status]).to.deep.equal([200, 409]);
        expect(second.isOver).to.equal(false);
      });

      it('has what the client was asked and has not answered once more, under the same id', async () => {
        const [one, other] = await start();
        const client = await WireClient.open(one.port, undefined, { capabilities: { elicitation: {} } });
        const call = await client.startCall('asks', {}, { id: 'a call' });
        const asked = await call.first(({ message }) => message?.method === 'elicitation/create');
        const older = await client.listen();
        await older.first(() => true);
        const newer = await client.at(other.port).listen();
        const again = await newer.first(({ message }) => message?.method === 'elicitation/create');
        expect(again.message).to.deep.equal(asked.message);
        expect((await client.at(other.port).post({ id: again.message?.id, result: { action: 'decline' } })).status).to.equal(202);
        const answer = await call.first(({ message }) => message?.id === 'a call');
        expect(JSON.stringify(answer.message?.result)).to.include('decline');
        expect(older.events.filter(({ message }) => message?.method === 'elicitation/create')).to.deep.equal([]);
      });
    });
  }

  for (const accept of ['*/*', 'text/*', 'application/json, text/event-stream;q=0.1', undefined]) {
    it(`opens for a client whose Accept is ${accept ?? 'absent'}`, async () => {
      const { port } = await wireServer();
      const { headers } = await WireClient.open(port);
      const response = await dispatch(port, { method: 'GET', headers: { ...headers, accept } });
      expect([response.statusCode, response.headers['content-type']]).to.deep.equal([200, 'text/event-stream']);
      response.destroy();
    });
  }

  it('can go over again after five seconds', async () => {
    const { port } = await wireServer();
    const client = await WireClient.open(port);
    await client.listen();
    expect((await client.listen()).status).to.equal(200);
    goForward(takeoverMs);
    expect((await client.listen()).status).to.equal(200);
  });

  it('is free where its client closes it, however often', async () => {
    const { kernel, port } = await wireServer();
    const client = await WireClient.open(port);
    for (let count = 0; count < 4; count++) {
      const stream = await client.listen();
      expect(stream.status).to.equal(200);
      await stream.drop();
      await until(() => connectionsOf(kernel) === 0 || undefined);
    }
  });

  it('asks nothing again that was answered, cancelled, or whose call is over', async () => {
    const { port } = await wireServer({}, [asks]);
    const client = await WireClient.open(port, undefined, { capabilities: { elicitation: {} } });
    const calls = [];
    for (const id of ['answered', 'cancelled']) {
      const call = await client.startCall('asks', {}, { id });
      calls.push(await call.first(({ message }) => message?.method === 'elicitation/create'));
    }
    await client.post({ id: calls[0]?.message?.id, result: { action: 'decline' } });
    await client.post({ method: 'notifications/cancelled', params: { requestId: 'cancelled' } });
    await client.listen();
    const newer = await client.listen();
    await newer.first(({ message }) => message?.method === 'notifications/tools/list_changed');
    expect(newer.events.filter(({ message }) => message?.method === 'elicitation/create')).to.deep.equal([]);
  });

  it('is told of every list where its client does not say what it has: what was sent to a dead connection counts for nothing', async () => {
    const { port } = await wireServer();
    const client = await WireClient.open(port);
    await halfOpen(client);
    const newer = await client.listen();
    for (const list of ['tools', 'prompts', 'resources'])
      await newer.first(({ message }) => message?.method === `notifications/${list}/list_changed`);
  });
});

describe('the stream of a call that has a connection already', () => {
  it('goes over to the connection that goes on with it, and its answer comes there', async () => {
    const { port } = await wireServer({}, [asks]);
    const client = await WireClient.open(port, undefined, { capabilities: { elicitation: {} } });
    const older = await client.startCall('asks', {}, { id: 'a call' });
    const asked = await older.first(({ message }) => message?.method === 'elicitation/create');
    const newer = await client.listen(older.events[0]?.id);
    expect(newer.status).to.equal(200);
    await older.end();
    expect((await client.listen(older.events[0]?.id)).status, 'a third one').to.equal(409);
    await client.post({ id: asked.message?.id, result: { action: 'decline' } });
    await newer.first(({ message }) => message?.id === 'a call');
  });
});
