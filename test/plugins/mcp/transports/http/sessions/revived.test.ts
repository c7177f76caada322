import { expect } from 'chai';
import { stoppedDate } from '../../../../../support/stopped-date.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { until, type WireOptions, type WireServer, wireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { Hold } from '../../../support/wire-tools.ts';

const changed = ['tools', 'resources', 'prompts'].map((list) => `notifications/${list}/list_changed`);

const statusOf = async (client: WireClient): Promise<number> => (await client.post({ id: 'ping', method: 'ping' })).status;

/** A server that is started after another one has ended, with the same key. */
async function restarted(server: WireServer, options: WireOptions = {}, tools: readonly unknown[] = []): Promise<WireServer> {
  await server.kernel.close();
  return wireServer(options, tools);
}

/** A client of a server that has ended since, at the one that was started after it. */
async function survivor(options: WireOptions = {}, tools: readonly unknown[] = [], said: object = {}) {
  const before = await wireServer(options, tools);
  const client = await WireClient.open(before.port, undefined, said);
  const server = await restarted(before, options, tools);
  return { server, client: client.at(server.port) };
}

/** Asks the person at the client, and says what the answer was. */
const asking = echoTool({
  name: 'asking',
  parameters: {},
  execution: {
    type: 'function',
    handler: async (_: unknown, { client }: { client: { elicit?(question: object): Promise<{ action: string }> } }) =>
      client.elicit === undefined
        ? 'cannot ask'
        : (await client.elicit({ message: 'Well?', schema: { type: 'object', properties: {} } })).action,
  },
});

