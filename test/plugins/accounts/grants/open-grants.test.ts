import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import type { GrantOwner } from '../../../../plugins/accounts/grants/grant.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedState } from '../../../support/shared-state.ts';
import { ada, grantsFolder, keys, newGrant, type OpenedGrants, open } from './grant-samples.ts';

interface Host {
  readonly open: () => OpenedGrants;
}

const hosts: Readonly<Record<string, () => Promise<Host>>> = {
  'in files': async () => {
    const folder = await grantsFolder();
    return { open: () => open({ folder }) };
  },
  'in a shared store': async () => {
    const folder = await grantsFolder();
    const store = await sharedState();
    return { open: () => open({ folder, state: store.open() }) };
  },
  'in memory': async () => {
    const state = new MemoryStore(Date.now);
    return { open: () => open({ folder: '/nowhere', state, keys: { ...keys, isPersistent: false } }) };
  },
};

/** Owners whose parts look like those of another one. */
const owners: readonly GrantOwner[] = [
  ada,
  { ...ada, tenant: 'ada', caller: '' },
  { ...ada, tenant: '', caller: '' },
  { ...ada, caller: 'ada/gmail', provider: '' },
  { ...ada, caller: 'ada', provider: '/gmail' },
  { ...ada, caller: 'ada","gmail' },
  { ...ada, caller: 'ad\u00e1' },
  { ...ada, caller: 'ada\u0301' },
  { ...ada, caller: 'ad\ud800a' },
  { ...ada, caller: '../ada' },
  { ...ada, caller: 'ada\0' },
  { ...ada, account: '' },
  { ...ada, issuer: '' },
  { ...ada, caller: 'Ada' },
];

for (const [where, make] of Object.entries(hosts))
  describe(`grants ${where}`, () => {
    it('are found by another instance as they were saved', async () => {
      const host = await make();
      const saved = await host.open().grants.save(newGrant());
      expect(saved).to.deep.include({ ...newGrant(), version: 1, createdAt: 0 });
      expect(await host.open().grants.find(ada)).to.deep.equal(saved);
    });

    it('are replaced by the next login, which counts one more write', async () => {
      const { grants } = (await make()).open();
      await grants.save(newGrant());
      await grants.save(newGrant(ada, { accessToken: 'other' }));
      expect(await grants.find(ada)).to.have.property('version', 2);
      expect((await grants.find(ada))?.tokens.accessToken).to.equal('other');
    });

    it('are returned by their deletion, and gone then', async () => {
      const { grants } = (await make()).open();
      await grants.save(newGrant());
      expect((await grants.delete(ada))?.tokens.accessToken).to.equal('access-1');
      expect(await grants.find(ada)).to.equal(undefined);
      expect(await grants.delete(ada)).to.equal(undefined);
    });

    it('belong to one owner each, whatever its parts contain', async () => {
      const { grants } = (await make()).open();
      await Promise.all(owners.map((owner, index) => grants.save(newGrant(owner, { accessToken: `of ${index}` }))));
      for (const [index, owner] of owners.entries()) expect((await grants.find(owner))?.tokens.accessToken).to.equal(`of ${index}`);
      expect(await grants.list()).to.have.length(owners.length);
    });

    it('are listed by owner', async () => {
      const { grants } = (await make()).open();
      for (const caller of ['bob', 'ada', 'eve']) await grants.save(newGrant({ ...ada, caller }));
      await grants.save(newGrant({ ...ada, tenant: 'acme', caller: 'bob' }));
      expect((await grants.list()).map(({ owner }) => `${owner.tenant}/${owner.caller}`)).to.deep.equal([
        '/ada',
        '/bob',
        '/eve',
        'acme/bob',
      ]);
      expect((await grants.list({ caller: 'bob', tenant: '' })).map(({ owner }) => owner.caller)).to.deep.equal(['bob']);
    });

    it('are refused once they are closed', async () => {
      const { grants } = (await make()).open();
      await grants.save(newGrant());
      await grants.close();
      await rejection(grants.find(ada), 'STATE_UNAVAILABLE');
    });
  });

