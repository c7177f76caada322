import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { forFile, type Started, start } from '../../../e2e/program.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { until } from '../../../support/until.ts';
import { dispatch, EventStream, type Message, messagesOf, send, token, wireServer } from '../support/wire.ts';
import { initialize } from '../support/wire-client.ts';
import { Hold } from '../support/wire-tools.ts';

const batching = '2025-03-26';

const opening = (version: string): string => JSON.stringify({ ...initialize, params: { ...initialize.params, protocolVersion: version } });
const request = (id: unknown, method = 'ping', params: object = {}): object => ({ jsonrpc: '2.0', id, method, params });
const note = { jsonrpc: '2.0', method: 'notifications/nothing' };
const pings = (count: number): readonly object[] => Array.from({ length: count }, (_, id) => request(id));

/** Sends a batch in a session of this version. Returns each message that came back, and a list for several that came as one. */
type Ask = (version: string, batch: string) => Promise<readonly (Message | readonly Message[])[]>;

/** Over stdio, one server for all batches of a version. */
const servers = new Map<string, Started>();

async function serverOf(version: string): Promise<Started> {
  const known = servers.get(version);
  if (known !== undefined) return known;
  const server = await forFile(async () => start(['mcp'], { cwd: await temporaryFolder() }));
  server.child.stdin?.write(`${opening(version)}\n`);
  servers.set(version, server);
  return server;
}

const transports: Readonly<Record<string, Ask>> = {
  stdio: async (version, batch) => {
    const { child, stdout } = await serverOf(version);
    const id = randomUUID();
    child.stdin?.write(`${JSON.stringify(request(`before ${id}`))}\n`);
    await until(() => stdout().includes(`before ${id}`) || undefined);
    child.stdin?.write(`${batch}\n`);
    // What the library answers comes later than what is answered here.
    child.stdin?.write(`${JSON.stringify(request(`after ${id}`, 'prompts/list'))}\n`);
    const text = await until(() => (stdout().includes(`after ${id}`) && stdout().endsWith('\n') ? stdout() : undefined));
    const lines = text.trimEnd().split('\n');
    const between = lines.slice(lines.findIndex((line) => line.includes(`before ${id}`)) + 1);
    return between.filter((line) => !line.includes(id)).map((line) => JSON.parse(line) as Message | Message[]);
  },
  HTTP: async (version, batch) => {
    const { port } = await wireServer();
    const answer = await send(port, { headers: await sessionOf(port, version), body: batch });
    const isStream = answer.headers['content-type'] === 'text/event-stream';
    if (answer.body === '') return [];
    return [isStream ? messagesOf(answer) : (JSON.parse(answer.body) as Message | Message[])];
  },
};

async function sessionOf(port: number, version = batching): Promise<Readonly<Record<string, string>>> {
  const { headers } = await send(port, { body: opening(version) });
  return { authorization: `Bearer ${token}`, 'mcp-session-id': String(headers['mcp-session-id']) };
}

/** Id and error code of each answer; the code is 0 for a result. */
const shortened = (answers: readonly Message[]): readonly unknown[] => answers.map(({ id, error }) => [id, error?.code ?? 0]);

const taken: readonly (readonly [what: string, batch: readonly unknown[], answers: readonly (readonly [id: unknown, code: number])[]])[] = [
  [
    'two requests',
    pings(2),
    [
      [0, 0],
      [1, 0],
    ],
  ],
  ['one request', [request('only')], [['only', 0]]],
  [
    'requests of all who answer them, and a notification',
    [request(1, 'tools/list'), note, request(2, 'resources/list'), request(3, 'no/such')],
    [
      [1, 0],
      [2, 0],
      [3, -32601],
    ],
  ],
  [
    'what is no message beside one that is',
    [1, { jsonrpc: '2.0', id: 'a', method: 7 }, request('b'), { jsonrpc: '1.0', result: 1 }],
    [
      [null, -32600],
      ['a', -32600],
      ['b', 0],
    ],
  ],
  [
    'an id twice',
    [request(1), request(1)],
    [
      [1, -32600],
      [1, 0],
    ],
  ],
  ['100 messages', pings(100), pings(100).map((_, id) => [id, 0] as const)],
];

const refused: readonly (readonly [what: string, version: string, batch: readonly unknown[], ids: readonly unknown[], says: string])[] = [
  ...['2025-11-25', '2025-06-18', '2024-11-05'].map(
    (version) => [`in a session of ${version}`, version, pings(3), [0, 1, 2], 'send one message'] as const,
  ),
  ['in a session of 2025-11-25, where it has no request', '2025-11-25', [note], [null], 'send one message'],
  ['of 101 messages', batching, pings(101), pings(101).map((_, id) => id), 'expected 1 to 100'],
  ['of none', batching, [], [null], 'expected 1 to 100'],
  ['with an initialize', batching, [request(1), JSON.parse(opening(batching))], [1, 'initialize'], 'initialize is no part of a batch'],
];

