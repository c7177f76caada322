import { expect } from 'chai';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { type StoreLimits, storeLimits } from '../../plugins/store-postgres/store-limits.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { RealServer } from './postgres/server.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('a table in PostgreSQL whose connections fall silent', () => {
  const limits: StoreLimits = { ...storeLimits, answerMs: 1000, listMs: 1000, closeMs: 50 };
  let server: RealServer;
  let proxy: FaultProxy;
  let url: string;
  const tables: PostgresTable[] = [];
  let table: PostgresTable;

  const openTable = async (): Promise<PostgresTable> => {
    const opened = await PostgresTable.open({ url: proxy.urlOf(url), maxConnections: 2, logger: memoryLogger(), limits });
    tables.push(opened);
    return opened;
  };

  before(async () => {
    server = await RealServer.start();
  });
  beforeEach(async () => {
    url = await server.makeDatabase();
    proxy = await FaultProxy.open(server.address);
    table = await openTable();
  });
  afterEach(async () => {
    await Promise.all(tables.splice(0).map((opened) => opened.close()));
    await proxy.close();
    await server.undo();
  });
  after(() => server?.stop());

  /** Opens all connections, and has them swallow what passes in this direction. New ones pass. */
  async function silent(direction: 'answers' | 'both'): Promise<void> {
    await Promise.all([table.get('a'), table.get('a'), table.get('a')]);
    for (const connection of proxy.connections) connection.swallow(direction);
  }

  it('reads again on a new connection, and uses the silent ones no more', async () => {
    await table.set('a', bytes('1'), {});
    await silent('both');
    const before = proxy.connections;
    const read = async (): Promise<void> => {
      const found = await Promise.all(Array.from({ length: 6 }, () => table.get('a')));
      expect(found.map(String)).to.deep.equal(Array.from({ length: 6 }, () => '1'));
    };
    await read();
    const sent = before.map((connection) => connection.sent.length);
    await read();
    expect(before.map((connection) => connection.sent.length)).to.deep.equal(sent);
  });

  it('finds out that a conditional write was carried out whose answer was lost', async () => {
    await silent('answers');
    expect(await table.replace('b', undefined, bytes('mine'), { also: [{ key: 'c', value: bytes('more') }] })).to.equal(true);
    expect([String(await table.get('b')), String(await table.get('c'))]).to.deep.equal(['mine', 'more']);
  });

  it('carries out a conditional write that never arrived', async () => {
    await table.set('d', bytes('1'), {});
    await silent('both');
    expect(await table.replace('d', bytes('1'), bytes('2'), {})).to.equal(true);
    expect(String(await table.get('d'))).to.equal('2');
  });

  it('does not claim to know whether a deletion was carried out whose answer was lost', async () => {
    await table.set('e', bytes('1'), {});
    await silent('answers');
    const error = await rejection(table.replace('e', bytes('1'), undefined, {}), 'STATE_UNAVAILABLE');
    expect(error.message).to.include('did not answer in time');
    expect(await table.get('e')).to.equal(undefined);
  });

  it('does not take the write of another for its own', async () => {
    await silent('both');
    await rejection(table.set('f', bytes('mine'), {}), 'STATE_UNAVAILABLE');
    await table.set('f', bytes('theirs'), {});
    expect(await table.replace('f', undefined, bytes('mine'), {})).to.equal(false);
  });

  it('counts once, or says that it is not known', async () => {
    await silent('answers');
    await rejection(table.increment('count', { windowMs: 60_000 }), 'STATE_UNAVAILABLE');
    expect((await table.increment('count', { windowMs: 60_000 })).count).to.equal(2);
  });

  it('loses and doubles no step of three processes that count in a value while connections fall silent and break', async () => {
    const stores = [table, await openTable(), await openTable()];
    let [done, unknown] = [0, 0];
    await table.set('n', bytes('0 start'), {});
    const isOver = { value: false };
    const count = async (store: PostgresTable, name: number): Promise<void> => {
      for (let step = 0; !isOver.value; step++) {
        const found = await store.get('n').catch(() => undefined);
        if (found === undefined) continue;
        // Unique, as encrypted values are.
        const next = bytes(`${Number.parseInt(String(found), 10) + 1} ${name}.${step}`);
        const isSet = await store.replace('n', found, next, {}).catch(() => 'unknown');
        if (isSet === true) done++;
        else if (isSet === 'unknown') unknown++;
      }
    };
    const counting = stores.map(count);
    for (let fault = 0; fault < 24; fault++) {
      const before = done;
      await until(() => done > before || undefined);
      const connections = proxy.connections.filter((_connection, index) => (index + fault) % 2 === 0);
      for (const connection of connections)
        if (fault % 3 === 0) connection.cut();
        else connection.swallow(fault % 3 === 1 ? 'answers' : 'both');
    }
    isOver.value = true;
    await Promise.all(counting);
    await proxy.pass();
    const total = Number.parseInt(String(await table.get('n')), 10);
    process.stdout.write(`      ${done} steps, ${unknown} unknown, ${total} in the end\n`);
    expect(total).to.be.within(done, done + unknown);
  });
});