describe('grants in files', () => {
  const entriesOf = (folder: string): string => path.join(folder, 'entries');

  it('are readable for this account only, and sealed', async () => {
    const folder = await grantsFolder();
    await open({ folder }).grants.save(newGrant());
    const [name = ''] = await readdir(entriesOf(folder));
    const file = path.join(entriesOf(folder), name);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const text = await readFile(file, 'utf8');
    for (const secret of ['access-1', 'refresh-1', 'ada', 'gmail']) expect(`${name} ${text}`).not.to.include(secret);
  });

  it('are refused in words where they were moved to another owner, and hide no others', async () => {
    const folder = await grantsFolder();
    const { grants, warnings } = open({ folder });
    const bob = { ...ada, caller: 'bob' };
    await grants.save(newGrant());
    const [ofAda = ''] = await readdir(entriesOf(folder));
    await grants.save(newGrant(bob, { accessToken: 'of bob' }));
    const ofBob = (await readdir(entriesOf(folder))).find((name) => name !== ofAda) ?? '';
    await writeFile(path.join(entriesOf(folder), ofBob), await readFile(path.join(entriesOf(folder), ofAda)));
    const error = await rejection(grants.find(bob), 'STATE_UNAVAILABLE');
    expect(error.message).to.include('was changed, or written with another key');
    expect(error.retryable).to.equal(false);
    expect(await grants.list()).to.have.length(1);
    await grants.list();
    expect(warnings).to.have.length(1);
    expect((await grants.find(ada))?.tokens.accessToken).to.equal('access-1');
  });

  it('can be replaced and deleted where they cannot be read', async () => {
    const folder = await grantsFolder();
    const { grants } = open({ folder });
    await grants.save(newGrant());
    const [name = ''] = await readdir(entriesOf(folder));
    await writeFile(path.join(entriesOf(folder), name), 'changed');
    expect(await grants.delete(ada)).to.equal(undefined);
    await grants.save(newGrant());
    await writeFile(path.join(entriesOf(folder), name), 'changed');
    expect(await grants.save(newGrant())).to.have.property('version', 1);
  });

  it('are refused in a folder that others may read', async () => {
    const folder = await grantsFolder();
    await open({ folder }).grants.save(newGrant());
    await chmod(folder, 0o755);
    const error = await rejection(open({ folder }).grants.find(ada), 'PLUGIN_INVALID');
    expect(error.message).to.include('must belong to this account alone');
  });

  it('stay in memory, with a warning, where no folder can be made', async () => {
    const file = path.join(await grantsFolder(), '..', 'file');
    await writeFile(file, '');
    const { grants, warnings } = open({ folder: path.join(file, 'accounts') });
    await grants.save(newGrant());
    expect(await grants.find(ada)).not.to.equal(undefined);
    expect(warnings.join()).to.include('accounts are lost when this process ends');
  });

  it('are written by one instance at a time', async () => {
    const folder = await grantsFolder();
    const instances = [1, 2, 3].map(() => open({ folder }).grants);
    await Promise.all(Array.from({ length: 24 }, (_, index) => instances[index % 3]?.save(newGrant())));
    expect(await instances[0]?.find(ada)).to.have.property('version', 24);
  });

  it('leave no parts of files and locks behind', async () => {
    const folder = await grantsFolder();
    const { grants } = open({ folder });
    await grants.save(newGrant());
    await writeFile(path.join(entriesOf(folder), '.part'), 'of a killed process');
    await open({ folder }).grants.save(newGrant());
    expect(await readdir(entriesOf(folder))).to.have.length(1);
    expect(await readdir(path.join(folder, 'lock'))).to.deep.equal(['2']);
  });
});
