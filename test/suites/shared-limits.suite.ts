import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import { until } from '../support/until.ts';
import { limits } from './limits/orders.ts';
import { Worker } from './limits/workers.ts';
import { RealServer } from './postgres/server.ts';

/** Written by a trigger: the windows as the database has counted them. */
const log = `create table counted (ends_at timestamptz, is_counted boolean, count bigint);
  create function log_count() returns trigger language plpgsql as $$
  begin
    insert into counted values (new.ends_at, new.is_counted, new.count);
    return null;
  end $$;
  create trigger log_count after insert or update on toolkit_counts for each row execute function log_count();`;

const perWindow = `select max(count)::integer as starts from counted group by ends_at order by ends_at`;

interface Window {
  readonly starts: number;
}

describe('limits of several processes with one PostgreSQL', () => {
  let server: RealServer;
  let storeUrl: string;
  let pool: pg.Pool;
  let service: Server;
  let workers: Worker[] = [];
  const seen: string[] = [];
  const start = (): Promise<Worker> =>
    Worker.start({ storeUrl, serviceUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}` });

  before(async () => {
    server = await RealServer.start();
    storeUrl = await server.makeDatabase();
    pool = new pg.Pool({ connectionString: storeUrl, max: 1 });
    pool.on('error', () => {});
    service = createServer({ keepAliveTimeout: 0 }, ({ url = '' }, response) => {
      seen.push(url);
      response
        .writeHead(url === '/failing' ? 503 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ count: seen.length }));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    workers = await Promise.all([start(), start(), start()]);
  });

  after(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    service?.close();
    await pool?.end();
    await server?.undo();
    await server?.stop();
  });

  const three = (): [Worker, Worker, Worker] => workers as [Worker, Worker, Worker];

  it('start as many calls in each window as the rate says, and never more', async () => {
    // Makes the tables.
    await three()[0].order({ calls: 1 });
    await pool.query(log);
    const made = await Promise.all(workers.map((worker) => worker.order({ calls: 1200 })));
    expect(made).to.deep.equal([1200, 1200, 1200]);
    const { rows } = await pool.query<Window>(perWindow);
    // What was counted for a call that did not come to start in that window was counted once more.
    const counted = rows.reduce((sum, { starts }) => sum + starts, 0);
    expect(counted).to.be.at.least(3600);
    // The first one has begun before the log, the last one has what is left.
    const whole = rows.slice(1, -1);
    const { requests } = limits.rate;
    for (const { starts } of rows) expect(starts).to.be.within(1, requests);
    const average = ((whole.reduce((sum, { starts }) => sum + starts, 0) / whole.length) * 3600) / counted;
    expect(average, `counted ${counted}, by window ${rows.map(({ starts }) => starts)}`).to.be.within(requests * 0.98, requests);
  });

  it('run no more calls at the same time than the limit says, and as many where that many wait', async () => {
    const running = new Map<string, Worker>();
    let most = 0;
    for (const worker of workers) {
      worker.onStarted = (label) => {
        running.set(label, worker);
        most = Math.max(most, running.size);
      };
    }
    const labels = Array.from({ length: 60 }, (_, index) => `${index % 3}.${index}`);
    const calls = labels.map((label) => (workers[Number(label[0])] as Worker).call({ tool: 'placed', parameters: { label } }));
    for (let left = labels.length; left > 0; left--) {
      const [label, worker] = await until(() => (running.size >= Math.min(left, limits.concurrency) ? [...running][0] : undefined));
      running.delete(label);
      await worker.order({ end: label });
    }
    await Promise.all(calls);
    expect(most).to.equal(limits.concurrency);
  });

  it('give the places of a process back that is killed', async () => {
    const running = new Set<string>();
    const [killed, other, third] = [await start(), ...three()];
    for (const worker of [killed, other, third]) worker.onStarted = (label) => void running.add(label);
    const lost = ['a', 'b', 'c'].map((label) =>
      killed.call({ tool: 'placed', parameters: { label } }).catch((error: Error) => error.message),
    );
    await until(() => (running.size === 3 ? true : undefined));
    const waiting = [
      other.call({ tool: 'placed', parameters: { label: 'd' } }),
      third.call({ tool: 'placed', parameters: { label: 'e' } }),
    ];
    await other.order({ status: true });
    expect([...running]).to.have.members(['a', 'b', 'c']);
    await killed.kill();
    expect(await Promise.all(lost)).to.deep.equal(Array.from({ length: 3 }, () => 'the process has ended'));
    await until(() => (running.has('d') && running.has('e') ? true : undefined));
    await Promise.all([other.order({ end: 'd' }), third.order({ end: 'e' })]);
    await Promise.all(waiting);
  });

  it('refuse requests to a service that has failed in another one', async () => {
    const [one, other, third] = three();
    for (const _ of [1, 2]) expect(await codeOf(one.call({ tool: 'ask', caller: 'ada' }))).to.equal('UPSTREAM_UNAVAILABLE');
    // Known from the first request on to one that has made none.
    for (const worker of [other, third]) expect(await codeOf(worker.call({ tool: 'ask', caller: 'ada' }))).to.equal('UPSTREAM_UNAVAILABLE');
    expect(seen.filter((url) => url === '/failing')).to.have.length(2);
  });

  it('give a result that another one has', async () => {
    const [one, other, third] = three();
    const { output } = await one.call({ tool: 'cached' });
    await until(async () => {
      const { rows } = await pool.query("select key from toolkit_entries where key like 'cache-results/result/%'");
      return rows.length > 0 ? true : undefined;
    });
    for (const worker of [other, third]) {
      const again = await worker.call({ tool: 'cached' });
      expect(again.output).to.deep.equal(output);
      expect(again.meta).to.have.property('cached');
    }
    expect(seen.filter((url) => url === '/counting')).to.have.length(1);
  });

  it('give the pages of a long result of another one, to its caller alone', async () => {
    const [one, other, third] = three();
    const { content = [] } = await one.call({ tool: 'long', origin: 'model', caller: 'ada' });
    const uri = /output:\/\/[\w-]+\/1/.exec(JSON.stringify(content))?.[0] ?? '';
    const page = await one.order({ page: uri, caller: 'ada' });
    expect(JSON.stringify(page)).to.include('Page 1 of ');
    expect(await other.order({ page: uri, caller: 'ada' })).to.deep.equal(page);
    expect(await third.order({ page: uri, caller: 'bob' })).to.equal(undefined);
  });
});

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'none',
    (error: { code?: unknown }) => error.code,
  );
}
