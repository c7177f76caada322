import path from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { openTable } from '../../../plugins/store-libsql/open-table.ts';
import { temporaryFolder } from '../../support/temporary.ts';

describe('a watch of a store in a file', () => {
  it('begins when it is tried again after it failed', async () => {
    const file = path.join(await temporaryFolder(), 'state.db');
    const table = await openTable(file, { isPersistent: true });
    const database = new Database(file);
    try {
      database.exec('alter table changes rename to hidden');
      const error: unknown = await table.watch('', () => {}).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Error).and.have.property('message').that.includes('no such table');
      database.exec('alter table hidden rename to changes');
      const changed = new Promise<string>((resolve) => {
        void table.watch('', resolve).then(() => table.set('a', new Uint8Array([1]), {}));
      });
      expect(await changed).to.equal('a');
    } finally {
      database.close();
      await table.close();
    }
  });
});