for (const [transport, ask] of Object.entries(transports)) {
  describe(`a batch over ${transport}`, () => {
    for (const [what, batch, answers] of taken) {
      it(`in a session of ${batching} is answered as one: ${what}`, async () => {
        const found = await ask(batching, JSON.stringify(batch));
        expect(found).to.have.lengthOf(1);
        expect(found[0]).to.be.an('array');
        expect(shortened([found].flat(2))).to.have.deep.members([...answers]);
      });
    }

    for (const [what, version, batch, ids, says] of refused) {
      it(`is refused in words, with an error for each id, ${what}`, async () => {
        const found = (await ask(version, JSON.stringify(batch))).flat();
        expect(shortened(found)).to.have.deep.members(ids.map((id) => [id, -32600]));
        for (const { error } of found) expect(error?.message).to.include(says);
      });
    }

    it('without a request is not answered', async () => {
      expect(await ask(batching, JSON.stringify([note, note]))).to.deep.equal([]);
    });
  });
}

describe('the calls of a batch', () => {
  const calls = (count: number, name = 'hold'): string =>
    JSON.stringify(
      Array.from({ length: count }, (_, id) => request(id, 'tools/call', { name, arguments: {}, _meta: { progressToken: id } })),
    );

  it('are each counted against the share of requests', async () => {
    const hold = new Hold();
    const { port } = await wireServer({ maxRequests: 2 }, [hold.tool]);
    const answer = send(port, { headers: await sessionOf(port), body: calls(3) });
    for (const number of [0, 1]) (await hold.run(number)).release();
    const messages = messagesOf(await answer).filter(({ method }) => method === undefined);
    const limited = messages.filter(({ result }) => JSON.stringify(result).includes('RATE_LIMITED'));
    expect([messages.length, limited.length]).to.deep.equal([3, 1]);
  });

  it('are answered one by one on a stream where they take their time, which ends with the last', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const stream = new EventStream(await dispatch(port, { headers: await sessionOf(port), body: calls(2) }));
    const runs = [await hold.run(0), await hold.run(1)];
    runs[1]?.progress(1);
    await stream.first(({ message }) => message?.method === 'notifications/progress');
    runs[1]?.release();
    await stream.first(({ message }) => message?.id === 1);
    expect(stream.isOver).to.equal(false);
    runs[0]?.release();
    await stream.first(({ message }) => message?.id === 0);
    await stream.end();
  });

  it('go on for a client that comes back for their answers', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const headers = await sessionOf(port);
    const stream = new EventStream(await dispatch(port, { headers, body: calls(2) }));
    const runs = [await hold.run(0), await hold.run(1)];
    runs[0]?.progress(1);
    const { id } = await stream.first(({ message }) => message?.method === 'notifications/progress');
    await stream.drop();
    for (const run of runs) run.release();
    const again = new EventStream(await dispatch(port, { method: 'GET', headers: { ...headers, 'last-event-id': String(id) } }));
    await again.end();
    expect(again.events.map(({ message }) => message?.id)).to.have.members([0, 1]);
  });

  it('have no answer where they are cancelled: that of the others comes', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const headers = await sessionOf(port);
    const answer = send(port, {
      headers,
      body: JSON.stringify([request('held', 'tools/call', { name: 'hold', arguments: {} }), request('ping')]),
    });
    await hold.run(0);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'held' } };
    await send(port, { headers, body: JSON.stringify(cancelled) });
    expect(messagesOf(await answer).map(({ id }) => id)).to.deep.equal(['ping']);
  });

  it('have no answer over stdio where they are cancelled', async () => {
    const files = {
      'tools/hang.yaml': JSON.stringify({ name: 'hang', description: 'd', execution: { type: 'function', code: './hang.mjs' } }),
      'tools/hang.mjs': 'export default () => new Promise(() => {});',
    };
    const { child, stdout } = start(['mcp', '--tool-paths', 'tools'], { cwd: await temporaryFolder(files) });
    const batch = [request('held', 'tools/call', { name: 'hang', arguments: {} }), request('ping')];
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'held' } };
    child.stdin?.write([opening(batching), JSON.stringify(batch), JSON.stringify(cancelled), ''].join('\n'));
    const [, line] = await until(() => (stdout().endsWith('\n') && stdout().split('\n').length > 2 ? stdout().split('\n') : undefined));
    expect((JSON.parse(String(line)) as Message[]).map(({ id }) => id)).to.deep.equal(['ping']);
  });
});
