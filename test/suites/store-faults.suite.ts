import { expect } from 'chai';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { until } from '../support/until.ts';
import { RealServer } from './postgres/server.ts';

const rounds = process.env['TOOLKIT_ROUNDS'] === 'whole' ? 20 : 1;

/** Time within which everything works again after a connection fell silent, in milliseconds. */
const maxSilenceMs = 15_000;

describe('the store in PostgreSQL through faults', function () {
  this.timeout(120_000);

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
});
