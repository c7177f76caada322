import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { FaultProxy } from '../support/fault-proxy.ts';
import { until } from '../support/until.ts';
import { CountingService } from './limits/counting-service.ts';
import { limits } from './limits/orders.ts';
import { Worker } from './limits/workers.ts';
import { RealServer } from './postgres/server.ts';

/** Lengths of the outages of a long round, such as `1,2,5,30`, in seconds. */
const given = process.env['TOOLKIT_TEST_OUTAGES'];
const outages = (given ?? '2,12').split(',').map(Number);

/** Time after which as many calls run as may, once the store is back, in milliseconds. Only a long round holds to it: a busy machine takes longer. */
const recoveryMs = 2000;

describe('a concurrency limit of two processes whose PostgreSQL goes away', function () {
  this.timeout(120_000 + 10_000 * outages.length);

  let server: RealServer;
  let service: CountingService;
  let proxies: readonly [FaultProxy, FaultProxy];
  let workers: readonly [Worker, Worker];

  before(async () => {
    server = await RealServer.start();
    service = await CountingService.start();
  });
  beforeEach(async () => {
    const url = await server.makeDatabase();
    const open = (): Promise<FaultProxy> => FaultProxy.open(server.address);
    proxies = [await open(), await open()];
    const start = (proxy: FaultProxy): Promise<Worker> => Worker.start({ storeUrl: proxy.urlOf(url), serviceUrl: service.url });
    workers = [await start(proxies[0]), await start(proxies[1])];
  });
  afterEach(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await Promise.all(workers.map((worker) => worker.kill()));
    await until(() => (service.running === 0 ? true : undefined));
    service.reset();
  });
  after(async () => {
    service?.stop();
    await server?.undo();
    await server?.stop();
  });

  const runs = (count: number): Promise<true> => until(() => (service.running === count ? true : undefined));

  for (const tool of ['counted', 'fenced'] as const) {
    it(`is never exceeded when it is away from all, and holds again at once: ${tool}`, async () => {
      for (const worker of workers) await worker.order({ load: tool, ms: 100, parallel: limits.counted + 1 });
      await runs(limits.counted);
      for (const seconds of outages) {
        for (const proxy of proxies) {
          proxy.refuse();
          proxy.cut();
        }
        await setTimeout(seconds * 1000);
        await Promise.all(proxies.map((proxy) => proxy.pass()));
        const backAt = performance.now();
        await runs(limits.counted);
        if (given !== undefined) expect(performance.now() - backAt, `after ${seconds} s`).to.be.below(recoveryMs);
      }
      expect(service.most).to.equal(limits.counted);
      const [one, other] = await Promise.all(workers.map((worker) => worker.order({ stop: true })));
      expect(Number(one) + Number(other)).to.be.greaterThan(0);
    });
  }

  it('is met again when a process comes back that was cut off alone, and twice as many run in between at most', async () => {
    const [alone, other] = workers;
    await alone.order({ load: 'counted', ms: 600_000, parallel: limits.counted });
    await runs(limits.counted);
    await other.order({ load: 'counted', ms: 100, parallel: limits.counted + 1 });
    proxies[0].refuse();
    proxies[0].cut();
    await runs(2 * limits.counted);
    await proxies[0].pass();
    await setTimeout(recoveryMs);
    expect(service.most).to.equal(2 * limits.counted);
    service.reset();
    await setTimeout(1000);
    expect([service.running, service.most]).to.deep.equal([limits.counted, limits.counted]);
  });

  it('is never exceeded behind a fence when a process is cut off alone, and goes on without it', async () => {
    const [alone, other] = workers;
    await alone.order({ load: 'fenced', ms: 600_000, parallel: limits.counted });
    await runs(limits.counted);
    await other.order({ load: 'fenced', ms: 100, parallel: limits.counted + 1 });
    proxies[0].refuse();
    proxies[0].cut();
    await runs(0);
    await runs(limits.counted);
    await proxies[0].pass();
    await setTimeout(recoveryMs);
    expect(service.most).to.equal(limits.counted);
    expect(await other.order({ stop: true })).to.be.greaterThan(0);
  });

  it('stays with a process that stands still', async () => {
    const [stopped, other] = workers;
    await stopped.order({ load: 'counted', ms: 12_000, parallel: limits.counted });
    await runs(limits.counted);
    await stopped.order({ stop: true });
    await other.order({ load: 'counted', ms: 100, parallel: limits.counted + 1 });
    stopped.signal('SIGSTOP');
    // The service has answered; the process does not know.
    await runs(0);
    stopped.signal('SIGCONT');
    await runs(limits.counted);
    expect(service.most).to.equal(limits.counted);
  });
});
