import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginEntry } from '../../../../../../kernel/index.ts';
import { MemoryStore } from '../../../../../../kernel/state/memory-store.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { askModern } from '../../../support/modern-wire.ts';
import { until, wireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { Hold } from '../../../support/wire-tools.ts';

/** A store of this process that says it is one of several, and what it was asked, but for what is said without any request: that the process lives. */
class CountedStore {
  readonly asked: string[] = [];
  readonly #state = new MemoryStore(Date.now);

  /** Once for each process. */
  plugin(): PluginEntry {
    const { asked } = this;
    const state = this.#state;
    const store = new Proxy(state, {
      get: (_, name) => {
        if (name === 'isShared') return true;
        if (name === 'close') return async () => {};
        if (name === 'join') return () => state.join();
        return (...given: [string]) => {
          const [, what = '', , part = ''] = given[0].split('/');
          if (what !== 'process') asked.push(`${String(name)} ${what === 'session' ? part : what}`);
          return Reflect.apply(Reflect.get(state, name) as (...all: unknown[]) => unknown, state, given);
        };
      },
    });
    return definePlugin({ name: 'counted-store', apiVersion, apply: ({ extend }) => extend.stateStore(store) })();
  }

  /** Runs some work, and returns the queries of the store meanwhile. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    this.asked.splice(0);
    await work();
    return [...this.asked];
  }
}

describe('what requests ask the store that servers share', () => {
  it('is nothing for a call of a session that the server has, and for requests without a session', async () => {
    const store = new CountedStore();
    const { port } = await wireServer({ more: [store.plugin()] });
    const client = await WireClient.open(port);
    const calls = async (): Promise<void> => {
      for (let number = 0; number < 10; number++) {
        await client.call('echo', { text: 'x' });
        await askModern(port, { method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } });
      }
    };
    expect(await store.during(calls)).to.deep.equal([]);
  });

  it('is whether it has ended, and what it has set, when a session comes to a further server', async () => {
    const store = new CountedStore();
    const one = await wireServer({ more: [store.plugin()] });
    const other = await wireServer({ more: [store.plugin()] });
    const client = (await WireClient.open(one.port)).at(other.port);
    await (await WireClient.open(other.port)).request('ping');
    expect(await store.during(() => client.request('ping'))).to.have.members(['list kept', 'get used']);
    expect(await store.during(() => client.request('ping'))).to.deep.equal([]);
  });

  it('is one write for the answer of a call that takes long, and one for what it tells before', async () => {
    const store = new CountedStore();
    const hold = new Hold();
    const { port } = await wireServer({ more: [store.plugin()] }, [hold.tool, echoTool({ name: 'other' })]);
    const client = await WireClient.open(port);
    const asked = await store.during(async () => {
      const call = await client.startCall('hold', {}, { _meta: { progressToken: 'p' } });
      const run = await hold.run(0);
      run.progress(1);
      await call.first(({ message }) => message?.method === 'notifications/progress');
      run.release();
      await call.end();
      await until(() => store.asked.length >= 2 || undefined);
    });
    expect(asked).to.deep.equal(['set events', 'set events']);
  });
});
