import type { StateStore } from '../../kernel/index.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { SealedStore } from '../../plugins/shared/state/sealed-store.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { memoryLogger, stateStoreChecks } from '../../plugins/toolkit/testing.ts';
import { RealServer } from './postgres/server.ts';

const key = new Uint8Array(32).fill(7);

describe('the store in PostgreSQL', function () {
  this.timeout(60_000);

  let server: RealServer;
  before(async () => {
    server = await RealServer.start();
  });
  afterEach(() => server.undo());
  after(() => server?.stop());

  const storeOf = (url: string): StateStore =>
    new SealedStore(() => PostgresTable.open({ url, maxConnections: 5, logger: memoryLogger() }), new Cipher(() => [key]));

  for (const { title, run } of stateStoreChecks(async () => {
    const url = await server.makeDatabase();
    return [storeOf(url), storeOf(url)];
  }))
    it(title, run);
});
