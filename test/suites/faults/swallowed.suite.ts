import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { inRound, isWholeRound } from '../../support/round.ts';
import { until } from '../../support/until.ts';
import { Cluster } from './cluster.ts';
import { deferred } from './deferred.ts';
import { figures } from './figures.ts';

const rounds = inRound({ whole: 20, short: 1 });

/** Time until everything works again, in milliseconds. */
const maxBackMs = 15_000;

/** Time after which the server gives up a client whose packets vanish, in milliseconds. */
const keepalivesMs = 8000;

const workers = 3;
const slots = 4;

describe('connections that swallow everything, with a healthy database behind', () => {
  let cluster: Cluster;
  let newAnswers = deferred();
  const reached = new Set<string>();
  before(async () => {
    cluster = await Cluster.start();
    await cluster.add(workers);
  });
  afterEach(function () {
    cluster.printLogs(this.currentTest);
  });
  after(() => cluster?.stop());

  for (let round = 0; round < rounds; round++)
    it(`are replaced: calls, workers and /ready are back, round ${round + 1}`, async () => {
      const answers = deferred();
      newAnswers = deferred();
      const ids = Array.from({ length: workers * slots }, (_, call) => `round ${round} call ${call}`);
      cluster.service.onRequest = ({ name }) => {
        reached.add(name);
        return ids.includes(name) ? answers.promise : newAnswers.promise;
      };
      await Promise.all(ids.map((id) => cluster.submit('act_plain', id)));
      await until(() => (ids.every((id) => reached.has(id)) ? true : undefined));

      // Those of the host too, every second time.
      const proxies = round % 2 === 0 ? cluster.proxies : cluster.workers.map(({ proxy }) => proxy);
      const silent = proxies.flatMap(({ connections }) => connections);
      for (const connection of silent) connection.swallow();
      const since = performance.now();
      const seconds = (): number => (performance.now() - since) / 1000;
      answers.resolve();
      const given = wait(keepalivesMs).then(() => {
        for (const connection of silent) connection.cut('server');
      });
      const runningBack = Promise.all(ids.map((id) => cluster.statusOf(id))).then((statuses) => ({ statuses, at: seconds() }));
      const readyBack = Promise.all(
        cluster.workers.map((worker) => until(async () => ((await worker.ready()) === 200 ? true : undefined))),
      ).then(seconds);
      const newBack = runNew(round).then(seconds);
      const { statuses, at } = await runningBack;
      await given;
      const [ready, fresh] = await Promise.all([readyBack, newBack]);
      figures(
        `running calls ended after ${at.toFixed(1)} s, all workers ran new calls after ${fresh.toFixed(1)} s, /ready ${ready.toFixed(1)} s`,
      );
      expect(ids.filter((_, call) => statuses[call] !== 'completed')).to.deep.equal([]);
      expect(ids.filter((id) => cluster.service.countOf(id) !== 1)).to.deep.equal([]);
      if (isWholeRound) expect(Math.max(at, ready, fresh) * 1000).to.be.at.most(maxBackMs);
    });

  /** Fills all slots of all workers with calls. */
  async function runNew(round: number): Promise<void> {
    const ids = Array.from({ length: workers * slots }, (_, call) => `round ${round} new ${call}`);
    await Promise.all(ids.map((id) => cluster.submit('act_plain', id)));
    await until(() => (ids.every((id) => reached.has(id)) ? true : undefined));
    newAnswers.resolve();
    await Promise.all(ids.map((id) => cluster.statusOf(id)));
  }
});