describe('a session over HTTP whose server was started again', () => {
  it('goes on: calls, lists, and what only the protocol library answers', async () => {
    const { client, server } = await survivor();
    expect((await client.call('echo', { text: 'on' })).result)
      .to.have.nested.property('content[0].text')
      .that.includes('on');
    expect((await client.request('tools/list')).result).to.have.nested.property('tools[0].name', 'echo');
    expect((await client.request('resources/list')).result).to.deep.equal({ resources: [] });
    expect((await client.request('ping')).result).to.deep.equal({});
    expect(server.kernel.status()['sessions']).to.deep.include({ open: 1, callers: { default: 1 } });
  });

  it('keeps its id', async () => {
    const { client } = await survivor();
    expect((await client.post({ id: 1, method: 'ping' })).headers['mcp-session-id']).to.equal(client.sessionId);
  });

  it('has an id of visible ASCII, another one each time', async () => {
    const { port } = await wireServer();
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await WireClient.open(port)).sessionId));
    expect(new Set(ids).size).to.equal(20);
    for (const id of ids) expect(id).to.match(/^[\x21-\x7e]{100,1000}$/);
  });

  it('knows what its client can be asked', async () => {
    const { client } = await survivor({}, [asking], { capabilities: { elicitation: {} } });
    const stream = await client.startCall('asking');
    const { message } = await stream.first(({ message: told }) => told?.method === 'elicitation/create');
    await client.post({ id: message?.id, result: { action: 'decline' } });
    const { message: answer } = await stream.first(({ message: told }) => told?.result !== undefined);
    expect(answer?.result).to.have.nested.property('content[0].text', 'decline');
    const { client: silent } = await survivor({}, [asking]);
    expect((await silent.call('asking')).result).to.have.nested.property('content[0].text', 'cannot ask');
  });

  it('tells its client once, when it listens, that every list may have changed', async () => {
    const { client } = await survivor();
    await client.request('ping');
    const stream = await client.listen();
    await stream.first(({ message }) => message?.method === changed[2]);
    await client.request('ping');
    expect(stream.events.map(({ message }) => message?.method).filter(Boolean)).to.deep.equal(changed);
    await stream.drop();
    const again = await until(async () => {
      const next = await client.listen();
      return next.status === 409 ? undefined : next;
    });
    await again.first(() => true);
    await client.request('ping');
    expect(again.events.map(({ message }) => message?.method).filter(Boolean)).to.deep.equal([]);
  });

  it('opens its stream to a client that comes back with an event of before, and repeats nothing', async () => {
    const before = await wireServer();
    const first = await WireClient.open(before.port);
    const listening = await first.listen();
    const { id = '' } = await listening.first(() => true);
    const server = await restarted(before);
    const client = first.at(server.port);
    const stream = await client.listen(id);
    expect(stream.status).to.equal(200);
    await stream.first(({ message }) => message?.method === changed[2]);
    await client.request('ping');
    expect(stream.events.map(({ message }) => message?.method).filter(Boolean)).to.deep.equal(changed);
    expect(stream.events.map((event) => event.id)).to.not.include(id);
  });

  it('answers a client that comes back for a call of before with an error', async () => {
    const hold = new Hold();
    const before = await wireServer({}, [hold.tool]);
    const first = await WireClient.open(before.port);
    const call = await first.startCall('hold', {}, { id: 'lost' });
    await hold.run(0);
    const { id = '' } = await call.first(() => true);
    const server = await restarted(before, {}, [hold.tool]);
    const stream = await first.at(server.port).listen(id);
    const { message } = await stream.first(() => true);
    expect(message).to.deep.include({ id: 'lost' }).and.have.nested.property('error.code', -32000);
    expect(message?.error?.message).to.include('the server was started again while it ran');
    await stream.end();
    expect(hold.runs).to.have.lengthOf(1);
  });

  it('goes on after every restart', async () => {
    let { client, server } = await survivor();
    for (let times = 0; times < 3; times++) {
      expect(await statusOf(client)).to.equal(200);
      server = await restarted(server);
      client = client.at(server.port);
    }
    expect(await statusOf(client)).to.equal(200);
  });

  it('can be ended, and then stays ended after a restart', async () => {
    const { client, server } = await survivor();
    expect((await client.end()).status).to.equal(200);
    expect(await statusOf(client)).to.equal(404);
    expect(await statusOf(client.at((await restarted(server)).port))).to.equal(404);
  });

  it('stays ended where its client ended it before', async () => {
    const before = await wireServer();
    const client = await WireClient.open(before.port);
    await client.end();
    const server = await restarted(before);
    expect(await statusOf(client.at(server.port))).to.equal(404);
    expect((await client.at(server.port).end()).status).to.equal(404);
  });

  it('ends when it is idle, and is not revived again by the server that ended it', async () => {
    const { client, server } = await survivor({ sessionIdleMs: 50 });
    expect(await statusOf(client)).to.equal(200);
    await until(() => (server.kernel.status()['sessions'] as { open: number }).open === 0 || undefined);
    expect(await statusOf(client)).to.equal(404);
    expect(await statusOf(client.at((await restarted(server)).port))).to.equal(200);
  });

  it('is not revived for another caller, and still is for its own', async () => {
    const tokens = ['ada', 'bob'].map((name) => ({ name, token: `token-of-${name}` }));
    const before = await wireServer({ tokens });
    const client = await WireClient.open(before.port, 'token-of-ada');
    const server = await restarted(before, { tokens });
    expect(await statusOf(client.at(server.port, { authorization: 'Bearer token-of-bob' }))).to.equal(404);
    expect(await statusOf(client.at(server.port, { authorization: 'Bearer token-of-cyd' }))).to.equal(401);
    expect(await statusOf(client.at(server.port))).to.equal(200);
    expect(await statusOf(client.at(server.port, { authorization: 'Bearer token-of-bob' }))).to.equal(404);
  });

  it('takes a place like a new one: of idle ones, and none where all are in use', async () => {
    const options = { maxSessions: 2 };
    const before = await wireServer(options);
    const [first, second] = [await WireClient.open(before.port), await WireClient.open(before.port)];
    const server = await restarted(before, options);
    const [newA, newB] = [await WireClient.open(server.port), await WireClient.open(server.port)];
    const stream = await newA.listen();
    expect(await statusOf(first.at(server.port))).to.equal(200);
    expect(await statusOf(newB)).to.equal(404);
    const firstStream = await first.at(server.port).listen();
    const refused = await second.at(server.port).post({ id: 1, method: 'ping' });
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '30']);
    await Promise.all([stream.drop(), firstStream.drop()]);
  });

  it('takes at most half of the places where there are several callers', async () => {
    const options = { maxSessions: 4, tokens: [{ name: 'ada', token: 'token-of-ada' }] };
    const before = await wireServer(options);
    const servers = [before, await wireServer(options)];
    const clients = [];
    for (const { port } of servers) for (let times = 0; times < 2; times++) clients.push(await WireClient.open(port, 'token-of-ada'));
    await Promise.all(servers.map(({ kernel }) => kernel.close()));
    const server = await wireServer(options);
    for (const client of clients) await statusOf(client.at(server.port));
    expect(server.kernel.status()['sessions']).to.deep.include({ open: 2, callers: { ada: 2 } });
  });
});

