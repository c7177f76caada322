import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../../../kernel/index.ts';
import { limitCircuit } from '../../../../../../plugins/limit-circuit/index.ts';
import { limitRate } from '../../../../../../plugins/limit-rate/index.ts';
import { EventLog, eventLogs } from '../../../../../../plugins/mcp/transports/http/sessions/event-log.ts';
import { send, token, until, type WireOptions, wireServer } from '../../../support/wire.ts';
import { open, WireClient } from '../../../support/wire-client.ts';
import { Hold } from '../../../support/wire-tools.ts';

const names = ['ada', 'bob', 'cyd'] as const;
const tokens = names.map((name) => ({ name, token: `token-of-${name}` }));

const openAs = (port: number, name: string): Promise<WireClient> => WireClient.open(port, `token-of-${name}`);

const statusOf = async (client: WireClient): Promise<number> => (await client.post({ id: 'ping', method: 'ping' })).status;

/** Tells the tenant of each call. */
function witnessed() {
  const tenants: string[] = [];
  const witness = definePlugin({
    name: 'witness',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.beforeExecute.tap('witness', (_draft, { tenant }) => {
        tenants.push(tenant);
        return undefined;
      }),
  });
  return { tenants, more: [witness()] };
}

describe('the share that a call over HTTP uses', () => {
  it('is that of its session where there is one token, under a name that is no way in', async () => {
    const { tenants, more } = witnessed();
    const { port } = await wireServer({ more });
    const [first, second] = [await WireClient.open(port), await WireClient.open(port)];
    for (const client of [first, second, first]) await client.call('echo', { text: 'x' });
    expect(tenants).to.deep.equal(['session 1', 'session 2', 'session 1']);
  });

  it('is that of its caller where there are several tokens', async () => {
    const { tenants, more } = witnessed();
    const { port } = await wireServer({ more, tokens });
    for (const client of [await openAs(port, 'ada'), await openAs(port, 'ada'), await WireClient.open(port)])
      await client.call('echo', { text: 'x' });
    expect(tenants).to.deep.equal(['ada', 'ada', 'default']);
  });
});

describe('sessions of several callers', () => {
  const server = (options: WireOptions = {}) => wireServer({ tokens, ...options });

  it('are half of all at most: the next one of a caller takes the place of its own', async () => {
    const { port, kernel } = await server({ maxSessions: 4 });
    const clients: WireClient[] = [];
    for (const name of ['bob', 'ada', 'ada', 'ada']) clients.push(await openAs(port, name));
    expect(await Promise.all(clients.map(statusOf))).to.deep.equal([200, 404, 200, 200]);
    expect(kernel.status()['sessions']).to.deep.include({ open: 3, callers: { bob: 1, ada: 2 } });
  });

  it('are refused to a caller whose half is in use, and to nobody else', async () => {
    const { port } = await server({ maxSessions: 4 });
    for (const client of [await openAs(port, 'ada'), await openAs(port, 'ada')]) expect((await client.listen()).status).to.equal(200);
    const refused = await open(port, { authorization: 'Bearer token-of-ada' });
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '30']);
    expect(refused.body).to.include('Your 2 sessions are all that one caller may have, and all of them are in use. End one with DELETE');
    await openAs(port, 'bob');
  });

  it('give way to a newcomer where their caller has most', async () => {
    const { port } = await server({ maxSessions: 5 });
    const clients: WireClient[] = [];
    for (const name of ['bob', 'ada', 'ada', 'cyd', 'bob']) clients.push(await openAs(port, name));
    await Promise.all([clients[0]?.listen(), clients[4]?.listen()]);
    expect(await statusOf(await WireClient.open(port))).to.equal(200);
    expect(await Promise.all(clients.map(statusOf))).to.deep.equal([200, 404, 200, 200, 200]);
  });

  it('do not give way to a caller who has as many', async () => {
    const { port } = await server({ maxSessions: 4 });
    const ada = [await openAs(port, 'ada'), await openAs(port, 'cyd')];
    const busy = await openAs(port, 'bob');
    await busy.listen();
    await WireClient.open(port).then((client) => client.listen());
    expect((await open(port, { authorization: 'Bearer token-of-bob' })).status).to.equal(503);
    expect(await Promise.all(ada.map(statusOf))).to.deep.equal([200, 200]);
  });
});

