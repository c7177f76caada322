import { expect } from 'chai';
import pg from 'pg';
import { type ObservedProcess, ProcessObserver, readProcesses, readSilence } from '../../plugins/shared/cluster/process-observer.ts';
import { type CreateClient, createProcesses, ProcessSession } from '../../plugins/shared/cluster/process-session.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { RealServer } from './postgres/server.ts';

describe('the liveness of processes on PostgreSQL', () => {
  let server: RealServer;
  let url: string;
  const sessions: ProcessSession[] = [];
  before(async () => {
    server = await RealServer.start();
  });
  beforeEach(async () => {
    url = await server.makeDatabase();
    await server.rowsIn(url, createProcesses);
  });
  afterEach(() => Promise.all(sessions.splice(0).map((session) => session.close())));
  after(async () => {
    await server?.undo();
    await server?.stop();
  });

  const sessionOf = (
    id: string,
    onBroken = (): void => {},
    to: CreateClient = (stream) => new pg.Client({ connectionString: url, stream }),
  ): ProcessSession => {
    const session = new ProcessSession({ id, createClient: to, onBroken });
    sessions.push(session);
    return session;
  };
  const read = async (): Promise<readonly ObservedProcess[]> => (await server.rowsIn(url, readProcesses)) as unknown as ObservedProcess[];
  const holder = `select pid from pg_locks join toolkit_processes on (classid::bigint << 32) | objid::bigint = lock_key
    where locktype = 'advisory' and id = `;
  const backendOf = async (id: string): Promise<number> => Number((await server.rowsIn(url, `${holder} '${id}'`))[0]?.['pid']);

  it('is a lock that is held for as long as the connection', async () => {
    await sessionOf('a').connect();
    await sessionOf('b').connect();
    const both = await read();
    expect(both.map(({ id, held }) => [id, held])).to.have.deep.members([
      ['a', true],
      ['b', true],
    ]);
    expect(new Set(both.map(({ key }) => key)).size).to.equal(2);
    await server.rows('select pg_terminate_backend($1)', [await backendOf('a')]);
    await until(async () => ((await read()).find(({ id }) => id === 'a')?.held === false ? true : undefined));
  });

  it('ends at once in order', async () => {
    const session = sessionOf('a');
    await session.connect();
    const observer = new ProcessObserver(read, async () => {});
    expect(await observer.isDead('a')).to.equal(false);
    await session.close();
    await until(async () => ((await observer.isDead('a')) ? true : undefined));
  });

  it('goes over to a new connection, which ends the old backend', async () => {
    await sessionOf('a').connect();
    const before = await backendOf('a');
    let isBroken = false;
    const again = sessionOf('a', () => {
      isBroken = true;
    });
    await again.connect();
    await until(async () =>
      (await server.rows('select 1 from pg_stat_activity where pid = $1', [before])).length === 0 ? true : undefined,
    );
    expect(await backendOf('a')).to.not.equal(before);
    expect((await read()).map(({ held }) => held)).to.deep.equal([true]);
    expect(isBroken).to.equal(false);
  });

  it('says that its connection broke, once', async () => {
    let times = 0;
    await sessionOf('a', () => times++).connect();
    await server.rows('select pg_terminate_backend($1)', [await backendOf('a')]);
    await until(async () => (times > 0 ? true : undefined));
    expect(times).to.equal(1);
  });

  it('is refused behind a pooler that gives two clients one backend', async () => {
    const shared = new pg.Client({ connectionString: url });
    await shared.connect();
    const pooled = (): pg.Client => {
      const client = new pg.Client({ connectionString: url });
      return Object.assign(client, {
        connect: async () => {},
        end: async () => {},
        query: (text: string) => shared.query(text),
      }) as unknown as pg.Client;
    };
    try {
      const error = await rejection(sessionOf('a', undefined, pooled).connect(), 'PLUGIN_INVALID');
      expect(error.message).to.include('PgBouncer').and.include('pool_mode = session');
    } finally {
      await shared.end();
    }
  });

  it('knows how long ago the connection of a process was used, and nothing of a process without one', async () => {
    await sessionOf('a').connect();
    const silence = async (id: string) =>
      (await server.rowsIn(url, readSilence.replace('$1', `'${id}'`))).map((row) => Number(row['silent_ms']));
    const [first = Number.NaN] = await silence('a');
    expect(first).to.be.within(0, 60_000);
    await server.rowsIn(url, 'select pg_sleep(0.1)');
    expect((await silence('a'))[0]).to.be.at.least(first + 100);
    expect(await silence('b')).to.deep.equal([]);
  });
});
