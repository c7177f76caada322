import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { StateStore } from '../../../kernel/index.ts';
import { Cipher } from '../../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../../plugins/shared/state/encrypted-store.ts';
import { openTable } from '../../../plugins/store-libsql/open-table.ts';
import { stateStoreChecks } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const key = new Uint8Array(32).fill(7);

function storeOf(file: string, keys: readonly Uint8Array[] = [key]): StateStore {
  return new EncryptedStore(() => openTable(file, { isPersistent: true }), new Cipher(() => keys));
}

describe('the store in a file', () => {
  for (const { title, run } of stateStoreChecks(async () => {
    const file = path.join(await temporaryFolder(), 'state.db');
    return [storeOf(file), storeOf(file)];
  }))
    it(title, run);

  it('is a file for this account alone', async () => {
    const file = path.join(await temporaryFolder(), 'inner', 'state.db');
    const store = storeOf(file);
    await store.set('a', '1');
    const modes = await Promise.all(['', '-wal', '-shm'].map(async (end) => (await stat(file + end)).mode & 0o777));
    expect(modes).to.deep.equal([0o600, 0o600, 0o600]);
    expect((await stat(path.dirname(file))).mode & 0o777).to.equal(0o700);
    await store.close();
  });
});
