import { expect } from 'chai';
import { inRound } from '../../support/round.ts';
import { until } from '../../support/until.ts';
import { Cluster } from './cluster.ts';
import { type DatabaseFault, databaseFaults } from './database.ts';
import { deferred } from './deferred.ts';
import { figures } from './figures.ts';

const durationMs = inRound({ whole: 20_000, short: 3000 });

const workers = 2;
const slots = 4;

const cases: readonly [DatabaseFault, string][] = [
  ['readOnly', 'takes no changes'],
  ['lock', 'has a table locked'],
  ['terminate', 'ends all connections'],
  ['crash', 'crashes and recovers'],
];

describe('a database', function () {
  this.timeout(durationMs + 300_000);

  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start();
    await cluster.add(workers);
  });
  afterEach(function () {
    cluster.printLogs(this.currentTest);
  });
  after(() => cluster?.stop());

  for (const [fault, what] of cases)
    it(`that ${what} loses no call and makes none twice, neither running ones nor those that come meanwhile`, async () => {
      const answers = deferred();
      const reached = new Set<string>();
      const ids = Array.from({ length: workers * slots }, (_, call) => `${fault} ${call}`);
      cluster.service.onRequest = ({ name }) => {
        reached.add(name);
        return ids.includes(name) ? answers.promise : undefined;
      };
      await Promise.all(ids.map((id) => cluster.submit('act_plain', id)));
      await until(() => (reached.size === ids.length ? true : undefined));

      const over = databaseFaults[fault](cluster.server, durationMs, cluster.database);
      answers.resolve();
      const fresh = ids.map((id) => `${id} meanwhile`);
      const submitted = Promise.all(fresh.map((id) => cluster.submit('act_plain', id)));
      await over;
      const overAt = performance.now();
      await submitted;
      const all = [...ids, ...fresh];
      const statuses = await Promise.all(all.map((id) => cluster.statusOf(id)));
      figures(`${what}: all calls ended ${((performance.now() - overAt) / 1000).toFixed(1)} s after it`);
      expect(all.filter((_, index) => statuses[index] !== 'completed')).to.deep.equal([]);
      expect(all.filter((id) => cluster.service.countOf(id) !== 1)).to.deep.equal([]);
    });
});
