import { expect } from 'chai';
import Database from 'libsql';
import { waitForEarlierProcesses } from '../../../plugins/shared/state/earlier-processes.ts';
import { openTable } from '../../../plugins/store-libsql/open-table.ts';
import { earlierFile, readEarlierStore } from '../../support/earlier-store.ts';
import { rejection } from '../../support/rejection.ts';

/** The statement by which earlier versions say that they live, as they had it. */
const heartbeat = `insert into entries (key, value, expires_at) values (?, '', cast(unixepoch('subsec') * 1000 as integer) + ?)
  on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`;

describe('the file of an earlier version', () => {
  const withFile = async (work: (database: Database.Database, file: string) => Promise<void>): Promise<void> => {
    const file = await earlierFile(await readEarlierStore('engine-local-fb0a35f1'));
    const database = new Database(file);
    try {
      await work(database, file);
    } finally {
      database.close();
    }
  };

  it('is upgraded when the processes of that version have ended, of which those that idle begin no call any more', () =>
    withFile(async (database, file) => {
      const beat = (): unknown => database.prepare(heartbeat).run('engine-local/process/a', 500);
      beat();
      await (await openTable(file, { isPersistent: true })).close();
      expect(beat).to.throw('this store was upgraded; restart this process with the version that upgraded it');
    }));

  it('is refused by a version that does not know it, which says what to do', () =>
    withFile(async (database, file) => {
      database.pragma('user_version = 99');
      const error = await rejection(openTable(file, { isPersistent: true }), 'STATE_UNAVAILABLE');
      expect(error.message).to.include('was written by a later one').and.include('Install that');
    }));
});

describe('processes of an earlier version', () => {
  it('keep a store from being upgraded while they run calls', async () => {
    const error = await rejection(
      waitForEarlierProcesses('state.db', async () => true, 0),
      'STATE_UNAVAILABLE',
    );
    expect(error.message).to.include('The store state.db is not upgraded').and.include('Stop them');
  });
});
