import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import { expect } from 'chai';
import type { CallName, DurableRequest, EngineHost, Logger, StateStore } from '../../kernel/index.ts';
import { MemoryStore } from '../../kernel/state/memory-store.ts';
import { DbosEngine } from '../../plugins/engine-dbos/dbos-engine.ts';
import { dbosLog } from '../../plugins/engine-dbos/dbos-log.ts';
import { applicationName, applicationVersion, queueName, schemaName, workflowName } from '../../plugins/engine-dbos/dbos-names.ts';
import { DbosQueue } from '../../plugins/engine-dbos/dbos-queue.ts';
import type { Dbos } from '../../plugins/engine-dbos/load-dbos.ts';
import { encryptJob, workflowIdOf } from '../../plugins/engine-dbos/queued-job.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { processPrefix } from '../../plugins/shared/state/process-heartbeat.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { Gate, ScriptedHost } from '../../plugins/toolkit/testing/calls/scripted-host.ts';
import { callEngineChecks, memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { ownDbos } from './durable/own-dbos.ts';
import { RealServer } from './postgres/server.ts';

const cipher = new Cipher(() => [new Uint8Array(32).fill(7)]);

describe('the engine of durable calls on DBOS, in PostgreSQL', function () {
  this.timeout(60_000);

  let server: RealServer;
  let template: string;
  const engines: DbosEngine[] = [];
  const stores: StateStore[] = [];
  before(async () => {
    server = await RealServer.start();
    // With the tables of DBOS, which take it a second to make.
    template = await server.makeDatabase();
    await (await ownDbos()).migrate(template, dbosLog(memoryLogger()), schemaName);
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  after(async () => {
    await server?.undo();
    await server?.stop();
  });

  interface Given {
    readonly logger?: Logger;
    readonly seen?: (state: StateStore) => StateStore;
    /** @default one of its own, as another process has it */
    readonly dbos?: Dbos;
    readonly concurrency?: number;
  }
  const engineOf = async (url: string, host: EngineHost, given: Given = {}) => {
    const { logger = memoryLogger(), seen = (state: StateStore) => state, dbos = await ownDbos(), concurrency = 0 } = given;
    const table = () => PostgresTable.open({ url, maxConnections: 5, logger });
    const state = new EncryptedStore(table, cipher);
    stores.push(state);
    const options = { retentionMs: 3_600_000, maxCalls: 5000, maxBytes: 1_000_000, maxAttempts: 5, concurrency };
    return new DbosEngine({ host, state: seen(state), logger, url, cipher, dbos: async () => dbos, ...options });
  };
  const opened = async (...given: Parameters<typeof engineOf>): Promise<DbosEngine> => {
    const engine = await engineOf(...given);
    engines.push(engine);
    return engine;
  };

  for (const { title, run } of callEngineChecks(async (one, other) => {
    const url = await server.makeDatabase(template);
    return [await engineOf(url, one), await engineOf(url, other)];
  }))
    it(title, run);

  const request = (id: string): DurableRequest => ({
    id,
    caller: 'ada-of-accounts',
    tool: 'pay',
    parameters: { to: 'grace' },
    origin: 'host',
  });
  const nameOf = (id: string): CallName => ({ id, caller: 'ada-of-accounts' });

  it('makes the tables of DBOS once, whoever comes first of many', async () => {
    const url = await server.makeDatabase();
    const host = new ScriptedHost(() => 'done');
    const many = await Promise.all(Array.from({ length: 4 }, () => opened(url, host)));
    await Promise.all(many.map((engine, index) => engine.submit(request(`${index}`))));
    await many[0]?.work({ concurrency: 4 });
    await Promise.all(many.map((engine, index) => engine.ended(nameOf(`${index}`))));
    expect(host.requests).to.have.length(4);
  });

  it('writes nothing of a call that another process has taken over', async () => {
    const url = await server.makeDatabase(template);
    const gate = new Gate();
    const logger = memoryLogger();
    const held = new ScriptedHost(() => gate.passed.then(() => 'of the first'));
    const one = await opened(url, held, { logger });
    const other = await opened(url, new ScriptedHost(() => 'of the other'), { seen: unheard });
    await one.submit(request('a'));
    const stop = await one.work({ concurrency: 1 });
    await held.waitForCalls(1);
    await other.work({ concurrency: 1 });
    await until(async () => ((await other.get(nameOf('a'))).status === 'completed' ? true : undefined));
    gate.open();
    await stop();
    expect((await other.resultOf(nameOf('a')))?.output).to.equal('of the other');
    expect((await other.get(nameOf('a'))).attempts).to.equal(2);
    expect(logger.records.map(({ message }) => message).join('\n')).to.include('was discarded');
  });

  it('makes calls for one kernel of a process; another one is refused, and keeps nothing', async () => {
    const url = await server.makeDatabase(template);
    const dbos = await ownDbos();
    const host = new ScriptedHost(() => 'done');
    const open = () => opened(url, host, { dbos, concurrency: 1 });
    const [one, other] = [await open(), await open()];
    const submitted = await Promise.allSettled([one.submit(request('a')), other.submit(request('b'))]);
    expect(submitted.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    const [first, second, id, next] = submitted[0]?.status === 'fulfilled' ? [one, other, 'a', 'b'] : [other, one, 'b', 'a'];
    expect((await first.ended(nameOf(id))).status).to.equal('completed');
    await rejection(second.submit(request(next)), 'PLUGIN_INVALID');
    await rejection(first.get(nameOf(next)), 'NOT_FOUND');
    await first.close();
    await second.submit(request(next));
    expect((await second.ended(nameOf(next))).status).to.equal('completed');
  });

  it('begins nothing once it is closed', async () => {
    const url = await server.makeDatabase(template);
    const engine = await opened(url, new ScriptedHost(() => 'done'));
    const stop = await engine.work({ concurrency: 1 });
    await engine.close();
    await rejection(engine.work({ concurrency: 1 }), 'STATE_UNAVAILABLE');
    await stop();
    const name = new URL(url).pathname.slice(1);
    await until(async () => {
      const left = await server.rows("SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'dbos_transact%'", [
        name,
      ]);
      return left.length === 0 ? true : undefined;
    });
  });

  it('goes on when its database is there again', async () => {
    const url = await server.makeDatabase(template);
    const name = new URL(url).pathname.slice(1);
    const engine = await opened(url, new ScriptedHost(() => 'done'), { concurrency: 1 });
    await engine.submit(request('a'));
    await engine.ended(nameOf('a'));
    await server.rows(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    expect((await rejection(engine.submit(request('b')), 'STATE_UNAVAILABLE')).message).to.include(name);
    await server.rows(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await until(async () =>
      engine.submit(request('c')).then(
        () => true,
        () => undefined,
      ),
    );
    expect((await engine.ended(nameOf('c'))).status).to.equal('completed');
  });

  it('forgets turns that ended long ago, also many, and no others', async () => {
    const url = await server.makeDatabase(template);
    const state = new MemoryStore(Date.now);
    const queue = new DbosQueue({ dbos: ownDbos, url, cipher, state, logger: memoryLogger() });
    try {
      const turns = Array.from({ length: 1001 }, (_, runAt) => ({ place: 'a', runAt, ahead: 0, looks: 0 }));
      // Some at a time: what waits behind a thousand others gets no answer in time on a slow machine.
      for (let first = 0; first < turns.length; first += 50) {
        const some = turns.slice(first, first + 50);
        await Promise.all(some.map((turn) => queue.put(turn, 0)));
        await Promise.all(some.filter((turn) => turn !== turns[0]).map((turn) => queue.drop(turn)));
      }
      await queue.forget(0);
      const count = async () => (await server.rowsIn(url, `select workflow_uuid from ${schemaName}.workflow_status`)).length;
      expect(await count()).to.equal(1001);
      // The clock of the database has gone on by then.
      await queue.forget(Date.now() + 60_000);
      expect(await count()).to.equal(1);
    } finally {
      await queue.close();
    }
  });

  describe('against somebody who has the database, and not the key', () => {
    let url: string;
    let host: ScriptedHost;
    let engine: DbosEngine;
    let intruder: DBOSClient;
    beforeEach(async () => {
      url = await server.makeDatabase(template);
      host = new ScriptedHost(() => 'a-result-of-accounts');
      engine = await opened(url, host);
      const { DBOSClient } = await ownDbos();
      const log = dbosLog(memoryLogger());
      intruder = await DBOSClient.create({
        systemDatabaseUrl: url,
        systemDatabaseSchemaName: schemaName,
        applicationName,
        logger: log,
      });
    });
    afterEach(() => intruder.destroy());

    const made = async (id: string): Promise<void> => {
      await engine.submit(request(id));
      await engine.ended(nameOf(id));
    };

    it('keeps no caller, tool, parameter or result in what they can read', async () => {
      await engine.work({ concurrency: 1 });
      await made('an-id-of-accounts');
      const tables = await server.rowsIn(
        url,
        "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
      );
      const read = await Promise.all(tables.map(({ name }) => server.rowsIn(url, `select to_jsonb(t) as row from ${name} t`)));
      const text = JSON.stringify(read);
      const bytes = [...text.matchAll(/\\\\x([\da-f]+)/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'));
      const inputs = (await intruder.listWorkflows({ workflowName })).map(({ input }) =>
        Buffer.from(String(input), 'base64').toString('latin1'),
      );
      expect(bytes.length).to.be.greaterThan(3);
      // A machine under load may bring one call twice.
      expect(inputs).to.not.be.empty;
      expect([text, ...bytes, ...inputs].join())
        .to.include(workflowName)
        .and.include('call/')
        .and.not.match(/of-accounts|grace|"pay"/);
    });

    it('makes nothing of the workflows that they add', async () => {
      await engine.submit(request('a'));
      const [genuine] = await intruder.listWorkflows({ workflowName });
      const add = (workflowID: string, input: unknown) =>
        intruder.enqueue({ queueName, workflowName, workflowID, appVersion: applicationVersion }, input);
      const turn = { place: String(genuine?.workflowID.split('.')[0]), runAt: 1, ahead: 0, looks: 0 };
      await add('made up', JSON.stringify({ tool: 'pay', parameters: { to: 'eve' } }));
      await add('copied', genuine?.input?.[0]);
      await add(workflowIdOf(turn), encryptJob(turn, new Cipher(() => [new Uint8Array(32).fill(8)])));
      await engine.work({ concurrency: 1 });
      await engine.ended(nameOf('a'));
      await made('b');
      expect(host.requests.map(({ parameters }) => parameters)).to.deep.equal([{ to: 'grace' }, { to: 'grace' }]);
    });

    for (const [what, take] of [
      ['cancel', (workflow: string) => intruder.cancelWorkflow(workflow)],
      ['delete', (workflow: string) => intruder.deleteWorkflow(workflow)],
    ] as const)
      it(`ends a call as it came, whose workflow they ${what} while it runs`, async () => {
        const gate = new Gate();
        const held = new ScriptedHost(() => gate.passed.then(() => 'done'));
        const maker = await opened(url, held);
        await maker.submit(request('a'));
        const stop = await maker.work({ concurrency: 1 });
        await held.waitForCalls(1);
        const [running] = await intruder.listWorkflows({ workflowName, status: 'PENDING' });
        await take(running?.workflowID ?? '');
        gate.open();
        expect((await maker.ended(nameOf('a'))).status).to.equal('completed');
        await stop();
        await maker.submit(request('b'));
        await maker.work({ concurrency: 1 });
        expect((await maker.ended(nameOf('b'))).status).to.equal('completed');
      });

    it('makes no call again whose workflow they put back', async () => {
      await engine.work({ concurrency: 1 });
      await made('a');
      const successes = (): Promise<readonly unknown[]> => intruder.listWorkflows({ workflowName, status: 'SUCCESS' });
      // Its workflow ends after its call: put back before that, it would count as one that still runs.
      await until(async () => ((await successes()).length === 1 ? true : undefined));
      await server.rowsIn(url, `update ${schemaName}.workflow_status set status = 'ENQUEUED', queue_name = '${queueName}' returning 1`);
      await made('b');
      const ended = await until(async () => {
        const all = await successes();
        return all.length === 2 ? all : undefined;
      });
      expect(ended).to.have.length(2);
      expect(host.requests).to.have.length(2);
      expect((await engine.get(nameOf('a'))).attempts).to.equal(1);
    });
  });
});

/** The same store for one that no other process says a word to: all of them have died. */
function unheard(state: StateStore): StateStore {
  return new Proxy(state, {
    get(store, name) {
      if (name === 'get') return async (key: string) => (key.startsWith(processPrefix) ? undefined : store.get(key));
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
}
