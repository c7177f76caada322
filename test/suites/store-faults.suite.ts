import { expect } from 'chai';
import { Readiness } from '../../plugins/shared/health/readiness.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { RealServer } from './postgres/server.ts';

const rounds = process.env['TOOLKIT_ROUNDS'] === 'whole' ? 20 : 1;

/** Time within which everything works again after a connection fell silent, in milliseconds. */
const maxSilenceMs = 15_000;

describe('the store in PostgreSQL through faults', () => {
  let server: RealServer;
  let proxy: FaultProxy;
  let url: string;
  const open: EncryptedStore[] = [];
  before(async () => {
    server = await RealServer.start();
  });
  beforeEach(async () => {
    url = await server.makeDatabase();
    proxy = await FaultProxy.open(server.address);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()));
    await proxy.close();
    await server.undo();
  });
  after(() => server?.stop());

  const storeAt = (address: string): EncryptedStore => {
    const table = () => PostgresTable.open({ url: address, maxConnections: 5, logger: memoryLogger() });
    const store = new EncryptedStore(table, new Cipher(() => [new Uint8Array(32).fill(7)]));
    open.push(store);
    return store;
  };

  /** Returns a store through the proxy with all of its connections open, one that listens included, and the keys that it was told of. */
  async function busyStore(): Promise<{ store: EncryptedStore; told: Set<string> }> {
    const store = storeAt(proxy.urlOf(url));
    const told = new Set<string>();
    await store.set('a', '1');
    await store.watch('', (key) => told.add(key));
    await Promise.all(Array.from({ length: 20 }, () => store.get('a')));
    return { store, told };
  }

  for (let round = 1; round <= rounds; round++)
    it(`comes back after all of its connections fell silent, round ${round} of ${rounds}`, async () => {
      const other = storeAt(url);
      const { store, told } = await busyStore();
      for (const connection of proxy.connections) connection.swallow();
      const startedAt = performance.now();
      const sinceMs = (): number => Math.round(performance.now() - startedAt);
      const times: Record<string, number> = {};
      const timed = async (what: string, work: Promise<unknown>): Promise<void> => {
        await work;
        times[what] = sinceMs();
      };
      await Promise.all([
        timed('read', store.get('a')),
        timed(
          'write',
          store.compareAndSet('a', '1', '2').then((isSet) => expect(isSet).to.equal(true)),
        ),
        timed('list', store.list('')),
        timed('many', Promise.all(Array.from({ length: 20 }, () => store.get('a')))),
        timed(
          'told',
          other.set('b', '1').then(() => until(() => told.has('b') || undefined)),
        ),
      ]);
      process.stdout.write(`      ${JSON.stringify(times)}\n`);
      expect(Math.max(...Object.values(times))).to.be.below(maxSilenceMs);
      expect(await store.get('a')).to.equal('2');
    });

  it('carries out a conditional write once whose answer was lost', async () => {
    const { store } = await busyStore();
    for (const connection of proxy.connections) connection.swallow('answers');
    expect(await store.compareAndSet('a', '1', '2', { also: [{ key: 'b', value: 'also' }] })).to.equal(true);
    expect([await store.get('a'), await store.get('b')]).to.deep.equal(['2', 'also']);
  });

  it('says that it is not known whether a count was carried out, and counts on a new connection', async () => {
    const { store } = await busyStore();
    for (const connection of proxy.connections) connection.swallow();
    await rejection(store.increment('count', { windowMs: 60_000 }), 'STATE_UNAVAILABLE');
    expect((await store.increment('count', { windowMs: 60_000 })).isCounted).to.equal(true);
  });

  it('is ready within a second of the return of a database that was away', async () => {
    const { store } = await busyStore();
    const { asked, untilReady, stop } = probing(store);
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      await untilReady(true);
      proxy.refuse();
      proxy.cut();
      await untilReady(false);
      await proxy.pass();
      const startedAt = performance.now();
      await untilReady(true);
      expect(performance.now() - startedAt).to.be.below(1100);
    }
    stop();
    expect(asked.count).to.be.above(0);
  });

  it('is ready again within fifteen seconds after its connections fell silent', async () => {
    const { store } = await busyStore();
    const { untilReady, stop } = probing(store);
    await untilReady(true);
    for (const connection of proxy.connections) connection.swallow();
    const startedAt = performance.now();
    await untilReady(false);
    await untilReady(true);
    stop();
    process.stdout.write(`      ready after ${Math.round(performance.now() - startedAt)} ms\n`);
    expect(performance.now() - startedAt).to.be.below(maxSilenceMs);
  });

  it('is not ready while the database is read-only, and drops the connections to it', async () => {
    const { store } = await busyStore();
    const { untilReady, stop } = probing(store);
    await untilReady(true);
    // Connections that are open take this up with their next statement.
    await server.rows('ALTER SYSTEM SET default_transaction_read_only = on');
    try {
      await server.rows('SELECT pg_reload_conf()');
      await untilReady(false);
      expect((await rejection(store.set('a', '2'), 'STATE_UNAVAILABLE')).message).to.include('read-only');
    } finally {
      await server.rows('ALTER SYSTEM RESET default_transaction_read_only');
      await server.rows('SELECT pg_reload_conf()');
    }
    await untilReady(true);
    stop();
    await store.set('a', '2');
    expect(await store.get('a')).to.equal('2');
  });

  it('ends while its connections are silent', async () => {
    const { store } = await busyStore();
    for (const connection of proxy.connections) connection.swallow();
    open.splice(open.indexOf(store), 1);
    const startedAt = performance.now();
    await store.close();
    expect(performance.now() - startedAt).to.be.below(10_000);
  });
});

/** Asks a readiness all the time, as a proxy with many requests would. */
function probing(store: EncryptedStore) {
  const closing = new AbortController();
  const readiness = new Readiness(store, memoryLogger(), { closing: closing.signal });
  const asked = { count: 0 };
  const untilReady = async (isReady: boolean): Promise<void> => {
    await until(async () => {
      asked.count++;
      return ((await readiness.unreadyReason()) === undefined) === isReady || undefined;
    });
  };
  return { asked, untilReady, stop: () => closing.abort() };
}
