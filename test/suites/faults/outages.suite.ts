import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { FaultProxy } from '../../support/fault-proxy.ts';
import { inRound, isWholeRound } from '../../support/round.ts';
import { until } from '../../support/until.ts';
import { Cluster } from './cluster.ts';
import { deferred } from './deferred.ts';
import { figures } from './figures.ts';

/** Kinds of an outage for one process. */
const outages: readonly ((proxy: FaultProxy) => unknown)[] = [
  (proxy) => {
    proxy.refuse();
    proxy.cut();
  },
  (proxy) => proxy.swallow(),
  (proxy) => {
    proxy.refuse();
    proxy.drop();
  },
  (proxy) => proxy.swallow('answers'),
];

/** Durations in milliseconds: from 1 to 30 s in the whole round. */
const durations = Array.from({ length: inRound({ whole: 20, short: 2 }) }, (_, index) =>
  isWholeRound ? 1000 + (index * 29_000) / 19 : 1000 + index * 2000,
);

const workers = 3;
const slots = 4;

describe('an outage of the database', function () {
  this.timeout(1_800_000);

  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start();
    await cluster.add(workers);
  });
  afterEach(function () {
    cluster.printLogs(this.currentTest);
  });
  after(() => cluster?.stop());

  for (const [index, durationMs] of durations.entries())
    it(`of ${(durationMs / 1000).toFixed(1)} s leaves no call of a living process unknown, and aborts no request`, async () => {
      const ids = Array.from({ length: workers * slots }, (_, call) => `outage ${index} call ${call}`);
      const [early, late] = [deferred(), deferred()];
      const reached = new Set<string>();
      cluster.service.onRequest = ({ name }) => {
        reached.add(name);
        return name.endsWith('healthy') ? late.promise : Number(name.split(' ').at(-1)) % 2 === 0 ? early.promise : late.promise;
      };
      await Promise.all(ids.map((id) => cluster.submit('act_plain', id)));
      const requests = cluster.workers.flatMap((worker, at) =>
        ['read_plain', 'read_placed'].map((tool) => worker.call(tool, `${index} ${at} ${tool} healthy`)),
      );
      await until(() => (reached.size === ids.length + requests.length ? true : undefined));

      for (const proxy of cluster.proxies) outages[index % outages.length]?.(proxy);
      await wait(durationMs / 2);
      early.resolve();
      await wait(durationMs / 2);
      await Promise.all(cluster.proxies.map((proxy) => proxy.pass()));
      const backAt = performance.now();
      late.resolve();
      const statuses = await Promise.all(ids.map((id) => cluster.statusOf(id)));
      figures(
        `${(durationMs / 1000).toFixed(1)} s away: ${ids.length} calls ended ${((performance.now() - backAt) / 1000).toFixed(1)} s after it`,
      );
      expect(ids.filter((_, call) => statuses[call] !== 'completed')).to.deep.equal([]);
      expect(ids.filter((id) => cluster.service.countOf(id) !== 1)).to.deep.equal([]);
      expect(await Promise.all(requests)).to.deep.equal(requests.map(() => undefined));
    });
});