describe('what one tenant has at the same time', () => {
  it('is maxRequests calls: more are refused as results to try again, while other sessions and cancelling go on', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer({ maxRequests: 2 }, [hold.tool]);
    const [greedy, other] = [await WireClient.open(port), await WireClient.open(port)];
    const streams = [await greedy.startCall('hold', {}, { id: 'first' }), await greedy.startCall('hold')];
    await hold.run(1);
    const { result } = await greedy.call('echo', { text: 'x' });
    expect(result?.['isError']).to.equal(true);
    expect(JSON.stringify(result?.['content'])).to.include(
      'RATE_LIMITED: This was refused: 2 requests of yours run already (maxRequests). Wait until some have ended, or cancel some, and send it again. Wait 1 s before calling again.',
    );
    expect(result).to.have.nested.property('_meta.toolkit/error.retryable', true);
    const { error } = await greedy.request('resources/list');
    expect(error?.message).to.include('RATE_LIMITED');
    expect(await statusOf(greedy)).to.equal(200);
    expect((await other.call('echo', { text: 'x' })).result).to.not.have.property('isError');
    expect(kernel.status()['sessions']).to.have.nested.property('inUse.session 1.requests', 2);
    await greedy.post({ method: 'notifications/cancelled', params: { requestId: 'first' } });
    await hold.cancelled(0);
    await streams[0]?.end();
    expect((await greedy.call('echo', { text: 'x' })).result).to.not.have.property('isError');
  });

  it('is maxConnections requests and streams: more are answered with 429, while other sessions and DELETE go on', async () => {
    const { port } = await wireServer({ maxConnections: 1 });
    const [greedy, other] = [await WireClient.open(port), await WireClient.open(port)];
    const stream = await greedy.listen();
    const refused = await greedy.post({ id: 1, method: 'ping' });
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '1']);
    expect(refused.body).to.include('1 connections of yours are open already (maxConnections)');
    expect(await statusOf(other)).to.equal(200);
    await stream.drop();
    await until(async () => (await statusOf(greedy)) === 200 || undefined);
    await greedy.listen();
    expect((await greedy.end()).status).to.equal(200);
  });
});

describe('the events that are kept for sessions', () => {
  it('give way in the longest log of the tenant who has most, not in the longest log of all', async () => {
    const logs = eventLogs({ maxEvents: 100, maxBytes: 10_000, maxTotalBytes: 1000 });
    const store = (log: EventLog, bytes: number): number => log.store('s', 'x'.repeat(bytes), false);
    const long = new EventLog(logs, 'bob');
    const numbers = [store(long, 180), store(long, 180)];
    const short = Array.from({ length: 10 }, () => new EventLog(logs, 'ada'));
    for (const log of short) store(log, 130);
    expect(numbers.map((number) => long.has({ isOwn: true, number, stream: 's' }))).to.deep.equal([true, true]);
    expect(short.filter(({ bytes }) => bytes === 0)).to.have.length.above(0);
  });
});

describe('/health', () => {
  const health = async (port: number, authorization?: string): Promise<Record<string, unknown>> =>
    JSON.parse((await send(port, { method: 'GET', path: '/health', headers: { authorization } })).body) as Record<string, unknown>;
  const plain = { status: 'ok', tools: 1 };

  it('tells the only token what is in use', async () => {
    const { port } = await wireServer();
    const client = await WireClient.open(port);
    await client.listen();
    const { state, ...rest } = await health(port, `Bearer ${token}`);
    expect(rest).to.deep.equal(plain);
    expect(state).to.have.deep.property('sessions', {
      open: 1,
      maxSessions: 1000,
      callers: { default: 1 },
      inUse: { 'session 1': { requests: 0, connections: 1, subscriptions: 0 } },
      unproven: 1,
    });
    expect(JSON.stringify(state)).to.not.include(client.sessionId);
  });

  it('tells which circuits are open and which calls wait, as other plugins say', async () => {
    const hold = new Hold();
    const { port } = await wireServer({ more: [limitRate(), limitCircuit()] }, [{ ...hold.tool, rate_limit: { concurrency: 1 } }]);
    const client = await WireClient.open(port);
    for (const _ of [1, 2]) await client.startCall('hold');
    const waiting = { 'the tool "hold"': { running: { taken: 1, waiting: { 'session 1': 1 } } } };
    await until(async () => {
      const { state } = await health(port, `Bearer ${token}`);
      return JSON.stringify((state as Record<string, unknown>)['queues']) === JSON.stringify(waiting) || undefined;
    });
    expect((await health(port, `Bearer ${token}`))['state']).to.deep.include({ circuits: { notClosed: [] }, queues: waiting });
  });

  const several = { tokens: [...tokens, { name: 'olga', token: 'token-of-olga', operator: true }] };
  const cases: readonly { title: string; options: WireOptions; authorization?: string; isTold: boolean }[] = [
    { title: 'nobody without a token', options: {}, isTold: false },
    { title: 'nobody with a wrong token', options: {}, authorization: 'Bearer wrong', isTold: false },
    { title: 'an operator among several', options: several, authorization: 'Bearer token-of-olga', isTold: true },
    { title: 'no other of several', options: several, authorization: 'Bearer token-of-ada', isTold: false },
    { title: 'no token of several where none is an operator', options: { tokens }, authorization: `Bearer ${token}`, isTold: false },
  ];
  for (const { title, options, authorization, isTold } of cases) {
    it(`tells ${title} ${isTold ? 'what is in use' : 'more than its status and its tools'}`, async () => {
      const { port } = await wireServer(options);
      const { state, ...rest } = await health(port, authorization);
      expect(rest).to.deep.equal(plain);
      expect(state !== undefined).to.equal(isTold);
    });
  }
});
