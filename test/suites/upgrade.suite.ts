import { expect } from 'chai';
import { engineBullmq } from '../../plugins/engine-bullmq/index.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { type EarlierTools, earlierStoreChecks, earlierTools } from '../support/earlier-calls.ts';
import { cipherOf, type EarlierStore, earlierDatabase, readEarlierStore } from '../support/earlier-store.ts';
import { rejection } from '../support/rejection.ts';
import { RealServer } from './postgres/server.ts';

describe('stores of earlier versions in PostgreSQL', () => {
  let server: RealServer;
  before(async () => {
    server = await RealServer.start();
  });
  after(async () => {
    await server?.undo();
    await server?.stop();
  });

  const openTable = (url: string): Promise<PostgresTable> => PostgresTable.open({ url, maxConnections: 5, logger: memoryLogger() });
  const storeIn = (url: string, earlier: EarlierStore): EncryptedStore =>
    new EncryptedStore(() => openTable(url), cipherOf(earlier), { spansMachines: true });

  for (const name of ['engine-local-5fd1ded7', 'engine-local-dffaea89', 'engine-local-fb0a35f1', 'engine-dbos-fb0a35f1'])
    describe(`that of ${name}`, () => {
      const open = async (): Promise<EarlierTools> => {
        const earlier = await readEarlierStore(name);
        const url = await server.makeDatabase();
        await earlierDatabase(earlier, url);
        return earlierTools(storeIn(url, earlier), engineBullmq({ url, concurrency: 0 }));
      };
      for (const { title, run } of earlierStoreChecks(open)) it(title, run);
    });

  const heartbeat = (life: string): string =>
    `insert into toolkit_entries values ('calls-once/process/a', '', now() + interval '${life}') on conflict (key) do update set value = excluded.value`;

  it('are not upgraded while a process of the earlier version runs calls', async () => {
    const earlier = await readEarlierStore('engine-local-fb0a35f1');
    const url = await server.makeDatabase();
    await earlierDatabase(earlier, url);
    await server.rowsIn(url, heartbeat('1 hour'));
    const error = await rejection(openTable(url), 'STATE_UNAVAILABLE');
    expect(error.message).to.include('Stop them, and start again');
    expect(await server.rowsIn(url, 'select version from toolkit_version')).to.deep.equal([{ version: earlier.tables }]);
  });

  it('are upgraded when the processes of the earlier version have just ended, and those that idle begin no call any more', async () => {
    const earlier = await readEarlierStore('engine-local-fb0a35f1');
    const url = await server.makeDatabase();
    await earlierDatabase(earlier, url);
    await server.rowsIn(url, heartbeat('1 second'));
    await (await openTable(url)).close();
    const refused = await server.rowsIn(url, heartbeat('3 seconds')).catch((error: Error) => error.message);
    expect(refused).to.equal('this store was upgraded; restart this process with the version that upgraded it');
  });
});
