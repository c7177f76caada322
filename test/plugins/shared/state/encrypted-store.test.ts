import { expect } from 'chai';
import sinon from 'sinon';
import { Cipher } from '../../../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../../../plugins/shared/state/encrypted-store.ts';
import type { StateTable } from '../../../../plugins/shared/state/state-table.ts';
import { OpenTable } from '../../../support/open-table.ts';
import { rejection } from '../../../support/rejection.ts';

const storeOn = (table: StateTable, ...keys: readonly number[]): EncryptedStore =>
  new EncryptedStore(async () => table, new Cipher(() => keys.map((byte) => new Uint8Array(32).fill(byte))));

describe('a store in a database that others can read and write', () => {
  it('shows its keys and no values', async () => {
    const table = new OpenTable();
    await storeOn(table, 1).set('plugin/key', 'a secret value');
    const rows = await table.rows.list('');
    expect(rows.map(({ key }) => key)).to.deep.equal(['key', 'plugin/key']);
    for (const { value } of rows) expect(Buffer.from(value, 'base64').toString('latin1')).to.not.include('secret');
  });

  const attacks: Readonly<Record<string, (table: OpenTable) => Promise<void>>> = {
    'a value of its own': (table) => table.set('approval', Buffer.from('yes')),
    'a value that another key has enciphered': (table) =>
      table.set('approval', new Cipher(() => [new Uint8Array(32).fill(2)]).encrypt('yes', 'approval')),
    'the value of another place': async (table) => table.set('approval', (await table.get('other')) as Uint8Array),
    'a value with a byte changed': async (table) => {
      const bytes = Buffer.from((await table.get('approval')) as Uint8Array);
      bytes[20] = (bytes[20] as number) ^ 1;
      await table.set('approval', bytes);
    },
    nothing: (table) => table.set('approval', new Uint8Array()),
  };
  for (const [what, attack] of Object.entries(attacks)) {
    it(`does not take ${what} for one that was set`, async () => {
      const table = new OpenTable();
      const store = storeOn(table, 1);
      await store.set('approval', 'no');
      await store.set('other', 'yes');
      await attack(table);
      for (const asked of [store.get('approval'), store.compareAndSet('approval', 'yes', 'used'), store.list('')]) {
        const error = await rejection(asked, 'STATE_UNAVAILABLE');
        expect(error.message).to.include('The value of "approval" in the store the table').and.to.include('TOOLKIT_KEY');
        expect(error.retryable).to.equal(false);
      }
    });
  }

  it('leaves out what it cannot decrypt for those who take note, and fills the page', async () => {
    const table = new OpenTable();
    const store = storeOn(table, 1);
    for (const key of ['a', 'b', 'c', 'd', 'e']) await store.set(key, `value of ${key}`);
    for (const key of ['a', 'c', 'e']) await table.set(key, Buffer.from('changed'));
    const unreadable: string[] = [];
    const page = await store.list('', { limit: 2, onUnreadable: (key) => unreadable.push(key) });
    expect(page).to.deep.equal([
      { key: 'b', value: 'value of b' },
      { key: 'd', value: 'value of d' },
    ]);
    expect(unreadable).to.deep.equal(['a', 'c']);
    expect(await store.list('', { after: 'd', onUnreadable: (key) => unreadable.push(key) })).to.deep.equal([]);
    expect(unreadable).to.deep.equal(['a', 'c', 'e']);
  });

  it('refuses at once whoever comes with another key, and changes nothing', async () => {
    const table = new OpenTable();
    await storeOn(table, 1).set('a', '1');
    const stranger = storeOn(table, 2);
    await rejection(stranger.set('a', '2'), 'STATE_UNAVAILABLE');
    await rejection(stranger.increment('a', { windowMs: 1000 }), 'STATE_UNAVAILABLE');
    expect(await storeOn(table, 1).get('a')).to.equal('1');
  });

  it('takes what was written with the key of before', async () => {
    const table = new OpenTable();
    await storeOn(table, 1).set('a', '1');
    const rotated = storeOn(table, 2, 1);
    expect(await rotated.get('a')).to.equal('1');
    expect(await rotated.compareAndSet('a', '1', '2')).to.equal(true);
    expect(await storeOn(table, 2, 1).get('a')).to.equal('2');
  });

  it('is opened with the present key alone when the key of before is left out, as the guide changes keys', async () => {
    const table = new OpenTable();
    let before = [1];
    for (const keys of [[1, 2], [2, 1], [2]]) {
      // Processes of this round and of the one before work side by side; the last to start is one of this round.
      for (const [writer, reader] of [
        [before, keys],
        [keys, before],
      ] as const) {
        await storeOn(table, ...writer).set('a', `${keys}`);
        if (keys.length === 2) expect(await storeOn(table, ...reader).get('a')).to.equal(`${keys}`);
      }
      await storeOn(table, ...keys).get('a');
      before = keys;
    }
    await rejection(storeOn(table, 1).get('a'), 'STATE_UNAVAILABLE');
  });

  it('compares values, also where others have written the same one anew meanwhile', async () => {
    const table = new OpenTable();
    const [one, other] = [storeOn(table, 1), storeOn(table, 1)];
    await one.set('a', '1');
    const { get } = table;
    let isFirst = true;
    table.get = async (key) => {
      const found = await get.call(table, key);
      if (key === 'a' && isFirst) {
        isFirst = false;
        await other.set('a', '1');
      }
      return found;
    };
    expect(await one.compareAndSet('a', '1', '2')).to.equal(true);
  });

  it('asks the database once for what it changes several times, and again when others have changed it', async () => {
    const table = new OpenTable();
    const [one, other] = [storeOn(table, 1), storeOn(table, 1)];
    await other.set('a', '1');
    await one.get('a');
    const asked = sinon.spy(table, 'get');
    expect(await one.compareAndSet('a', '1', '2')).to.equal(true);
    expect(await one.compareAndSet('a', '2', '3')).to.equal(true);
    expect(asked.callCount).to.equal(0);
    await other.set('a', '4');
    expect(await one.compareAndSet('a', '3', '5')).to.equal(false);
    expect(await one.compareAndSet('a', '4', '5')).to.equal(true);
    expect(await one.compareAndSet('a', '5', undefined)).to.equal(true);
    expect(await one.get('a')).to.equal(undefined);
    expect(asked.callCount).to.equal(2);
  });

  it('opens the database when it is first used, again when that failed, and not any more when it is closed', async () => {
    const table = new OpenTable();
    let opened = 0;
    const store = new EncryptedStore(
      async () => {
        opened++;
        if (opened === 1) throw new Error('not yet');
        return table;
      },
      new Cipher(() => [new Uint8Array(32)]),
    );
    expect(opened).to.equal(0);
    expect(String(await store.get('a').catch((error: unknown) => error))).to.include('not yet');
    await Promise.all([store.set('a', '1'), store.get('b')]);
    expect(opened).to.equal(2);
    await store.close();
    expect(table.isClosed).to.equal(true);
    expect((await rejection(store.get('a'), 'STATE_UNAVAILABLE')).message).to.include('closed');
  });
});
