import { expect } from 'chai';
import { apiVersion, definePlugin, type Plugin, type StateStore, ToolkitError } from '../../../../../kernel/index.ts';
import { type Answer, send, token, until, type WireServer, wireServer } from '../../support/wire.ts';
import { initialize, WireClient } from '../../support/wire-client.ts';
import { Hold } from '../../support/wire-tools.ts';

/** A store that only counts here, and that can hang or fail. */
class StubbornStore {
  asked = 0;
  answer: () => Promise<undefined> = async () => undefined;

  get plugin(): Plugin {
    const store = {
      isShared: true,
      increment: () => {
        this.asked++;
        return this.answer();
      },
      close: async () => {},
    } as unknown as StateStore;
    return definePlugin({ name: 'stubborn-store', apiVersion, apply: ({ extend }) => extend.stateStore(store) })();
  }
}

const get = (port: number, path: string): Promise<Answer> => send(port, { method: 'GET', path, headers: { authorization: undefined } });
const probed = async (port: number, path: string): Promise<string> => {
  const { status, body } = await get(port, path);
  return `${status} ${body}`;
};
const ok = '200 {"status":"ok"}';
const noStore = '503 {"status":"store"}';
const stopping = '503 {"status":"stopping"}';

const logged = ({ records }: WireServer, words: string): number => records.filter(({ message }) => message.includes(words)).length;

describe('the probes of an HTTP server', () => {
  it('say that the store cannot be reached, and that it can again, once in the log', async () => {
    const store = new StubbornStore();
    const server = await wireServer({ more: [store.plugin] });
    expect(await probed(server.port, '/ready')).to.equal(ok);
    store.answer = async () => {
      throw new ToolkitError('STATE_UNAVAILABLE', 'The store is down.');
    };
    await until(async () => ((await probed(server.port, '/ready')) === noStore ? true : undefined));
    expect(await probed(server.port, '/live')).to.equal(ok);
    expect(logged(server, '/ready answers 503: The store is down.')).to.equal(1);
    store.answer = async () => undefined;
    await until(async () => ((await probed(server.port, '/ready')) === ok ? true : undefined));
    expect(logged(server, 'can be reached again')).to.equal(1);
  });

  it('are answered while the store hangs', async () => {
    const store = new StubbornStore();
    const { port } = await wireServer({ more: [store.plugin] });
    const waiting: (() => void)[] = [];
    store.answer = () => new Promise((resolve) => waiting.push(() => resolve(undefined)));
    const answers = await Promise.all(Array.from({ length: 50 }, () => probed(port, '/ready')));
    expect(new Set(answers)).to.deep.equal(new Set([noStore]));
    expect(waiting).to.not.deep.equal([]);
    expect(await probed(port, '/live')).to.equal(ok);
  });

  it('ask the store once a second at most, however many come', async () => {
    const store = new StubbornStore();
    const { port } = await wireServer({ more: [store.plugin] });
    const startedAt = performance.now();
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 50 }, () => get(port, '/ready')));
    expect(store.asked).to.be.within(1, 1 + Math.ceil((performance.now() - startedAt) / 1000));
  });

  it('ask no store where this process has one of its own', async () => {
    const { port } = await wireServer();
    expect(await probed(port, '/ready')).to.equal(ok);
  });
});

describe('an HTTP server that takes its leave', () => {
  /** `leave` of the server, as the program calls it at SIGTERM. */
  async function leaving(shutdownDelayMs: number) {
    const hold = new Hold();
    const server = await wireServer({ shutdownDelayMs }, [hold.tool]);
    const [running] = server.running;
    return { ...server, hold, leave: () => running?.leave?.() ?? Promise.reject(new Error('It cannot leave.')) };
  }

  it('says at once that it is not ready, and goes on with calls that run and requests that come', async () => {
    const { port, kernel, hold, leave } = await leaving(600_000);
    const client = await WireClient.open(port);
    const running = await client.startCall('hold', {}, { id: 'before' });
    const run = await hold.run(0);
    const left = leave();
    expect(await Promise.all(['/ready', '/live'].map((path) => probed(port, path)))).to.deep.equal([stopping, ok]);
    expect((await get(port, '/health')).status).to.equal(503);
    const later = await WireClient.open(port);
    expect((await later.request('tools/call', { name: 'echo', arguments: { text: 'late' } })).result).to.have.property('content');
    run.release();
    await running.end();
    expect(running.events.find(({ message }) => message?.id === 'before')?.message).to.have.property('result');
    // What ends the wait before its time.
    await Promise.all([kernel.close(), left]);
  });

  it('closes connections after their answer, so that what comes next goes elsewhere', async () => {
    const { port, kernel, leave } = await leaving(600_000);
    const asked = { headers: { connection: 'keep-alive', authorization: `Bearer ${token}` }, body: JSON.stringify(initialize) };
    const before = await send(port, asked);
    const left = leave();
    const after = await send(port, asked);
    expect([before, after].map(({ status, headers }) => [status, headers.connection])).to.deep.equal([
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
    await Promise.all([kernel.close(), left]);
  });

  it('takes none of its time where no other process can take over', async () => {
    const server = await wireServer();
    await server.running[0]?.leave?.();
    expect(await probed(server.port, '/ready')).to.equal(stopping);
  });
});
