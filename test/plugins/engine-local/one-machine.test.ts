import { expect } from 'chai';
import { apiVersion, createKernel, definePlugin, type PluginEntry } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { fileStore } from '../../support/file-store.ts';
import { rejection } from '../../support/rejection.ts';

/** A store of a third party. */
const storeOf = (spansMachines: boolean): PluginEntry =>
  definePlugin({
    name: 'their-store',
    apiVersion,
    apply: ({ extend }) => extend.stateStore(Object.assign(new MemoryStore(Date.now), { spansMachines })),
  })();

describe('engine-local', () => {
  const refused: Readonly<Record<string, PluginEntry>> = {
    PostgreSQL: storePostgres({ url: 'postgresql://127.0.0.1:1/none' }),
    'a store of a third party that several machines share': storeOf(true),
  };
  for (const [where, store] of Object.entries(refused))
    for (const order of ['before', 'after'])
      it(`is refused on ${where}, listed ${order} it, and names the engine to list`, async () => {
        const plugins = order === 'before' ? [engineLocal(), store] : [store, engineLocal()];
        const { message } = await rejection(createKernel({ plugins }), 'PLUGIN_INVALID');
        expect(message).to.match(/expected storeLibsql\(\) or no store, received .*engineBullmq\(\) \("toolkit\/plugins\/engine-bullmq"\)/);
      });

  it('starts on a store of one machine, and without one', async () => {
    const inFile = await fileStore();
    for (const stores of [[], [inFile()], [storeOf(false)]]) {
      await using kernel = await createKernel({ plugins: [engineLocal(), ...stores] });
      expect((await kernel.calls.list()).calls).to.deep.equal([]);
    }
  });
});
