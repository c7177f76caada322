import path from 'node:path';
import { expect } from 'chai';
import { createKernel, type PluginEntry } from '../../../../kernel/index.ts';
import { StoreProbe } from '../../../../plugins/shared/state/store-probe.ts';
import { storeLibsql } from '../../../../plugins/store-libsql/index.ts';
import { storePostgres } from '../../../../plugins/store-postgres/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

describe('the store of a plugin', () => {
  const cases: Readonly<Record<string, readonly [() => Promise<readonly PluginEntry[]>, boolean, (number | undefined)?]>> = {
    'in memory': [async () => [], false],
    'in a file': [async () => [storeLibsql({ path: path.join(await temporaryFolder(), 'state.db') })], false, 20],
    'in PostgreSQL': [async () => [storePostgres({ url: 'postgresql://127.0.0.1/toolkit' })], true],
  };
  for (const [where, [plugins, spansMachines, pollMs]] of Object.entries(cases)) {
    it(`says that ${spansMachines ? 'several machines' : 'no other machines'} may share it, ${where}`, async () => {
      const probe = new StoreProbe();
      await using _kernel = await createKernel({ plugins: [...(await plugins()), probe.plugin] });
      expect(probe.state?.spansMachines).to.equal(spansMachines);
    });

    it(`says that it reports changes of other processes ${pollMs === undefined ? 'at once' : `after ${pollMs} ms at the latest`}, ${where}`, async () => {
      const probe = new StoreProbe();
      await using _kernel = await createKernel({ plugins: [...(await plugins()), probe.plugin] });
      expect(probe.state?.pollMs).to.equal(pollMs);
    });
  }
});
