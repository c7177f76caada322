import { expect } from 'chai';
import sinon from 'sinon';
import { Cipher } from '../../../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../../../plugins/shared/state/encrypted-store.ts';
import { OpenTable } from '../../../support/open-table.ts';
import { rejection } from '../../../support/rejection.ts';
import { ada, newGrant, type OpenedGrants, open } from './grant-samples.ts';

const bob = { ...ada, caller: 'bob' };
const storeKeyOf = (byte: number): Cipher => new Cipher(() => [new Uint8Array(32).fill(byte)]);

/** A database with the grants of ada and bob, in which bob's row was changed or written with another key. */
async function withBadRow(damage: (table: OpenTable, key: string, of: { readonly ada: string }) => Promise<void>): Promise<OpenedGrants> {
  const table = new OpenTable();
  const state = new EncryptedStore(async () => table, storeKeyOf(1));
  const opened = open({ folder: '/nowhere', state });
  await opened.grants.save(newGrant());
  const [keyOfAda = ''] = await keysOf(table);
  await opened.grants.save(newGrant(bob));
  const key = (await keysOf(table)).find((other) => other !== keyOfAda) ?? '';
  await damage(table, key, { ada: keyOfAda });
  return opened;
}

async function keysOf(table: OpenTable): Promise<readonly string[]> {
  return (await table.rows.list('grant/')).map(({ key }) => key);
}

const damages: Readonly<Record<string, Parameters<typeof withBadRow>[0]>> = {
  'was changed': (table, key) => table.set(key, Buffer.from('changed')),
  'was sealed with another key': (table, key) => table.set(key, storeKeyOf(2).encrypt('{}', key)),
  'is that of another owner': async (table, key, of) => table.set(key, (await table.get(of.ada)) ?? new Uint8Array()),
  'is sealed for the store alone': (table, key) => table.set(key, storeKeyOf(1).encrypt('{"grant":{}}', key)),
};

describe('a stored grant that cannot be read', () => {
  for (const [title, damage] of Object.entries(damages)) {
    it(`is left out, and named once, where its row ${title}`, async () => {
      const { grants, warnings } = await withBadRow(damage);
      for (let time = 0; time < 2; time++) expect((await grants.list()).map(({ owner }) => owner)).to.deep.equal([ada]);
      expect(await grants.list({ tenant: '', caller: 'bob' })).to.deep.equal([]);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/the account stored as grant\/\w+\/\w+ was changed, or written with another TOOLKIT_KEY/);
      expect((await grants.find(ada))?.owner).to.deep.equal(ada);
      const error = await rejection(grants.find(bob), 'STATE_UNAVAILABLE');
      expect(error.message).to.include('or log in again');
      expect(error.retryable).to.equal(false);
    });

    it(`gives way to a new login, and to a logout, where its row ${title}`, async () => {
      const { grants } = await withBadRow(damage);
      await grants.save(newGrant(bob, { accessToken: 'of the new login' }));
      expect((await grants.find(bob))?.tokens.accessToken).to.equal('of the new login');
      const other = await withBadRow(damage);
      expect(await other.grants.delete(bob)).to.equal(undefined);
      expect(await other.grants.find(bob)).to.equal(undefined);
    });
  }
});

describe('the grants of one caller', () => {
  it('are listed without a look at those of others', async () => {
    const cipher = storeKeyOf(3);
    const decrypt = sinon.spy(cipher, 'decrypt');
    const { grants } = open({ folder: '/nowhere', keys: { cipher: () => cipher, isPersistent: false } });
    for (let person = 0; person < 20; person++) await grants.save(newGrant({ ...ada, caller: `person ${person}` }));
    await grants.save(newGrant({ ...ada, caller: 'person 3', account: 'work' }));
    decrypt.resetHistory();
    const found = await grants.list({ tenant: '', caller: 'person 3', provider: 'gmail' });
    expect(found.map(({ owner }) => owner.account)).to.deep.equal(['default', 'work']);
    expect(decrypt.callCount).to.equal(2);
    expect(await grants.list({ caller: 'person 3' }), 'of any tenant').to.have.length(2);
  });
});
