import { expect } from 'chai';
import { forFile } from '../e2e/program.ts';
import { send } from '../plugins/mcp/support/wire.ts';
import { newest, WireClient } from '../plugins/mcp/support/wire-client.ts';
import { until } from '../support/until.ts';
import { RealServer } from './postgres/server.ts';
import { type AnyClient, legacyClient, modernClient } from './replicas/clients.ts';
import { type Replica, Replicas, token } from './replicas/replicas.ts';
import { RoundRobin } from './replicas/round-robin.ts';
import { World } from './replicas/world.ts';

/** The whole round is 2,000 calls and more. */
const calls = Number(process.env['TOOLKIT_REPLICA_CALLS'] ?? 300);
const clientsAtOnce = 10;
const callsOfClient = 10;

const outcome = (work: Promise<string>): Promise<string> => work.catch((error: Error) => `failed: ${error.message}`);

describe('three servers behind a proxy that has no sticky sessions', function () {
  this.timeout(900_000);

  const proxy = new RoundRobin();
  const world = new World();
  let database: RealServer;
  let replicas: Replicas;
  let running: Replica[] = [];
  let nextPath = 0;
  const path = (): string => `/${nextPath++}`;

  before(() =>
    forFile(async () => {
      database = await RealServer.start();
      await world.open();
      replicas = await Replicas.make(await database.makeDatabase(), world.url);
      running = [await replicas.start(), await replicas.start(), await replicas.start()];
      await proxy.open(running.map(({ port }) => port));
    }),
  );

  after(async () => {
    await proxy.close();
    await world.close();
    for (const { server } of running) {
      server.child.kill('SIGKILL');
      await server.exit;
    }
    await database.undo();
    await database.stop();
  });

  const opened = (number: number): Promise<AnyClient> => (number % 2 === 0 ? legacyClient(proxy.url) : modernClient(proxy.url));

  /** One call of a kind, and whether its answer was right. */
  const kinds: Readonly<Record<string, (client: AnyClient, number: number) => Promise<unknown>>> = {
    plain: async (client, number) => expect(await client.call('plain', { key: `${number}` })).to.equal(`plain ${number}`),
    progress: async (client, number) => {
      const heard: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void heard.push(progress);
      expect(await client.call('steps', { key: `${number}` }, { onprogress })).to.equal(`steps ${number}`);
      // The last one may be read together with the answer, and then the client no longer waits for it.
      expect(heard.slice(0, 3)).to.deep.equal([1, 2, 3]);
    },
    question: async (client, number) => expect(await client.call('ask', { key: `Q${number}` })).to.equal(`accept Q${number}`),
    cancelled: async (client) => {
      const key = path();
      const cancel = new AbortController();
      const call = outcome(client.call('hold', { key }, { signal: cancel.signal }));
      await world.comes(key, call);
      cancel.abort('enough');
      expect(await call).to.match(/^failed: /);
      await world.goes(key);
    },
  };
  const order = ['plain', 'plain', 'progress', 'plain', 'question', 'plain', 'cancelled', 'plain', 'question', 'progress'];

  it(`answer ${calls} calls of clients of both eras as one does: plain, with progress, questions, cancelled, and ended sessions`, async () => {
    const done: Record<string, number> = {};
    let next = 0;
    let ended = 0;
    const clients = async (first: number): Promise<void> => {
      for (let number = first; next < calls; number++) {
        const client = await opened(number);
        for (let call = 0; call < callsOfClient; call++) {
          const kind = order[next++ % order.length] as string;
          await kinds[kind]?.(client, next);
          const what = `${kind} ${client.era}`;
          done[what] = (done[what] ?? 0) + 1;
        }
        const session = client.sessionId();
        await client.end();
        if (session === undefined) continue;
        ended++;
        const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': session, 'mcp-protocol-version': newest };
        const ping = { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) };
        // Whoever had the session hears of its end from the store, in its own time.
        for (const { port } of running) await until(async () => (await send(port, ping)).status === 404 || undefined);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: clientsAtOnce }, (_, first) => clients(first)));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const total = Object.values(done).reduce((sum, count) => sum + count, 0);
    process.stdout.write(
      `    ${total} calls in ${seconds} s, ${ended} sessions ended: ${JSON.stringify({ ...done, passed: [...proxy.passed.values()] })}\n`,
    );
    expect(total).to.be.at.least(calls);
    expect(Object.keys(done)).to.have.length(8);
  });

  it('take an approval token once, whoever races for it', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, (_, number) => opened(number)));
    for (let round = 0; round < 5; round++) {
      const key = path();
      expect(await outcome((clients[0] as AnyClient).call('act', { key }))).to.include('APPROVAL_REQUIRED');
      const [approval] = await until(() => world.told.get(`/token${key}`));
      const ends = await Promise.all(clients.map((client) => outcome(client.call('act', { key, _toolkit_approved: approval }))));
      expect(
        ends.filter((end) => end === `acted ${key}`),
        JSON.stringify(ends),
      ).to.have.length(1);
      expect(world.told.get(`/acted${key}`)).to.have.length(1);
    }
    await Promise.all(clients.map((client) => client.end()));
  });

  it('go on with a stream that broke, wherever its client comes back: every event once', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => WireClient.open(proxy.port, token)));
    const told = clients.map(async (client) => {
      const key = path();
      const seen: unknown[] = [];
      let stream = await client.startCall('steps', { key }, { _meta: { progressToken: 'p' } });
      for (let step = 1; step <= 3; step++) {
        const { id } = await stream.first(({ message }) => message?.params?.['progress'] === step);
        await stream.drop();
        seen.push(step);
        // The server that writes the stream may not have heard yet that its connection is gone.
        stream = await until(async () => {
          const next = await client.listen(id);
          return next.status === 409 ? undefined : next;
        });
      }
      await world.release(key);
      await stream.end();
      return [...seen, ...stream.events.map(({ message }) => message?.params?.['progress'] ?? message?.result !== undefined)];
    });
    for (const events of await Promise.all(told)) expect(events).to.deep.equal([1, 2, 3, 4, true]);
    await Promise.all(clients.map((client) => client.end()));
  });

  it('go on when one is killed and another one takes its place', async () => {
    const clients = await Promise.all(Array.from({ length: clientsAtOnce }, (_, number) => opened(number)));
    const keys = clients.map(path);
    const waiting = clients.map((client, number) => outcome(client.call('hold', { key: keys[number] })));
    await Promise.all(keys.map((key, number) => world.comes(key, waiting[number])));
    const listeners = await Promise.all(
      running.map(async ({ port }) => {
        const client = await WireClient.open(proxy.port, token);
        const key = path();
        // One at each, past the proxy.
        const call = await client.at(port).startCall('steps', { key }, { id: 'lost', _meta: { progressToken: 'p' } });
        await call.first(({ message }) => message?.params?.['progress'] === 3);
        const ended = call.end().then(() => call.events);
        await world.comes(key, ended);
        return { client, key, call };
      }),
    );
    const [killed] = running.splice(0, 1) as [Replica];
    const broken = proxy.broken;
    killed.server.child.kill('SIGKILL');
    await killed.server.exit;
    const answers = clients.map((client, number) => outcome(client.call('plain', { key: `${number}` })));
    expect(await Promise.all(answers)).to.deep.equal(clients.map((_, number) => `plain ${number}`));
    running.push(await replicas.start());
    proxy.use(running.map(({ port }) => port));
    await Promise.all(keys.map((key) => world.release(key)));
    const repeated = listeners.map(async ({ client, key, call }, number) => {
      if (number > 0) await world.release(key);
      await call.end();
      const stream = number > 0 ? call : await client.listen(call.events[0]?.id);
      await stream.end();
      const told = stream.events.flatMap(({ message }) => message ?? []);
      return { steps: told.flatMap(({ params }) => params?.['progress'] ?? []), end: told.at(-1)?.error?.code ?? 'answer' };
    });
    const [lostStream, ...others] = await Promise.all(repeated);
    for (const other of others) expect(other).to.deep.equal({ steps: [1, 2, 3, 4], end: 'answer' });
    // What the killed one had not recorded yet is lost with it.
    expect(lostStream).to.deep.equal({ steps: [1, 2, 3].slice(0, lostStream?.steps.length), end: -32000 });
    const ends = await Promise.all(waiting);
    const lost = ends.filter((end) => end !== 'released');
    process.stdout.write(
      `    ${lost.length} of ${ends.length} calls ended with the server that was killed; ${proxy.broken - broken} connections broke\n`,
    );
    expect(lost.length, JSON.stringify(lost)).to.be.at.most(proxy.broken - broken);
    for (const [number, client] of clients.entries()) for (const kind of Object.values(kinds)) await kind(client, number);
    expect(proxy.passed.get(running.at(-1)?.port ?? 0)).to.be.above(0);
    await Promise.all(clients.map((client) => client.end()));
  });
});
