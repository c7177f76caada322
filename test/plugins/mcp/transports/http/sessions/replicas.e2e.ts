import { expect } from 'chai';
import { apiVersion, type DiscoverSink, definePlugin } from '../../../../../../kernel/index.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { source } from '../../../support/client.ts';
import { replicas } from '../../../support/replicas.ts';
import { type EventStream, type Message, until, type WireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { Hold } from '../../../support/wire-tools.ts';

interface AskingClient {
  elicit?(question: object): Promise<{ action: string }>;
}

const asking = echoTool({
  name: 'asking',
  parameters: {},
  execution: {
    type: 'function',
    handler: async (_: unknown, { client }: { client: AskingClient }) =>
      (await client.elicit?.({ message: 'Well?', schema: { type: 'object', properties: {} } }))?.action ?? 'cannot ask',
  },
});

const talking = echoTool({
  name: 'talking',
  parameters: {},
  execution: {
    type: 'function',
    handler: async (_: unknown, { logger, progress }: { logger: { debug(line: string): void }; progress(of: object): void }) => {
      progress({ progress: 1 });
      logger.debug('told');
      return 'talked';
    },
  },
});

/** A resource that changes when the test says so. */
class Board {
  readonly uri = 'board://one';
  readonly #watchers = new Set<() => void>();
  readonly plugin = definePlugin({
    name: 'board',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tap('board', (sink: DiscoverSink) =>
        sink.addResource({
          uri: this.uri,
          name: 'board',
          read: async () => ({ uri: this.uri, text: '' }),
          watch: (onChange) => {
            this.#watchers.add(onChange);
            return () => void this.#watchers.delete(onChange);
          },
        }),
      ),
  })();

  get watched(): number {
    return this.#watchers.size;
  }

  change(): void {
    for (const tell of this.#watchers) tell();
  }
}

/** One client as each of two servers sees it. */
async function clientOf([one, other]: readonly WireServer[], said: object = {}): Promise<readonly [WireClient, WireClient]> {
  const client = await WireClient.open(one?.port ?? 0, undefined, said);
  return [client, client.at(other?.port ?? 0)];
}

const changed = 'notifications/tools/list_changed';

const textOf = (message: Message | undefined): unknown => (message?.result?.['content'] as [{ text: string }] | undefined)?.[0].text;

describe('a session over HTTP whose requests come to several servers', () => {
  it('is answered by each', async () => {
    const [here, there] = await clientOf(await replicas(2));
    const answers = await Promise.all([here, there, there, there, here].map((client) => client.call('echo', { text: 'on' })));
    for (const answer of answers) expect(textOf(answer)).to.include('on');
  });

  it('is revived once, however many of its requests come at once', async () => {
    const servers = await replicas(2);
    const [, there] = await clientOf(servers);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, id) => there.post({ id, method: 'ping' })));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
    expect(servers[1]?.kernel.status()['sessions']).to.deep.include({ open: 1 });
  });

  it('is nobody else’s at any of them', async () => {
    const tokens = [{ name: 'ada', token: 'the-token-of-ada' }];
    const hold = new Hold();
    const [one, other] = await replicas(2, [hold.tool], { tokens });
    const mine = await WireClient.open(one?.port ?? 0);
    const call = await mine.startCall('hold', {}, { id: 7 });
    await hold.run(0);
    const foreign = mine.at(other?.port ?? 0, { authorization: 'Bearer the-token-of-ada' });
    const cancel = { method: 'notifications/cancelled', params: { requestId: 7 } };
    const refused = await Promise.all([foreign.post(cancel), foreign.post({ id: 1, method: 'ping' }), foreign.listen(), foreign.end()]);
    expect(refused.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    expect(hold.runs[0]?.signal.aborted).to.equal(false);
    hold.runs[0]?.release();
    await call.end();
  });

  it('hears the answer to its question wherever it comes in', async () => {
    const [here, there] = await clientOf(await replicas(2, [asking]), { capabilities: { elicitation: {} } });
    const calls = await Promise.all([here.startCall('asking', {}, { id: 'a' }), there.startCall('asking', {}, { id: 'b' })]);
    const asked = await Promise.all(calls.map((call) => call.first(({ message }) => message?.method === 'elicitation/create')));
    const ids = asked.map(({ message }) => message?.id);
    expect(new Set(ids).size).to.equal(2);
    await here.post({ id: ids[1], result: { action: 'accept' } });
    await there.post({ id: ids[0], result: { action: 'decline' } });
    const answers = await Promise.all(calls.map((call) => call.first(({ message }) => message?.result !== undefined)));
    expect(answers.map(({ message }) => textOf(message))).to.deep.equal(['decline', 'accept']);
  });

  it('takes an answer to what nobody has asked as one server does', async () => {
    const [here, there] = await clientOf(await replicas(2, [asking]), { capabilities: { elicitation: {} } });
    for (const id of [0, 'x', '0123456789abcdef-0', null].filter((one) => one !== null))
      expect((await there.post({ id, result: { action: 'accept' } })).status).to.equal(202);
    expect((await here.post({ method: 'notifications/cancelled', params: { requestId: 99 } })).status).to.equal(202);
    expect((await there.request('ping')).result).to.deep.equal({});
  });

  it('cancels a call at the server where it runs', async () => {
    const hold = new Hold();
    const [here, there] = await clientOf(await replicas(2, [hold.tool]));
    const call = await here.startCall('hold', {}, { id: 7 });
    await hold.run(0);
    const { status } = await there.post({ method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } });
    expect(status).to.equal(202);
    await hold.cancelled(0);
    await call.end();
    expect(call.events.filter(({ message }) => message !== undefined)).to.deep.equal([]);
  });

  it('ends at all of them: streams, calls, and for good', async () => {
    const hold = new Hold();
    const servers = await replicas(3, [hold.tool]);
    const [here, there] = await clientOf(servers);
    const [call, stream] = [await here.startCall('hold'), await there.listen()];
    await hold.run(0);
    expect((await here.at(servers[2]?.port ?? 0).end()).status).to.equal(200);
    await hold.cancelled(0);
    await Promise.all([call.end(), stream.end()]);
    const statuses = servers.map(async ({ port }) => (await here.at(port).post({ id: 1, method: 'ping' })).status);
    expect(await Promise.all(statuses)).to.deep.equal([404, 404, 404]);
  });

  it('keeps the level of its log lines, also at a server that comes later', async () => {
    const servers = await replicas(3, [talking]);
    const [here, there] = await clientOf(servers);
    await there.request('ping');
    await here.request('logging/setLevel', { level: 'debug' });
    const lines = async (client: WireClient): Promise<number> => {
      const call = await client.startCall('talking', {}, { _meta: { progressToken: 'p' } });
      await call.end();
      return call.events.filter(({ message }) => message?.method === 'notifications/message').length;
    };
    expect(await lines(here.at(servers[2]?.port ?? 0))).to.equal(1);
    await until(async () => (await lines(there)) === 1 || undefined);
    await there.request('logging/setLevel', { level: 'error' });
    await until(async () => (await lines(here)) === 0 || undefined);
  });

  it('keeps its subscriptions: the server that has its stream tells it, once', async () => {
    const board = new Board();
    const servers = await replicas(3, [], { more: [board.plugin] });
    const [here, there] = await clientOf(servers);
    const stream = await there.listen();
    expect((await here.request('resources/subscribe', { uri: board.uri })).result).to.deep.equal({});
    await until(() => board.watched === 2 || undefined);
    board.change();
    await stream.first(({ message }) => message?.method === 'notifications/resources/updated');
    await servers[0]?.kernel.close();
    board.change();
    await until(
      () => stream.events.filter(({ message }) => message?.method === 'notifications/resources/updated').length === 2 || undefined,
    );
    const later = there.at(servers[2]?.port ?? 0);
    await later.request('resources/unsubscribe', { uri: board.uri });
    await until(() => board.watched === 0 || undefined);
  });

  it('hears on its stream that a list has changed at another server, also what was said before it listened', async () => {
    let count = 0;
    const fill = (sink: DiscoverSink): void => {
      for (let number = 0; number < count; number++) sink.addTool(echoTool({ name: `echo_${number}` }), {});
    };
    const servers = await replicas(2, [], { more: [source(fill)] });
    const [here, there] = await clientOf(servers);
    await there.request('tools/list');
    const grow = async (): Promise<void> => {
      count++;
      await servers[0]?.kernel.reload();
      await here.request('tools/list');
    };
    const changes = (stream: EventStream): number => stream.events.filter(({ message }) => message?.method === changed).length;
    await grow();
    const stream = await there.listen();
    await until(() => changes(stream) === 1 || undefined);
    await grow();
    await until(() => changes(stream) === 2 || undefined);
    // What was sent to a client that is not there any more comes to it at the other server.
    const [{ id = '' } = {}] = stream.events;
    await stream.drop();
    const resumed = await here.listen(id);
    await until(() => changes(resumed) === 2 || undefined);
    await grow();
    await until(() => changes(resumed) === 3 || undefined);
  });

  it('goes on with the stream of a call at another server: every event once, while it is written, and when it is over', async () => {
    const hold = new Hold();
    const [here, there] = await clientOf(await replicas(2, [hold.tool]));
    const call = await here.startCall('hold', {}, { id: 7, _meta: { progressToken: 'p' } });
    const run = await hold.run(0);
    run.progress(1);
    await call.first(({ message }) => message?.params?.['progress'] === 1);
    const [{ id = '' } = {}] = call.events;
    await call.drop();
    run.progress(2);
    const resumed = await there.listen(id);
    await resumed.first(({ message }) => message?.params?.['progress'] === 2);
    run.progress(3);
    await resumed.first(({ message }) => message?.params?.['progress'] === 3);
    run.release();
    await resumed.end();
    const told = ({ events }: EventStream): unknown[] =>
      events.flatMap(({ message: m }) => (m === undefined ? [] : [m.params?.['progress'] ?? m.id]));
    expect(told(resumed)).to.deep.equal([1, 2, 3, 7]);
    const last = await there.listen(resumed.events[0]?.id);
    await last.end();
    expect(told(last)).to.deep.equal([2, 3, 7]);
  });

  it('has what a server had sent before it ended, and is told that the answer is lost', async () => {
    const hold = new Hold();
    const servers = await replicas(2, [hold.tool], { drainMs: 1 });
    const [here, there] = await clientOf(servers);
    const call = await here.startCall('hold', {}, { id: 'lost', _meta: { progressToken: 'p' } });
    (await hold.run(0)).progress(1);
    await call.first(({ message }) => message?.params?.['progress'] === 1);
    const [{ id = '' } = {}] = call.events;
    await servers[0]?.kernel.close();
    const resumed = await there.listen(id);
    await resumed.end();
    expect(resumed.events.map(({ message }) => message?.params?.['progress'] ?? message?.id)).to.include.members([1]);
  });

  it('is known to all of them whatever its client can do', async () => {
    const capabilities = { experimental: { much: { text: 'x'.repeat(2000) } }, elicitation: {} };
    const [here, there] = await clientOf(await replicas(2, [asking]), { capabilities });
    expect((await there.request('ping')).result).to.deep.equal({});
    expect((await there.end()).status).to.equal(200);
    await until(async () => (await here.post({ id: 1, method: 'ping' })).status === 404 || undefined);
  });
});
