import { expect } from 'chai';
import type { DurableHandle } from '../../../kernel/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { EncryptedStore } from '../../../plugins/shared/state/encrypted-store.ts';
import { openTable } from '../../../plugins/store-libsql/open-table.ts';
import { type EarlierTools, kernelOfEarlierTools } from '../../support/earlier-calls.ts';
import { cipherOf, type EarlierStore, earlierFile, readEarlierStore } from '../../support/earlier-store.ts';
import { rejection } from '../../support/rejection.ts';

const caller = 'ada';

for (const name of ['engine-local-5fd1ded7', 'engine-local-dffaea89', 'engine-local-fb0a35f1'])
  describe(`a store in a file by ${name}`, () => {
    let store: EarlierStore;
    let tools: EarlierTools;
    beforeEach(async () => {
      store = await readEarlierStore(name);
      const file = await earlierFile(store);
      tools = await kernelOfEarlierTools(
        new EncryptedStore(() => openTable(file, { isPersistent: true }), cipherOf(store)),
        engineLocal({ concurrency: 0 }),
      );
    });

    const handle = (id: string, of = caller): Promise<DurableHandle> => tools.kernel.calls.get(id, { caller: of });
    const result = async (id: string, of = caller): Promise<unknown> => (await handle(id, of)).result();

    const countOf = (effect: string): number => tools.effects.filter((one) => one === effect).length;

    it('has readable results and errors', async () => {
      expect(await result('completed')).to.deep.equal({ done: 'completed' });
      expect(await result('large')).to.deep.equal({ done: 'x'.repeat(6000) });
      await rejection(result('refused'), 'BAD_REQUEST');
      await rejection(result('failed'), 'EXECUTION_FAILED');
      await rejection(result('failed unknown'), 'OUTCOME_UNKNOWN');
    });

    it('has calls that wait, of which each runs once', async () => {
      await tools.kernel.calls.work({ concurrency: 4 });
      for (const id of ['waiting', 'waiting reading', 'later']) expect(await result(id)).to.deep.equal({ done: id });
      expect(await result('nightly 2026-11-27T02:00:00.000Z', 'schedule')).to.deep.equal({ done: 'nightly' });
      for (const effect of ['waiting', 'waiting reading', 'later', 'nightly']) expect(countOf(effect)).to.equal(1);
    });

    it('has calls of a dead process, which go on where they had no effect twice', async () => {
      await tools.kernel.calls.work({ concurrency: 4 });
      expect(await result('running reading')).to.deep.equal({ done: 'running reading' });
      expect(await result('running repeatable')).to.deep.equal({ done: 'running repeatable' });
      await rejection(result('running plain'), 'OUTCOME_UNKNOWN');
      expect(countOf('running plain')).to.equal(0);
    });

    it('has a call that waits for a person, and runs with the answer', async () => {
      await tools.kernel.calls.work({ concurrency: 4 });
      const { question } = await (await handle('approved')).call();
      await tools.kernel.calls.answer('approved', { caller, approve: true, by: 'grace', digest: question?.digest ?? '' });
      expect(await result('approved')).to.deep.equal({ done: 'approved' });
      expect(countOf('approved')).to.equal(1);
    });

    it('has intents that count', async () => {
      const once = (tool: string, id: string): Promise<unknown> => tools.kernel.execute(tool, { name: id }, { caller, once: id });
      expect(await once('act_plain', 'once done')).to.deep.equal({ done: 'once done' });
      await rejection(once('act_plain', 'failed once'), 'OUTCOME_UNKNOWN');
      await rejection(once('act_plain', 'running once plain'), 'OUTCOME_UNKNOWN');
      expect(tools.effects).to.deep.equal([]);
      expect(await once('act_repeatable', 'running once repeatable')).to.deep.equal({ done: 'running once repeatable' });
      expect(tools.effects).to.deep.equal(['running once repeatable']);
    });

    it('has nothing left in an earlier form', async () => {
      await tools.kernel.calls.work({ concurrency: 1 });
      const keys = (await tools.store.list('engine-local/')).map(({ key }) => key);
      expect(keys.filter((key) => /^engine-local\/(running\/|queue\/\d{15}\/)/.test(key))).to.deep.equal([]);
    });
  });
