import path from 'node:path';
import { expect } from 'chai';
import { compiled } from '../support/compiled.ts';
import { inRound } from '../support/round.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { lifetimeMs, type Outcomes, type Step, steps } from './accounts/orders.ts';
import { TokenServer } from './accounts/token-server.ts';
import { type GrantsPlace, Worker } from './accounts/workers.ts';
import { figures } from './faults/figures.ts';
import { RealServer } from './postgres/server.ts';

const expiries = inRound({ whole: 1000, short: 100 });
/** Grants whose tokens end at the same time. */
const together = inRound({ whole: 1000, short: 50 });
/** Calls that wait at each grant in each process. */
const calls = 20;
const kills = inRound({ whole: 20, short: 2 });
/** Processes that are killed at the same time. */
const victims = inRound({ whole: 5, short: 2 });

/** True when the provider may have replaced the refresh token, and nobody has the new one. */
const losesToken = (step: Step, hasActed: boolean): boolean => (step === 'sent' && hasActed) || step === 'answered';

const places = ['on PostgreSQL', 'in files'] as const;

for (const where of places)
  describe(`grants of three processes ${where}`, function () {
    this.timeout(1_800_000);

    let program: string;
    let postgres: RealServer | undefined;
    let server: TokenServer;
    let place: GrantsPlace;
    let workers: readonly Worker[] = [];
    const start = (): Promise<Worker> => Worker.start(program, server.url, place);

    before(async () => {
      program = await compiled('test/suites/accounts/process.ts');
      if (where === 'on PostgreSQL') postgres = await RealServer.start();
    });
    after(async () => {
      await postgres?.stop();
    });
    beforeEach(async () => {
      server = await TokenServer.start();
      place =
        postgres === undefined ? { folder: path.join(await temporaryFolder(), 'accounts') } : { storeUrl: await postgres.makeDatabase() };
      workers = await Promise.all([start(), start(), start()]);
    });
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.kill()));
      await server.stop();
      await postgres?.undo();
    });

    it(`are refreshed once at each of ${expiries} expiries, with ${calls} calls waiting in each process`, async () => {
      const [first] = workers;
      const names = Array.from({ length: together }, (_, index) => `person ${index}`);
      await first?.order({ save: names });
      const begin = performance.now();
      for (let round = 1; round <= expiries / together; round++) {
        await Promise.all(workers.map((worker) => worker.order({ now: round * lifetimeMs })));
        server.hold();
        const waiting = workers.map(
          (worker) =>
            new Promise<void>((resolve) => {
              worker.onWaiting = resolve;
            }),
        );
        const ends = workers.map((worker) => worker.live(names, calls));
        await Promise.all(waiting);
        server.release();
        for (const outcomes of await Promise.all(ends))
          for (const { name, tokens, failures } of outcomes) {
            expect(reasonsOf(failures), `${name} ${where}, round ${round}`).to.equal('');
            expect(tokens).to.deep.equal([`${name} ${round}`]);
          }
      }
      const seconds = (performance.now() - begin) / 1000;
      const accepted = [...server.accepted.values()].reduce((sum, count) => sum + count, 0);
      figures(`${expiries} expiries, ${accepted} refreshes, ${expiries * calls * workers.length} calls, ${seconds.toFixed(1)} s ${where}`);
      expect([...server.refused.keys()]).to.deep.equal([]);
      expect(accepted).to.equal(expiries);
    });

    it(`need at most one login, told once, when a process is killed at any step of a refresh, ${kills} times each`, async () => {
      const [first] = workers;
      await Promise.all(workers.map((worker) => worker.order({ now: lifetimeMs })));
      const count: Record<string, number> = {};
      const begin = performance.now();
      for (let kill = 0; kill < kills; kill += victims) {
        const indexes = Array.from({ length: Math.min(victims, kills - kill) }, (_, index) => kill + index);
        const nameOf = (index: number, step: Step): string => `${step} ${index}`;
        const names = indexes.flatMap((index) => steps.map((step) => nameOf(index, step)));
        await first?.order({ save: names });
        await Promise.all(indexes.map(async (index) => killAtEachStep(index, (step) => nameOf(index, step))));
        const ends = await Promise.all(workers.map((worker) => worker.live(names, calls)));
        for (const index of indexes)
          for (const step of steps) {
            const name = nameOf(index, step);
            const outcomes = ends.flatMap((outcome) => outcome.filter((one) => one.name === name));
            const isLost = losesToken(step, index % 2 === 0);
            expectOutcomes(outcomes, name, isLost);
            // Before the request, and after the write, the provider sees one refresh.
            expect(server.accepted.get(name), name).to.equal(1);
            expect(server.refused.get(name) ?? 0, name).to.equal(isLost ? 1 : 0);
            const what = `${step}: ${isLost ? 'a new login' : 'no login'}`;
            count[what] = (count[what] ?? 0) + 1;
          }
      }
      const seconds = (performance.now() - begin) / 1000;
      figures(`${where}, ${seconds.toFixed(1)} s: ${Object.entries(count).map((entry) => entry.join(' '))}`);
    });

    /** Kills a process that holds one refresh at each step. */
    async function killAtEachStep(index: number, nameOf: (step: Step) => string): Promise<void> {
      const victim = await start();
      const reached = new Set<string>();
      const all = new Promise<void>((resolve) => {
        const note = (name: string): void => {
          reached.add(name);
          if (reached.size === steps.length) resolve();
        };
        victim.onReached = note;
        silences.set(nameOf('sent'), note);
      });
      server.onSilence = (name) => silences.get(name)?.(name);
      server.silent.set(nameOf('sent'), index % 2 === 0 ? 'acts' : 'ignores');
      await victim.order({ now: lifetimeMs });
      for (const step of steps) await victim.order({ hold: nameOf(step), at: step });
      victim.live(steps.map(nameOf), 3).catch(() => {});
      await all;
      await victim.kill();
    }
  });

/** Functions that note a request that gets no answer, by name. */
const silences = new Map<string, (name: string) => void>();

function expectOutcomes(outcomes: readonly Outcomes[], name: string, isLost: boolean): void {
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  const tokens = new Set(outcomes.flatMap((outcome) => outcome.tokens));
  if (!isLost) {
    expect(reasonsOf(failures), name).to.equal('');
    expect([...tokens], name).to.deep.equal([`${name} 1`]);
    return;
  }
  expect([...tokens], name).to.deep.equal([]);
  expect(reasonsOf(failures.filter(({ code }) => code !== 'AUTH_REQUIRED')), name).to.equal('');
  expect(failures.filter(({ message }) => message.includes('was lost')).length, `${name}: ${reasonsOf(failures)}`).to.equal(1);
}

/** Returns each reason once, with its count. A list of errors would be cut off in the message of the test. */
function reasonsOf(failures: Outcomes['failures']): string {
  const counts = new Map<string, number>();
  for (const { code, message } of failures) {
    const reason = `${code} ${message}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} calls: ${reason}`).join('\n');
}
