import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { inRound, isWholeRound } from '../../support/round.ts';
import { until } from '../../support/until.ts';
import { Cluster } from './cluster.ts';
import { deferred } from './deferred.ts';
import { figures } from './figures.ts';
import type { WorkerProcess } from './worker-process.ts';

const rounds = inRound({ whole: 5, short: 1 });
const pauseMs = inRound({ whole: 60_000, short: 12_000 });

/** Time after which the server ends a session whose packets vanish: keepalives after 2 s, three of them, 2 s apart. In milliseconds. */
const keepalivesMs = 8000;

/** Limits of the whole round, in milliseconds. */
const maxReplacedMs = { killed: 12_000, vanished: 20_000 };
const maxReturnMs = 5000;

/** Calls that run while a process is paused. */
const besides = 20;

const scenarios = ['killed', 'vanished', 'paused', 'cut off'] as const;
type Scenario = (typeof scenarios)[number];
const toolOf = { killed: 'act_keyed', vanished: 'act_keyed', paused: 'act_plain', 'cut off': 'act_plain' };

for (let round = 0; round < rounds; round++)
  describe(`processes at fault, one each, round ${round + 1}`, function () {
    this.timeout(pauseMs + 300_000);

    let cluster: Cluster;
    const answers = deferred();
    /** Times at which the service had a request, by name of the call. */
    const requests = new Map<string, number[]>();
    const victims = new Map<Scenario, WorkerProcess>();
    const victimOf = (scenario: Scenario): WorkerProcess => victims.get(scenario) as WorkerProcess;
    before(async () => {
      cluster = await Cluster.start();
      cluster.service.onRequest = ({ name, isRead }) => {
        const times = [...(requests.get(name) ?? []), performance.now()];
        if (!isRead) requests.set(name, times);
        // The process at fault gets no answer before the end of its fault, the one that replaces it at once.
        return times.length === 1 && (scenarios as readonly string[]).includes(name) ? answers.promise : undefined;
      };
      // With one slot each, each has one of the calls.
      await cluster.add(scenarios.length, { concurrency: 1 });
      await Promise.all(scenarios.map((scenario) => cluster.submit(toolOf[scenario], scenario)));
      await until(() => (requests.size === scenarios.length ? true : undefined));
      for (const scenario of scenarios) victims.set(scenario, cluster.workerOf(scenario));
      await cluster.add(2);
      expect(new Set(victims.values()).size).to.equal(scenarios.length);
    });
    afterEach(function () {
      cluster.printLogs(this.currentTest);
    });
    after(() => cluster?.stop());

    /** Time from the fault to the second request, which another process sends, in milliseconds. */
    async function replacedAfter(scenario: Scenario, since: number): Promise<number> {
      const at = await until(() => requests.get(scenario)?.[1]);
      expect(await cluster.statusOf(scenario)).to.equal('completed');
      return at - since;
    }

    it('are replaced when they are dead, keep their calls when they are paused, and have them back when they were cut off', async () => {
      const faultyAt = performance.now();
      const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

      const killed = async (): Promise<void> => {
        await victimOf('killed').kill();
        const ms = await replacedAfter('killed', faultyAt);
        figures(`replaced ${seconds(ms)} after kill -9`);
        if (isWholeRound) expect(ms).to.be.at.most(maxReplacedMs.killed);
      };
      const vanished = async (): Promise<void> => {
        const { proxy } = victimOf('vanished');
        await proxy.swallow();
        await wait(keepalivesMs);
        proxy.cut('server');
        const ms = await replacedAfter('vanished', faultyAt);
        figures(`replaced ${seconds(ms)} after its packets vanished`);
        if (isWholeRound) expect(ms).to.be.at.most(maxReplacedMs.vanished);
      };
      const paused = async (): Promise<void> => {
        victimOf('paused').pause();
        const ids = Array.from({ length: besides }, (_, index) => `beside ${index}`);
        await Promise.all(ids.map((id) => cluster.submit('act_plain', id)));
        expect(await Promise.all(ids.map((id) => cluster.statusOf(id)))).to.deep.equal(ids.map(() => 'completed'));
        await wait(pauseMs - (performance.now() - faultyAt));
        expect(await cluster.statusOf('paused', ['running', 'unknown', 'failed', 'completed'])).to.equal('running');
        victimOf('paused').resume();
      };
      const cutOff = async (): Promise<void> => {
        const { proxy } = victimOf('cut off');
        proxy.refuse();
        proxy.cut();
        expect(await cluster.statusOf('cut off', ['unknown', 'failed', 'completed'])).to.equal('unknown');
        figures(`of a process cut off alone, a call is "unknown" after ${seconds(performance.now() - faultyAt)}`);
      };
      const faults = [killed(), vanished(), paused(), cutOff()];
      await Promise.all(faults).catch(async (error: unknown) => {
        await Promise.allSettled(faults);
        throw error;
      });

      answers.resolve();
      // Answered while it is away, so that only its return is left.
      await until(() => (victimOf('cut off').running.has('cut off') ? undefined : true));
      const returnedAt = performance.now();
      await victimOf('cut off').proxy.pass();
      await victimOf('vanished').proxy.pass();
      await cluster.statusOf('cut off', ['completed']);
      const backMs = performance.now() - returnedAt;
      figures(`and "completed" ${seconds(backMs)} after its return`);
      if (isWholeRound) expect(backMs).to.be.at.most(maxReturnMs);
      expect(await cluster.statusOf('paused')).to.equal('completed');
      const counts = [...requests.keys()].filter((name) => cluster.service.countOf(name) !== 1);
      expect(counts).to.deep.equal([]);
    });
  });
