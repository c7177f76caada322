import { Agent } from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { apiVersion, definePlugin } from '../../../../../../kernel/index.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { ended, pidsIn } from '../../../../executor-command/processes.ts';
import { type Answer, type EventStream, raw, send, token, until, wireServer } from '../../../support/wire.ts';
import { initialize, open, WireClient } from '../../../support/wire-client.ts';
import { Hold, napTool } from '../../../support/wire-tools.ts';

const idleMs = 400;

const pingOf = async (client: WireClient): Promise<number> => (await client.post({ id: 'ping', method: 'ping' })).status;

const answerOf = (stream: EventStream): Promise<unknown> =>
  stream.first(({ message }) => message?.id !== undefined).then(({ message }) => message?.result?.content);

describe('sessions over HTTP', () => {
  describe('at their limit', () => {
    it('let nobody else in while all of them have streams or calls, and go on', async () => {
      const hold = new Hold();
      const { port } = await wireServer({ maxSessions: 2 }, [hold.tool]);
      const [listening, calling] = [await WireClient.open(port), await WireClient.open(port)];
      const stream = await listening.listen();
      const call = await calling.startCall('hold');
      await hold.run(0);
      const refused = await open(port);
      expect(refused.status).to.equal(503);
      expect(refused.headers).to.include({ 'retry-after': '30' }).and.not.have.property('mcp-session-id');
      expect(JSON.parse(refused.body)).to.have.nested.property('error.code', -32000);
      expect(refused.body).to.include('Too many sessions are open, and all of them are in use.');
      expect((await listening.call('echo', { text: 'x' })).result).to.not.have.property('isError');
      (await hold.run(0)).release();
      expect(await answerOf(call)).to.deep.equal([{ type: 'text', text: 'released' }]);
      expect(stream.isOver).to.equal(false);
      expect((await send(port, { method: 'GET', path: '/health' })).status).to.equal(200);
    });

    it('end the one that was not used for longest for a new one', async () => {
      const { port } = await wireServer({ maxSessions: 3 });
      const clients = [await WireClient.open(port), await WireClient.open(port), await WireClient.open(port)];
      const [first, second, third] = clients as [WireClient, WireClient, WireClient];
      await pingOf(first);
      const stream = await second.listen();
      const newcomer = await WireClient.open(port);
      expect([await pingOf(third), await pingOf(first), await pingOf(second)]).to.deep.equal([404, 200, 200]);
      expect(stream.isOver).to.equal(false);
      expect(await pingOf(newcomer)).to.equal(200);
    });

    it('keep a session whose call goes on without a connection', async () => {
      const hold = new Hold();
      const { port } = await wireServer({ maxSessions: 1 }, [hold.tool]);
      const client = await WireClient.open(port);
      const stream = await client.startCall('hold');
      const run = await hold.run(0);
      await stream.drop();
      expect((await open(port)).status).to.equal(503);
      expect(run.signal.aborted).to.equal(false);
    });

    it('give their place to another when one ends', async () => {
      const { port } = await wireServer({ maxSessions: 1 });
      const client = await WireClient.open(port);
      await client.listen();
      expect((await open(port)).status).to.equal(503);
      expect((await client.end()).status).to.equal(200);
      expect((await open(port)).status).to.equal(200);
    });

    it('are never more than that when many come at once', async () => {
      const { port, kernel } = await wireServer({ maxSessions: 3 });
      const body = JSON.stringify(initialize);
      const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream`;
      const request = `POST /mcp HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const last = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      // On one connection they come at once.
      const answers = await raw(port, request.repeat(12) + last, { staysOpen: true });
      const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)).slice(0, -1);
      expect(statuses).to.have.lengthOf(12);
      expect(statuses.filter((status) => ![200, 503].includes(status))).to.deep.equal([]);
      expect(statuses.filter((status) => status === 200)).to.have.lengthOf.at.least(3);
      expect(kernel.status()['sessions']).to.deep.include({ open: 3, maxSessions: 3, callers: { default: 3 } });
    });

    const refused: readonly { title: string; body: string }[] = [
      { title: 'one whose id is null', body: JSON.stringify({ ...initialize, id: null }) },
      { title: 'one without an id', body: JSON.stringify({ ...initialize, id: undefined }) },
      { title: 'one without parameters', body: JSON.stringify({ ...initialize, params: undefined }) },
    ];
    for (const { title, body } of refused) {
      it(`keep no place for an "initialize" that is refused: ${title}`, async () => {
        const { port } = await wireServer({ maxSessions: 1 });
        expect((await send(port, { body })).status).to.equal(400);
        expect((await open(port)).status).to.equal(200);
      });
    }
  });

  describe('without a request', () => {
    /** The ends of sessions that nobody uses, by their timers: they come when a test says so, and not when this machine is busy. */
    const ends = new Map<unknown, () => void>();

    beforeEach(() => {
      const { setTimeout: set, clearTimeout: clear } = globalThis;
      const setting = (end: () => void, ms?: number, ...rest: []): unknown => {
        const timer = set(end, ms === idleMs ? 1e9 : ms, ...rest);
        if (ms === idleMs) ends.set(timer, end);
        return timer;
      };
      const clearing = (timer: NodeJS.Timeout | undefined): void => {
        ends.delete(timer);
        clear(timer);
      };
      sinon.stub(globalThis, 'setTimeout').callsFake(setting as never);
      sinon.stub(globalThis, 'clearTimeout').callsFake(clearing as never);
    });

    afterEach(() => {
      sinon.restore();
      ends.clear();
    });

    /** Lets the time of unused sessions pass until one more is let in, which is when another has ended. */
    const roomAt = (port: number): Promise<Answer> =>
      until(async () => {
        for (const [timer, end] of ends) {
          clearTimeout(timer as NodeJS.Timeout);
          end();
        }
        const answer = await open(port);
        return answer.status === 200 ? answer : undefined;
      });

    it('end after a while', async () => {
      const { port } = await wireServer({ maxSessions: 1, sessionIdleMs: idleMs });
      const client = await WireClient.open(port);
      await roomAt(port);
      expect(await pingOf(client)).to.equal(404);
    });

    it('stay for as long as they have a stream', async () => {
      const { port } = await wireServer({ maxSessions: 2, sessionIdleMs: idleMs });
      const listening = await WireClient.open(port);
      const stream = await listening.listen();
      const idle = await WireClient.open(port);
      await roomAt(port);
      expect(await pingOf(idle)).to.equal(404);
      expect(await pingOf(listening)).to.equal(200);
      await stream.drop();
      await roomAt(port);
      await roomAt(port);
      expect(await pingOf(listening)).to.equal(404);
    });

    it('stay for as long as a call runs', async () => {
      const hold = new Hold();
      const { port } = await wireServer({ maxSessions: 2, sessionIdleMs: idleMs }, [hold.tool]);
      const calling = await WireClient.open(port);
      const stream = await calling.startCall('hold');
      const idle = await WireClient.open(port);
      await roomAt(port);
      expect(await pingOf(idle)).to.equal(404);
      (await hold.run(0)).release();
      expect(await answerOf(stream)).to.deep.equal([{ type: 'text', text: 'released' }]);
      expect(await pingOf(calling)).to.equal(200);
    });
  });

  describe('ended by DELETE', () => {
    it('end their calls, the programs of those, and their streams', async () => {
      const hold = new Hold();
      const { port } = await wireServer({}, [hold.tool, napTool]);
      const client = await WireClient.open(port);
      const file = path.join(await temporaryFolder(), 'pid');
      const streams = [await client.listen(), await client.startCall('hold'), await client.startCall('nap', { file })];
      const pids = await pidsIn(file);
      await hold.run(0);
      expect((await client.end()).status).to.equal(200);
      await Promise.all([hold.cancelled(0), ended(pids), ...streams.map((stream) => stream.end())]);
      expect(await pingOf(client)).to.equal(404);
      expect((await client.end()).status).to.equal(404);
      expect((await client.listen()).status).to.equal(404);
    });

    it('leave the others alone', async () => {
      const hold = new Hold();
      const { port } = await wireServer({}, [hold.tool]);
      const [leaving, staying] = [await WireClient.open(port), await WireClient.open(port)];
      const stream = await staying.startCall('hold');
      await leaving.end();
      (await hold.run(0)).release();
      expect(await answerOf(stream)).to.deep.equal([{ type: 'text', text: 'released' }]);
    });
  });

  describe('of one caller', () => {
    it('are not there for another, who can neither use nor end them', async () => {
      const { port } = await wireServer({ tokens: [{ name: 'other', token: 'other-token' }] });
      const client = await WireClient.open(port);
      const other = await WireClient.open(port, 'other-token');
      const headers = { ...other.headers, 'mcp-session-id': client.sessionId };
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const unknown = await send(port, { headers: { ...headers, 'mcp-session-id': 'unknown' }, body });
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await send(port, { method, headers, ...(method === 'POST' ? { body } : {}) });
        // An error has the id of its request, and only what is posted has one.
        const told = method === 'POST' ? unknown.body : unknown.body.replace('"id":1', '"id":null');
        expect([answer.status, answer.body], method).to.deep.equal([404, told]);
      }
      expect([await pingOf(client), await pingOf(other)]).to.deep.equal([200, 200]);
    });
  });

  describe('with calls', () => {
    it('answer twenty at once, each with its own id, in the order in which they end', async () => {
      const hold = new Hold();
      const { port } = await wireServer({}, [hold.tool]);
      const client = await WireClient.open(port);
      const order: number[] = [];
      const numbers = Array.from({ length: 20 }, (_, index) => index);
      const held = [];
      for (const number of numbers) {
        const stream = await client.startCall('hold', {}, { id: `call ${number}` });
        await hold.run(number);
        held.push(stream.first(({ message }) => message?.id === `call ${number}`).then(() => order.push(number)));
      }
      const agent = new Agent({ keepAlive: true });
      const echoed = await Promise.all(numbers.map((number) => client.call('echo', { text: `text ${number}` }, agent)));
      agent.destroy();
      expect(echoed.map(({ result }) => JSON.stringify(result?.content).includes('text '))).to.not.include(false);
      expect(new Set(echoed.map(({ result }) => JSON.stringify(result))).size).to.equal(20);
      for (const number of numbers.toReversed()) {
        (await hold.run(number)).release();
        await held[number];
      }
      expect(order).to.deep.equal(numbers.toReversed());
    });

    for (const id of [7, 'seven', 0]) {
      it(`end one that the client cancels, and its stream, when its id is ${JSON.stringify(id)}`, async () => {
        const hold = new Hold();
        const { port } = await wireServer({}, [hold.tool]);
        const client = await WireClient.open(port);
        const stream = await client.startCall('hold', {}, { id });
        await hold.run(0);
        expect((await client.post({ method: 'notifications/cancelled', params: { requestId: id } })).status).to.equal(202);
        await hold.cancelled(0);
        await stream.end();
        expect(stream.events.filter(({ message }) => message !== undefined)).to.deep.equal([]);
        expect(await pingOf(client)).to.equal(200);
      });
    }
  });

  it('hear on their stream of tools that came with a reload, also of those that they missed', async () => {
    const names = ['first'];
    const source = definePlugin({
      name: 'source',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('source', (sink) => {
          for (const name of names) sink.addTool(echoTool({ name }), {});
        }),
    });
    const { port, kernel } = await wireServer({ more: [source()] });
    const client = await WireClient.open(port);
    const stream = await client.listen();
    names.push('second');
    await kernel.reload();
    const { id } = await stream.first(({ message }) => message?.method === 'notifications/tools/list_changed');
    expect(JSON.stringify((await client.request('tools/list')).result)).to.include('second');
    await stream.drop();
    names.push('third');
    await kernel.reload();
    const again = await until(async () => {
      const resumed = await client.listen(id);
      return resumed.status === 200 ? resumed : undefined;
    });
    const missed = await again.first(({ message }) => message?.method === 'notifications/tools/list_changed');
    expect(missed.id).to.not.equal(id);
  });
});
