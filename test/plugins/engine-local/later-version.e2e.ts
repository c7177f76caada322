import { expect } from 'chai';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { EncryptedStore } from '../../../plugins/shared/state/encrypted-store.ts';
import { openTable } from '../../../plugins/store-libsql/open-table.ts';
import { earlierTools } from '../../support/earlier-calls.ts';
import { cipherOf, earlierFile, readEarlierStore } from '../../support/earlier-store.ts';
import { rejection } from '../../support/rejection.ts';

describe('records of a later version', () => {
  /** True for records that a later version wrote in this test: of calls and of an effect. */
  const isLater = (value: string): boolean => /"(id":"(waiting|running reading)"|output":\{"done":"once done")/.test(value);

  it('are left alone, named, and keep no other call from running', async () => {
    const earlier = await readEarlierStore('engine-local-fb0a35f1');
    const entries = Object.entries(earlier.entries).map(([key, value]) => {
      const text = isLater(value) ? JSON.stringify({ ...(JSON.parse(value) as object), version: 99 }) : value;
      return [key, text] as const;
    });
    const later = entries.filter(([, value]) => value.includes('"version":99'));
    expect(later).to.have.length(3);
    const file = await earlierFile({ ...earlier, entries: Object.fromEntries(entries) });
    const store = new EncryptedStore(() => openTable(file, { isPersistent: true }), cipherOf(earlier));
    const { kernel, effects } = await earlierTools(store, engineLocal({ concurrency: 0 }));
    await kernel.calls.work({ concurrency: 1 });
    for (const id of ['waiting reading', 'running repeatable'])
      expect(await (await kernel.calls.get(id, { caller: 'ada' })).result()).to.deep.equal({ done: id });
    const waiting = await kernel.calls.get('waiting', { caller: 'ada' }).catch((error: Error) => error.message);
    expect(waiting).to.include('a later version of this program');
    await rejection(kernel.execute('act_plain', { name: 'once done' }, { caller: 'ada', once: 'once done' }), 'STATE_UNAVAILABLE');
    expect(effects).to.not.include.members(['waiting', 'running reading', 'once done']);
    for (const [key, value] of later) expect(await store.get(key)).to.equal(value);
    const { calls, laterVersion } = await kernel.calls.list({});
    expect(laterVersion).to.equal(2);
    expect(calls.map(({ id }) => id)).to.not.include.members(['waiting', 'running reading']);
  });
});
