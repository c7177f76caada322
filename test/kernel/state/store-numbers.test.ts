import { expect } from 'chai';
import { apiVersion, definePlugin, type Gauge, type GaugeRow, type Kernel, type Plugin, type StateStore } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { StoreNumbers } from '../../../kernel/state/store-numbers.ts';
import { stateStoreChecks } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { sharedState, unreachableState } from '../../support/shared-state.ts';
import { bareKernel } from '../../support/test-kernel.ts';

interface World {
  readonly kernel: Kernel;
  readonly state: StateStore;
}

/** A kernel with a plugin that uses the store. */
async function worldOf(...plugins: readonly Plugin[]): Promise<World> {
  let state: StateStore | undefined;
  const user = definePlugin({
    name: 'user',
    apiVersion,
    apply(api) {
      ({ state } = api);
    },
  });
  const kernel = await bareKernel({ plugins: [...plugins, user()] });
  return { kernel, state: state ?? expect.fail() };
}

const gaugeOf = ({ gauges }: Kernel, name: string): Gauge => gauges.find((gauge) => gauge.name === name) ?? expect.fail(name);

const rowsOf = async (kernel: Kernel, name: string): Promise<readonly GaugeRow[]> =>
  (await gaugeOf(kernel, name).read()) as readonly GaugeRow[];

/** The rows that are not 0, as `get ok` with their numbers. */
const moved = async (kernel: Kernel): Promise<Readonly<Record<string, number>>> => {
  const rows = (await rowsOf(kernel, 'store.operations')).filter(({ value }) => value > 0);
  return Object.fromEntries(rows.map(({ labels, value }) => [`${labels['operation']} ${labels['outcome']}`, value]));
};

describe('the numbers of a store', () => {
  const uses: Readonly<Record<string, (state: StateStore) => Promise<unknown>>> = {
    get: (state) => state.get('a'),
    set: (state) => state.set('a', '1'),
    compare_and_set: (state) => state.compareAndSet('a', 'no', '1'),
    delete: (state) => state.delete('a'),
    increment: (state) => state.increment('a', { windowMs: 1000 }),
    list: (state) => state.list(''),
    watch: async (state) => (await state.watch('', () => {}))(),
  };
  for (const [operation, use] of Object.entries(uses))
    it(`count ${operation} where it succeeds, with its time, and where it fails`, async () => {
      const { kernel, state } = await worldOf((await sharedState()).plugin());
      await use(state);
      await use(state);
      expect(await moved(kernel)).to.deep.equal({ [`${operation} ok`]: 2 });
      const times = (await rowsOf(kernel, 'store.operation.time')).filter(({ value }) => value > 0);
      expect(times.map(({ labels }) => labels)).to.deep.equal([{ operation }]);

      const away = await worldOf(unreachableState().plugin());
      await rejection(use(away.state), 'STATE_UNAVAILABLE');
      expect(await moved(away.kernel)).to.deep.equal({ [`${operation} failed`]: 1 });
    });

  it('have all rows from the start, so that a rate is known at the first failure', async () => {
    const { kernel } = await worldOf((await sharedState()).plugin());
    expect(await rowsOf(kernel, 'store.operations')).to.have.length(2 * Object.keys(uses).length);
    expect(await rowsOf(kernel, 'store.operation.time')).to.have.length(Object.keys(uses).length);
  });

  it('have none for the memory of this process, nor for arguments that the kernel refuses', async () => {
    const { kernel, state } = await worldOf();
    await state.set('a', '1');
    expect(await rowsOf(kernel, 'store.operations')).to.deep.equal([]);
    const shared = await worldOf((await sharedState()).plugin());
    await rejection(shared.state.set('', '1'), 'PLUGIN_INVALID');
    expect(await moved(shared.kernel)).to.deep.equal({});
  });

  describe('leave the store as it is', () => {
    for (const { title, run } of stateStoreChecks(async () => {
      const store = new StoreNumbers().counted(new MemoryStore(Date.now));
      return [store, store];
    }))
      it(title, run);
  });
});
