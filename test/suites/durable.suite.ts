import type { EngineHost, StateStore } from '../../kernel/index.ts';
import { LocalEngine } from '../../plugins/engine-local/local-engine.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { callEngineChecks, memoryLogger } from '../../plugins/toolkit/testing.ts';
import { describeProcesses } from './durable/processes.ts';
import { RealServer } from './postgres/server.ts';

describeProcesses('engine-local');

describe('the engine of durable calls, in PostgreSQL', function () {
  this.timeout(60_000);

  let server: RealServer;
  const stores: StateStore[] = [];
  before(async () => {
    server = await RealServer.start();
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await server.undo();
  });
  after(() => server?.stop());

  for (const { title, run } of callEngineChecks(async (one, other) => {
    const url = await server.makeDatabase();
    const engineOf = (host: EngineHost): LocalEngine => {
      const table = () => PostgresTable.open({ url, maxConnections: 5, logger: memoryLogger() });
      const state = new EncryptedStore(table, new Cipher(() => [new Uint8Array(32).fill(7)]));
      stores.push(state);
      const options = { retentionMs: 3_600_000, maxCalls: 1000, maxBytes: 1_000_000, maxAttempts: 5, concurrency: 0 };
      return new LocalEngine({ host, state, logger: memoryLogger(), ...options });
    };
    return [engineOf(one), engineOf(other)];
  }))
    it(title, run);
});
