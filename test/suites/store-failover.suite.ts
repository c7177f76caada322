import { expect } from 'chai';
import pg from 'pg';
import { Readiness } from '../../plugins/shared/health/readiness.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { until } from '../support/until.ts';
import { durableKernel } from './durable/kernel.ts';
import { type OwnServer, startOwnServer, startStandby } from './postgres/own-server.ts';

describe('the store in PostgreSQL with a hot standby', () => {
  const servers: OwnServer[] = [];
  const open: EncryptedStore[] = [];
  after(async () => {
    await Promise.all(open.map((store) => store.close()));
    await Promise.all(servers.map((server) => server.stop()));
  });

  const storeAt = (url: string): EncryptedStore => {
    const table = () => PostgresTable.open({ url, maxConnections: 5, logger: memoryLogger() });
    const store = new EncryptedStore(table, new Cipher(() => [new Uint8Array(32).fill(7)]));
    open.push(store);
    return store;
  };

  it('writes to the primary wherever it stands in the URL, and follows when the standby is promoted', async () => {
    const primary = await startOwnServer();
    servers.push(primary);
    const standby = await startStandby(primary);
    servers.push(standby);
    const urlOf = (...hosts: readonly string[]): string =>
      `postgresql://postgres:${primary.url.password}@${hosts.join(',')}/postgres?target_session_attrs=read-write`;
    // The standby first: it is asked, answers that it is read-only, and is left.
    const [store, other] = [storeAt(urlOf(standby.url.host, primary.url.host)), storeAt(urlOf(primary.url.host, standby.url.host))];
    const told = new Set<string>();
    await store.set('a', '1');
    await store.watch('', (key) => told.add(key));
    expect(await other.compareAndSet('a', '1', '2')).to.equal(true);
    await until(() => told.has('a') || undefined);
    const readiness = new Readiness(store, memoryLogger(), { closing: new AbortController().signal });
    expect(await readiness.unreadyReason()).to.equal(undefined);

    const admin = new pg.Client({ connectionString: standby.url.href });
    await admin.connect();
    // A failover after a planned stop: the standby has everything.
    await primary.stop();
    await until(async () => (await readiness.unreadyReason()) ?? undefined);
    await admin.query('select pg_promote()');
    const promotedAt = performance.now();
    await admin.end();
    await until(async () => ((await readiness.unreadyReason()) === undefined ? true : undefined));
    process.stdout.write(`      ready ${Math.round(performance.now() - promotedAt)} ms after the promotion\n`);
    expect(performance.now() - promotedAt).to.be.below(15_000);
    expect(await store.get('a')).to.equal('2');
    expect(await other.compareAndSet('a', '2', '3')).to.equal(true);
    told.clear();
    await other.set('b', '1');
    await until(() => told.has('b') || undefined);
  });

  it('runs durable calls on the standby that is promoted, with the same workers', async () => {
    const primary = await startOwnServer();
    servers.push(primary);
    const standby = await startStandby(primary);
    servers.push(standby);
    const store = `postgresql://postgres:${primary.url.password}@${primary.url.host},${standby.url.host}/postgres`;
    const kernel = await durableKernel({ engine: 'engine-bullmq', store, world: '' }, 2);
    try {
      const run = async (id: string): Promise<unknown> =>
        (await kernel.execute('act_nothing', { name: id }, { durable: true, id })).result();
      await run('before');
      const admin = new pg.Client({ connectionString: standby.url.href });
      await admin.connect();
      await primary.stop();
      await admin.query('select pg_promote()');
      await admin.end();
      const promotedAt = performance.now();
      await until(() => run('after').catch(() => undefined));
      process.stdout.write(`      a durable call ended ${Math.round(performance.now() - promotedAt)} ms after the promotion\n`);
      // The worker listens there: one that did not would be replaced after seven seconds.
      const begun = performance.now();
      await run('later');
      expect(performance.now() - begun).to.be.below(5000);
    } finally {
      await kernel.close();
    }
  });
});
