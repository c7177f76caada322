import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { type OpenedConnectStore, openConnectStore } from '../../../../plugins/accounts/connect/open-connect-store.ts';
import { afterEach } from '../../../support/after-each.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { Browser, codeIn } from './browser.ts';
import { connectSite } from './connect-site.ts';

const ada = { tenant: 'shop', caller: 'ada', provider: 'mail' };

const stores: OpenedConnectStore[] = [];

afterEach(async () => {
  for (const opened of stores.splice(0)) await opened.close();
});

/** The stores of two processes on one folder, with one clock. */
async function twoStores(): Promise<{
  readonly stores: readonly [OpenedConnectStore, OpenedConnectStore];
  readonly folder: string;
  pass(ms: number): void;
}> {
  let now = 1_000_000;
  const folder = path.join(await temporaryFolder(), 'accounts', 'connect');
  const open = (): OpenedConnectStore => {
    const opened = openConnectStore({ state: new MemoryStore(() => now), keys: { isPersistent: true }, folder, now: () => now });
    stores.push(opened);
    return opened;
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { stores: [open(), open()], folder, pass };
}

describe('accounts: pending connects in files', () => {
  it('takes a code that is typed in another process', async () => {
    const { stores, folder } = await twoStores();
    const [server, command] = await Promise.all(stores.map(({ store: state }) => connectSite({ state, hasSeveralCallers: true })));
    if (server === undefined || command === undefined) throw new Error('no sites');
    const browser = new Browser(server);
    const link = String(await server.connect.link(ada, []));
    const code = codeIn((await browser.open(server.provider.redirectOf(await browser.goOn(link)))).text);
    const files = path.join(folder, 'entries');
    const kept = await Promise.all(
      (await readdir(files, { withFileTypes: true }))
        .filter((file) => file.isFile())
        .map(({ name }) => readFile(path.join(files, name), 'latin1')),
    );
    expect(kept).to.not.be.empty;
    for (const secret of [code, code.replace('-', ''), link.slice(-22), ...server.provider.issued])
      expect(kept.join()).to.not.contain(secret);
    await command.connect.confirm({ ...ada, code });
    expect(command.provider.saved).to.have.length(1);
    expect((await browser.open(link)).text).to.contain('Account connected');
  });

  it('lets entries expire, and deletes them at the next start', async () => {
    const { stores, folder, pass } = await twoStores();
    const [first, second] = stores;
    expect(await first.store.compareAndSet('a', undefined, 'one two', { ttlMs: 1000, also: [{ key: 'b', value: 'three' }] })).to.equal(
      true,
    );
    expect([await first.store.get('a'), await first.store.get('b')]).to.deep.equal(['one two', 'three']);
    pass(1000);
    expect([await first.store.get('a'), await first.store.list('')]).to.deep.equal([undefined, [{ key: 'b', value: 'three' }]]);
    expect(await first.store.compareAndSet('a', 'one two', 'four')).to.equal(false);
    expect(await first.store.compareAndSet('c', undefined, 'gone', { ttlMs: 1 })).to.equal(true);
    pass(1);
    await second.store.get('a');
    expect((await readdir(path.join(folder, 'entries'))).filter((name) => /^[abc]$/.test(name))).to.deep.equal(['b']);
  });

  it('gives a key to one of many writers at once', async () => {
    const { stores } = await twoStores();
    const wrote = await Promise.all(
      [...stores, ...stores, ...stores].map(({ store }, n) => store.compareAndSet('key', undefined, String(n), { ttlMs: 1000 })),
    );
    expect(wrote.filter((did) => did)).to.have.length(1);
  });
});