describe('a session over HTTP that cannot be revived', () => {
  const large = { experimental: { x: { text: 'x'.repeat(1024) } } };
  for (const { what, said } of [
    { what: 'capabilities over 1 kB', said: { capabilities: large } },
    { what: 'a name over 200 bytes', said: { clientInfo: { name: 'é'.repeat(101), version: '1' } } },
  ]) {
    it(`because its client has ${what}, works, and is unknown after a restart`, async () => {
      const before = await wireServer();
      const client = await WireClient.open(before.port, undefined, said);
      expect([await statusOf(client), client.sessionId.length]).to.deep.equal([200, 36]);
      const server = await restarted(before);
      expect(await statusOf(client.at(server.port))).to.equal(404);
    });
  }

  const changes: readonly { what: string; change: (id: string) => string }[] = [
    { what: 'one letter is another', change: (id) => `${id.slice(0, 40)}${id[40] === 'A' ? 'B' : 'A'}${id.slice(41)}` },
    { what: 'its last letter is missing', change: (id) => id.slice(0, -1) },
    { what: 'it is there twice', change: (id) => id + id },
    { what: 'it has padding', change: (id) => `${id}=` },
    { what: 'its caller is another', change: (id) => withCaller(id, 'operator') },
    { what: 'it is a UUID', change: () => '6f1b3a3c-0d9c-4c58-9f0c-0f4f5d3c2b1a' },
    { what: 'it is __proto__', change: () => '__proto__' },
    { what: 'it is empty', change: () => '' },
    { what: 'it is very long', change: (id) => id.repeat(20) },
  ];
  for (const { what, change } of changes) {
    it(`because of its id ${what}, is unknown`, async () => {
      const { client } = await survivor();
      expect(await statusOf(client.at(client.port, { 'mcp-session-id': change(client.sessionId) }))).to.equal(404);
      expect(await statusOf(client)).to.equal(200);
    });
  }

  for (const { what, env } of [
    { what: 'another key', env: async () => ({ TOOLKIT_KEY: 'another key of thirty-two bytes or more' }) },
    { what: 'another state folder', env: async () => ({ XDG_STATE_HOME: await temporaryFolder() }) },
  ]) {
    it(`because the server has ${what}, is unknown`, async () => {
      const before = await wireServer();
      const client = await WireClient.open(before.port);
      await before.kernel.close();
      const { port } = await withEnvironment(await env(), () => wireServer());
      expect(await statusOf(client.at(port))).to.equal(404);
    });
  }

  it('is revived with the key before', async () => {
    const old = 'the first key of thirty-two bytes or more';
    const before = await withEnvironment({ TOOLKIT_KEY: old }, () => wireServer());
    const client = await WireClient.open(before.port);
    await before.kernel.close();
    const next = { TOOLKIT_KEY: 'another key of thirty-two bytes or more', TOOLKIT_KEY_PREVIOUS: old };
    const { port } = await withEnvironment(next, () => wireServer());
    expect(await statusOf(client.at(port))).to.equal(200);
  });

  describe('after a week', () => {
    const { tick } = stoppedDate();

    for (const { ms, status } of [
      { ms: 7 * 24 * 3_600_000 - 1, status: 200 },
      { ms: 7 * 24 * 3_600_000, status: 404 },
    ]) {
      it(`is ${status === 200 ? 'still revived a millisecond before' : 'unknown'}`, async () => {
        const before = await wireServer();
        const client = await WireClient.open(before.port);
        const server = await restarted(before);
        tick(ms);
        expect(await statusOf(client.at(server.port))).to.equal(status);
      });
    }
  });
});

/** The id with another caller in what it says, and its old signature. */
function withCaller(id: string, caller: string): string {
  const bytes = Buffer.from(id, 'base64url');
  const payload = { ...(JSON.parse(bytes.toString('utf8', 23, bytes.length - 32)) as object), caller };
  return Buffer.concat([bytes.subarray(0, 23), Buffer.from(JSON.stringify(payload)), bytes.subarray(-32)]).toString('base64url');
}

async function withEnvironment<T>(env: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
