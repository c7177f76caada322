import { createPostgresBackend, Queue } from 'bullmq';
import { expect } from 'chai';
import {
  apiVersion,
  type CallEngine,
  type CallName,
  type DurableRequest,
  definePlugin,
  type EngineHost,
  type Logger,
  type Plugin,
  type StateStore,
  ToolkitError,
} from '../../kernel/index.ts';
import { KernelState } from '../../kernel/state/kernel-state.ts';
import { BullMqEngine } from '../../plugins/engine-bullmq/bullmq-engine.ts';
import { connectionOf, queueNameOf, schemaName } from '../../plugins/engine-bullmq/connection.ts';
import { DatabaseSockets } from '../../plugins/engine-bullmq/database-sockets.ts';
import { JobQueue } from '../../plugins/engine-bullmq/job-queue.ts';
import { loadBullMq } from '../../plugins/engine-bullmq/load-bullmq.ts';
import { toolSetOf } from '../../plugins/engine-bullmq/tool-sets.ts';
import { LocalEngine } from '../../plugins/engine-local/local-engine.ts';
import { engineOptionsOf } from '../../plugins/shared/calls/engine-options.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { PostgresHosts } from '../../plugins/shared/state/postgres-hosts.ts';
import { storePostgres } from '../../plugins/store-postgres/index.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { Gate, ScriptedHost } from '../../plugins/toolkit/testing/calls/scripted-host.ts';
import { callEngineChecks, memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { storeAlone } from '../support/store-alone.ts';
import { until } from '../support/until.ts';
import { durableKernel } from './durable/kernel.ts';
import { World } from './durable/world.ts';
import { RealServer } from './postgres/server.ts';

const cipher = new Cipher(() => [new Uint8Array(32).fill(7)]);

describe('the engine of durable calls on BullMQ, in PostgreSQL', () => {
  let server: RealServer;
  const engines: CallEngine[] = [];
  const stores: StateStore[] = [];
  const queues: Queue[] = [];
  before(async () => {
    server = await RealServer.start();
  });
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.close()));
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
    readonly concurrency?: number;
    /** Plugin whose keys it has. */
    readonly plugin?: string;
  }
  const stateIn = (url: string, plugin: string, logger = memoryLogger() as Logger): StateStore => {
    const store = new EncryptedStore(() => PostgresTable.open({ url, maxConnections: 5, logger }), cipher);
    stores.push(store);
    const state = new KernelState(Date.now);
    state.use(store);
    return state.of(plugin);
  };
  const optionsOf = (url: string, host: EngineHost, given: Given = {}) => {
    const { logger = memoryLogger(), seen = (state: StateStore) => state, concurrency = 0, plugin = 'engine-local' } = given;
    const state = stateIn(url, plugin, logger);
    const limits = { retentionMs: 3_600_000, maxCalls: 5000, maxBytes: 1_000_000, maxAttempts: 5, concurrency };
    return { host, state: seen(state), logger, ...limits };
  };
  const engineOf = (url: string, ...given: [EngineHost, Given?]) => new BullMqEngine({ ...optionsOf(url, ...given), url });
  const opened = (...given: Parameters<typeof engineOf>): BullMqEngine => {
    const engine = engineOf(...given);
    engines.push(engine);
    return engine;
  };
  const setId = toolSetOf(new ScriptedHost(() => 'done').toolNames()).id;
  /** The queue for somebody who has the database, and not the key. */
  const queueIn = (url: string): Queue => {
    const queue = new Queue(
      queueNameOf(setId),
      { connection: connectionOf(url, { sockets: new DatabaseSockets(), max: 1 }) },
      createPostgresBackend,
    ) as unknown as Queue;
    queues.push(queue);
    return queue;
  };

  for (const { title, run } of callEngineChecks(async (one, other) => {
    const url = await server.makeDatabase();
    return [engineOf(url, one), engineOf(url, other)];
  }))
    it(title, run);

  const request = (id: string, tool = 'pay'): DurableRequest => ({
    id,
    caller: 'ada-of-accounts',
    tool,
    parameters: { to: 'grace' },
    origin: 'host',
  });
  const nameOf = (id: string): CallName => ({ id, caller: 'ada-of-accounts' });
  const statusOf = async (engine: CallEngine, id: string) => (await engine.get(nameOf(id))).status;

  it('creates the tables of BullMQ once when several processes begin together', async () => {
    const url = await server.makeDatabase();
    const host = new ScriptedHost(() => 'done');
    const many = Array.from({ length: 4 }, () => opened(url, host));
    await Promise.all(many.map((engine, index) => engine.submit(request(`${index}`))));
    await many[0]?.work({ concurrency: 4 });
    await Promise.all(many.map((engine, index) => engine.ended(nameOf(`${index}`))));
    expect(host.requests).to.have.length(4);
  });

  it('writes nothing of a call that another process has taken over', async () => {
    const url = await server.makeDatabase();
    const gate = new Gate();
    const logger = memoryLogger();
    const held = new ScriptedHost(() => gate.passed.then(() => 'of the first'));
    const one = opened(url, held, { logger });
    const other = opened(url, new ScriptedHost(() => 'of the other'), { seen: storeAlone });
    await one.submit(request('a'));
    const stop = await one.work({ concurrency: 1 });
    await held.waitForCalls(1);
    await other.work({ concurrency: 1 });
    await until(async () => ((await statusOf(other, 'a')) === 'completed' ? true : undefined));
    gate.open();
    await stop();
    expect((await other.resultOf(nameOf('a')))?.output).to.equal('of the other');
    expect((await other.get(nameOf('a'))).attempts).to.equal(2);
    expect(logger.records.map(({ message }) => message).join('\n')).to.include('was discarded');
  });

  it('begins nothing once it is closed, and leaves no connection', async () => {
    const url = await server.makeDatabase();
    const engine = opened(url, new ScriptedHost(() => 'done'));
    const stop = await engine.work({ concurrency: 1 });
    await engine.close();
    await rejection(engine.work({ concurrency: 1 }), 'STATE_UNAVAILABLE');
    await stop();
    await Promise.all(stores.splice(0).map((store) => store.close()));
    const name = new URL(url).pathname.slice(1);
    await until(async () => {
      const left = await server.rows('SELECT pid FROM pg_stat_activity WHERE datname = $1', [name]);
      return left.length === 0 ? true : undefined;
    });
  });

  it('goes on when its database is there again', async () => {
    const url = await server.makeDatabase();
    const name = new URL(url).pathname.slice(1);
    const engine = opened(url, new ScriptedHost(() => 'done'), { concurrency: 1 });
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

  it('says once that a worker takes no calls while its database is away, and once that it does again', async () => {
    const url = await server.makeDatabase();
    const name = new URL(url).pathname.slice(1);
    const logger = memoryLogger();
    const engine = opened(url, new ScriptedHost(() => 'done'), { logger });
    const said = () => logger.records.map(({ message }) => message).filter((message) => message.startsWith('this process takes'));
    await engine.work({ concurrency: 1 });
    await server.rows(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await until(async () => (said().length > 0 ? true : undefined));
    await server.rows(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await until(async () => (said().length > 1 ? true : undefined));
    await engine.submit(request('a'));
    expect((await engine.ended(nameOf('a'))).status).to.equal('completed');
    expect(said()).to.have.length(2);
    expect(said()[0]).to.match(/^this process takes no durable calls: .*cannot be used/);
    expect(said()[1]).to.equal('this process takes durable calls again');
  });

  it('goes on when somebody has paused its queue', async () => {
    const url = await server.makeDatabase();
    const engine = opened(url, new ScriptedHost(() => 'done'));
    await engine.work({ concurrency: 1 });
    await queueIn(url).pause();
    await engine.submit(request('a'));
    expect((await engine.ended(nameOf('a'))).status).to.equal('completed');
  });

  it('adds many jobs at once, and none twice', async () => {
    const url = await server.makeDatabase();
    const queue = new JobQueue(setId, { bullmq: loadBullMq, url, hosts: new PostgresHosts(url), logger: memoryLogger() });
    try {
      const jobs = Array.from({ length: 1200 }, (_, runAt) => ({ callKey: `${'0'.repeat(15)}-${'a'.repeat(64)}`, runAt }));
      await Promise.all(jobs.map((job) => queue.add([{ ...job, openCalls: 1 }])));
      await queue.add(jobs);
      expect(await queueIn(url).count()).to.equal(1200);
    } finally {
      await queue.close();
    }
  });

  it('has no active job for a call that waits for a person', async () => {
    const url = await server.makeDatabase();
    const host = new ScriptedHost(async ({ client }) => {
      await client?.approve?.({ message: 'Pay?', request: { tool: 'pay' }, digest: 'd1' });
      return 'done';
    });
    const engine = opened(url, host);
    await engine.work({ concurrency: 1 });
    await engine.submit(request('a'));
    await until(async () => ((await statusOf(engine, 'a')) === 'asked' ? true : undefined));
    await until(async () => ((await queueIn(url).count()) === 0 && (await queueIn(url).getActiveCount()) === 0 ? true : undefined));
    await engine.answer(nameOf('a'), { approve: true, by: 'grace', digest: 'd1' });
    expect((await engine.ended(nameOf('a'))).status).to.equal('completed');
  });

  for (const engineName of ['engine-local', 'engine-dbos'])
    it(`takes on the waiting, running and finished calls of ${engineName}`, async () => {
      const url = await server.makeDatabase();
      const gate = new Gate();
      const before = new ScriptedHost(({ parameters }) =>
        parameters?.['to'] === 'held' ? gate.passed.then(() => 'of before') : 'x'.repeat(10_000),
      );
      const earlier = new LocalEngine(optionsOf(url, before, { plugin: engineName }));
      engines.push(earlier);
      await earlier.submit(request('finished'));
      const stop = await earlier.work({ concurrency: 1 });
      await earlier.ended(nameOf('finished'));
      await earlier.submit({ ...request('running'), parameters: { to: 'held' } });
      await before.waitForCalls(2);
      await earlier.submit(request('waiting'));
      const options = optionsOf(url, new ScriptedHost(() => 'of BullMQ'), { seen: storeAlone });
      const engine = new BullMqEngine({ ...options, url, earlier: [stateIn(url, 'engine-dbos')] });
      engines.push(engine);
      await engine.work({ concurrency: 1 });
      for (const id of ['waiting', 'running']) expect((await engine.ended(nameOf(id))).status).to.equal('completed');
      expect((await engine.resultOf(nameOf('finished')))?.output).to.equal('x'.repeat(10_000));
      expect((await engine.resultOf(nameOf('waiting')))?.output).to.equal('of BullMQ');
      gate.open();
      await stop();
      expect((await engine.resultOf(nameOf('running')))?.output).to.equal('of BullMQ');
      expect(await stateIn(url, 'engine-dbos').list('call/')).to.deep.equal([]);
    });

  it('has in a configuration what engineLocal() stored there, and repeats no effect of it', async () => {
    const store = await server.makeDatabase();
    const world = new World();
    const at = await world.start();
    try {
      const earlier = await durableKernel({ engine: 'engine-local', store, world: at }, 1, [storePostgres({ url: store }), earlierLocal()]);
      const handle = await earlier.calls.submit('act_plain', { name: 'a' }, { id: 'a', durable: true });
      await handle.result();
      await earlier.close();
      const kernel = await durableKernel({ engine: 'engine-bullmq', store, world: at }, 1);
      try {
        expect(await (await kernel.calls.get('a')).result()).to.equal('a');
        expect(await (await kernel.calls.submit('act_plain', { name: 'a' }, { id: 'a', durable: true })).result()).to.equal('a');
        const once = { once: 'durable call 1 a', caller: 'default' };
        expect(await kernel.execute('act_plain', { name: 'a' }, once)).to.equal('a');
        expect(world.countsOf('act_plain').get('a')).to.equal(1);
      } finally {
        await kernel.close();
      }
    } finally {
      world.stop();
    }
  });

  describe('for workers with different tools', () => {
    const jobsIn = async (url: string) => server.rowsIn(url, `select queue, id from ${schemaName}.job`);

    it('brings a call to those that have its tool, and to no other', async () => {
      const url = await server.makeDatabase();
      const [one, other] = [hostWith(() => ['pay']), hostWith(() => ['pay', 'sum'])];
      const submitter = opened(
        url,
        hostWith(() => []),
      );
      await opened(url, one).work({ concurrency: 2 });
      await opened(url, other).work({ concurrency: 2 });
      const ids = Array.from({ length: 20 }, (_, index) => `${index}`);
      await Promise.all(ids.map((id) => submitter.submit(request(id, Number(id) % 2 === 0 ? 'pay' : 'sum'))));
      await submitter.submit(request('of no worker', 'strange'));
      for (const id of ids) expect((await submitter.ended(nameOf(id))).status).to.equal('completed');
      expect(one.requests.filter(({ tool }) => tool !== 'pay')).to.deep.equal([]);
      expect(other.requests.filter(({ tool }) => tool === 'sum')).to.have.length(10);
      expect(one.requests.length + other.requests.length).to.equal(20);
      expect(await statusOf(submitter, 'of no worker')).to.equal('waiting');
      // Nothing is brought again and again for it.
      await until(async () => ((await jobsIn(url)).length === 0 ? true : undefined));
    });

    it('follows the tools of a worker whose definitions are reloaded', async () => {
      const url = await server.makeDatabase();
      let tools = ['pay'];
      const host = hostWith(() => tools);
      const engine = opened(url, host);
      await engine.work({ concurrency: 1 });
      await engine.submit(request('before'));
      await engine.ended(nameOf('before'));
      tools = ['sum'];
      await engine.submit(request('gone'));
      await engine.submit(request('new', 'sum'));
      expect((await engine.ended(nameOf('new'))).status).to.equal('completed');
      expect(await statusOf(engine, 'gone')).to.equal('waiting');
      tools = ['pay', 'sum'];
      expect((await engine.ended(nameOf('gone'))).status).to.equal('completed');
    });

    it('says once that a worker has none of the tools, and once that it takes calls again', async () => {
      const url = await server.makeDatabase();
      const logger = memoryLogger();
      let tools: string[] = [];
      const engine = opened(
        url,
        hostWith(() => tools),
        { logger },
      );
      await engine.work({ concurrency: 1 });
      await engine.submit(request('a'));
      tools = ['pay'];
      expect((await engine.ended(nameOf('a'))).status).to.equal('completed');
      expect(logger.records.map(({ message }) => message).filter((message) => message.includes('takes'))).to.deep.equal([
        'this process takes no durable calls: it has none of the tools that it is to run',
        'this process takes durable calls again',
      ]);
    });
  });

  describe('against somebody who has the database, and not the key', () => {
    it('stores no caller, tool, parameter or result in the tables of BullMQ', async () => {
      const url = await server.makeDatabase();
      const engine = opened(url, new ScriptedHost(() => 'a-result-of-accounts'));
      await announceTools(engine);
      await engine.submit(request('an-id-of-accounts'));
      const tables = await server.rowsIn(
        url,
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema = '${schemaName}'`,
      );
      const read = async () =>
        JSON.stringify(await Promise.all(tables.map(({ name }) => server.rowsIn(url, `select to_jsonb(t) as row from ${name} t`))));
      const waiting = await read();
      await engine.work({ concurrency: 1 });
      await engine.ended(nameOf('an-id-of-accounts'));
      expect(tables.length).to.be.greaterThan(2);
      expect(waiting).to.include(queueNameOf(setId));
      expect(waiting + (await read())).to.not.match(/of-accounts|grace|"pay"/);
    });

    it('runs nothing for the jobs that they add', async () => {
      const url = await server.makeDatabase();
      const host = new ScriptedHost(() => 'done');
      const engine = opened(url, host);
      await engine.work({ concurrency: 1 });
      await engine.submit(request('a'));
      await engine.ended(nameOf('a'));
      const place = `${'0'.repeat(15)}-${'a'.repeat(64)}`;
      for (const jobId of ['made-up', `${place}.1`, `${place}.x`]) await queueIn(url).add('call', { tool: 'pay', to: 'eve' }, { jobId });
      await engine.submit(request('b'));
      await engine.ended(nameOf('b'));
      expect(host.requests.map(({ parameters }) => parameters)).to.deep.equal([{ to: 'grace' }, { to: 'grace' }]);
    });

    it('brings a call again whose job they remove', async () => {
      const url = await server.makeDatabase();
      const engine = opened(url, new ScriptedHost(() => 'done'));
      await announceTools(engine);
      await engine.submit(request('a'));
      await queueIn(url).obliterate({ force: true });
      await engine.work({ concurrency: 1 });
      expect((await engine.ended(nameOf('a'))).status).to.equal('completed');
      await engine.submit({ ...request('b') });
      expect((await engine.ended(nameOf('b'))).status).to.equal('completed');
    });

    it('runs a call once whose job they promote before its time', async () => {
      const url = await server.makeDatabase();
      const startedAt: number[] = [];
      const host = new ScriptedHost(() => {
        startedAt.push(Date.now());
        if (startedAt.length === 1) throw new ToolkitError('RATE_LIMITED', 'Later.', { retryAfterMs: 3000 });
        return 'done';
      });
      const engine = opened(url, host);
      await engine.work({ concurrency: 1 });
      await engine.submit(request('a'));
      const job = await until(async () => (await queueIn(url).getDelayed())[0]);
      await job.promote();
      expect((await engine.ended(nameOf('a'))).status).to.equal('completed');
      expect((startedAt[1] ?? 0) - (startedAt[0] ?? 0)).to.be.at.least(2900);
      expect(host.requests).to.have.length(2);
    });
  });
});

/** The plugin engine-local as it was when it took a store of several machines. */
function earlierLocal(): Plugin {
  return definePlugin({
    name: 'engine-local',
    apiVersion,
    apply: ({ extend, hooks, logger, state }) => {
      let engine: LocalEngine | undefined;
      extend.callEngine((host) => {
        engine = new LocalEngine({ host, state, logger, ...engineOptionsOf({ concurrency: 1 }) });
        return engine;
      });
      hooks.dispose.tapPromise('engine-local', async () => engine?.close());
    },
  })();
}

/** Has others know the tools of a worker, which then takes no calls. */
async function announceTools(engine: CallEngine): Promise<void> {
  await (await engine.work({ concurrency: 1 }))();
}

/** A host that has these tools at each moment. */
function hostWith(tools: () => readonly string[]): ScriptedHost {
  const toolOf: EngineHost['toolOf'] = (name) => (tools().includes(name) ? { provider: undefined } : undefined);
  return Object.assign(new ScriptedHost(({ tool }) => tool), { toolNames: tools, toolOf });
}
