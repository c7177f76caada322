import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { EncryptedStore } from '../../../plugins/shared/state/encrypted-store.ts';
import { openTable } from '../../../plugins/store-libsql/open-table.ts';
import { type EarlierTools, earlierStoreChecks, earlierTools } from '../../support/earlier-calls.ts';
import { cipherOf, earlierFile, readEarlierStore } from '../../support/earlier-store.ts';

for (const name of ['engine-local-5fd1ded7', 'engine-local-dffaea89', 'engine-local-fb0a35f1'])
  describe(`the store in a file of ${name}`, () => {
    const open = async (): Promise<EarlierTools> => {
      const earlier = await readEarlierStore(name);
      const file = await earlierFile(earlier);
      const store = new EncryptedStore(() => openTable(file, { isPersistent: true }), cipherOf(earlier));
      return earlierTools(store, engineLocal({ concurrency: 0 }));
    };
    for (const { title, run } of earlierStoreChecks(open)) it(title, run);
  });
