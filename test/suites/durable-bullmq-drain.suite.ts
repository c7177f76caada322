import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { schemaName } from '../../plugins/engine-bullmq/connection.ts';
import { compiled } from '../support/compiled.ts';
import { durableKernel, type Place } from './durable/kernel.ts';
import { Workers } from './durable/workers.ts';
import { RealServer } from './postgres/server.ts';

/** Calls of a round. The whole round has 100,000. */
const many = Number(process.env['TOOLKIT_DRAIN_CALLS'] ?? 500);

/** Calls of one caller, fewer than an engine admits. */
const callsOfCaller = 5000;

/** Calls that are submitted at once. */
const atOnce = 200;

/** Calls from which the memory of a worker is more than that of its start. */
const enough = 20_000;

/** Growth, in bytes, of a table whose rows are soon deleted: it has room for those between two runs of autovacuum, at whatever rate they come. */
const slackBytes = 1_000_000;

describe(`a long queue on BullMQ, ${many} calls twice`, function () {
  this.timeout(7_200_000);

  let server: RealServer;
  let program: string;
  let workers: Workers | undefined;
  before(async () => {
    server = await RealServer.start();
    program = await compiled('test/suites/durable/worker.ts');
  });
  afterEach(async () => {
    await workers?.killAll();
    await server.undo();
  });
  after(() => server?.stop());

  const print = (line: string): void => void process.stdout.write(`      ${line}\n`);

  /** Submits calls that wait, runs them, and returns the memory of the worker in bytes when a fifth and nine tenths have run. */
  const drain = async (place: Place, round: string): Promise<readonly [number, number]> => {
    const { store } = place;
    const kernel = await durableKernel(place, 0);
    const begun = performance.now();
    try {
      for (let first = 0; first < many; first += atOnce)
        await Promise.all(
          Array.from({ length: Math.min(atOnce, many - first) }, (_, index) => {
            const id = `${round} ${first + index}`;
            const caller = `caller ${Math.floor((first + index) / callsOfCaller)}`;
            return kernel.execute('act_nothing', { name: id }, { durable: true, id, caller });
          }),
        );
    } finally {
      await kernel.close();
    }
    const submitted = performance.now();
    workers = new Workers(program, place);
    await workers.start(1, 8);
    await workers.begin();
    const [pid = 0] = workers.pids;
    const memory: number[] = [];
    for (const share of [0.2, 0.9, 1]) {
      await untilWaiting(store, Math.floor(many * (1 - share)));
      memory.push(await residentBytes(pid));
    }
    const drained = performance.now();
    await workers.stop();
    const rate = (from: number, to: number): string =>
      `${((to - from) / 1000).toFixed(1)} s, ${(many / ((to - from) / 1000)).toFixed(0)} a second`;
    print(`${round}: submitted in ${rate(begun, submitted)}; drained by one worker in ${rate(submitted, drained)}`);
    return [memory[0] ?? 0, memory[1] ?? 0];
  };

  const waiting = async (store: string): Promise<number> =>
    Number((await server.rowsIn(store, `select count(*) from toolkit_entries where key like 'engine-local/queue/%'`))[0]?.['count']);
  const untilWaiting = async (store: string, count: number): Promise<void> => {
    while ((await waiting(store)) > count) await setTimeout(Math.min(many / 100, 500));
  };

  /**
   * Returns the bytes of each table and index, after expired entries were removed, as the store does every 30 seconds, and VACUUM. Free pages at the
   * end of a table stay: VACUUM gives them back only where nobody uses the table at that moment, so that sizes would differ by chance.
   */
  const sizes = async (store: string): Promise<ReadonlyMap<string, number>> => {
    await setTimeout(1100);
    await server.rowsIn(store, 'delete from toolkit_entries where expires_at < clock_timestamp()');
    await server.rowsIn(store, 'vacuum (truncate false)');
    const rows = await server.rowsIn(
      store,
      `select format('%s.%s', nspname, relname) as name, pg_relation_size(c.oid) as bytes from pg_class c
        join pg_namespace n on n.oid = relnamespace where nspname in ('public', '${schemaName}', 'pg_catalog') and relkind in ('r', 'i')`,
    );
    return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
  };

  it('takes no more memory at its end, and no more room in the database the second time', async () => {
    const place: Place = { engine: 'engine-bullmq', store: await server.makeDatabase(), world: 'http://127.0.0.1:1', retentionMs: 1000 };
    // A worker must have been there: what is submitted before is added by the sweep.
    workers = new Workers(program, place);
    await workers.start(1);
    await workers.begin();
    await workers.stop();
    const [before, after] = await drain(place, 'first');
    print(`memory of the worker: ${mb(before)} at 20 %, ${mb(after)} at 90 %: ${(after / before).toFixed(2)} times as much`);
    const first = await sizes(place.store);
    await drain(place, 'second');
    const second = await sizes(place.store);
    const grown: string[] = [];
    for (const [name, bytes] of second) {
      const was = first.get(name) ?? 0;
      const line = `${name}: ${mb(was)}, then ${mb(bytes)}`;
      if (bytes > 1_000_000 || bytes > was) print(line);
      if (bytes > was * 1.2 + slackBytes) grown.push(line);
    }
    expect(grown).to.deep.equal([]);
    if (many >= enough) expect(after / before).to.be.at.most(1.15);
  });
});

async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function mb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
