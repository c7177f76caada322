import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { randomNumbers } from '../../support/random.ts';
import { inRound, isWholeRound } from '../../support/round.ts';
import { canSetClocks, WallClock } from './clocks.ts';
import { Cluster } from './cluster.ts';
import { databaseFaults } from './database.ts';
import { figures } from './figures.ts';
import type { WorkerProcess } from './worker-process.ts';

const calls = Number(process.env['TOOLKIT_FAULTS_CALLS'] ?? inRound({ whole: 10_000, short: 60 }));

/** Faults and tools of the round, by comma: `TOOLKIT_FAULTS_KINDS=kill TOOLKIT_FAULTS_TOOLS=act_plain` makes many unknown calls. @default all */
const chosenFaults = process.env['TOOLKIT_FAULTS_KINDS']?.split(',');
const chosenTools = process.env['TOOLKIT_FAULTS_TOOLS']?.split(',');

/** Times that each fault strikes at most: a short round ends also where calls take longer than the time between two faults. */
const maxStrikes = inRound({ whole: Number.POSITIVE_INFINITY, short: 1 });

/** Duration of a fault, and of the time without one after it, in milliseconds. */
const maxFaultMs = inRound({ whole: 15_000, short: 1500 });
const healthyMs = inRound({ whole: 4000, short: 500 });

/** Calls that are open at the same time. */
const window = 60;

const answerMs = 500;

/** Share of unknown plain calls that had reached the service, and their number from which it says something. */
const minReached = 0.95;
const minUnknown = 200;

const tools = chosenTools ?? ['act_plain', 'act_keyed', 'act_verified'];
const toolOf = (index: number): string => tools[index % tools.length] as string;

/** Differences of the clocks to the right one, in seconds. A waiting call begins when the clock of a worker says so: as much later. */
const clockOffsetsS = [-1, 1, 0].map((sign) => sign * inRound({ whole: 60, short: 3 }));

/** Without clocks where libfaketime is missing. */
if (!canSetClocks) process.stdout.write('    left out: clocks that are a minute apart, because libfaketime is not installed\n');

describe(`${calls} calls with effects by three processes, with all faults mixed`, function () {
  this.timeout(600_000 + calls * 1400);

  const random = randomNumbers(11);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const ids = Array.from({ length: calls }, (_, index) => `call ${index}`);
  const statuses = new Map<string, string>();
  const submitted: string[] = [];
  const reached = new Set<string>();
  /** Calls that a killed process had prepared or sent. */
  const killedWith = new Set<string>();
  const faults = new Map<string, number>();
  const clocks = new Map<WorkerProcess, WallClock>();
  const replacements: Promise<void>[] = [];
  const startFailures: string[] = [];
  let cluster: Cluster;
  let isOver = false;

  before(async () => {
    cluster = await Cluster.start();
    cluster.service.onRequest = ({ name, isRead }) => {
      if (!isRead) reached.add(name);
      return wait(answerMs);
    };
    await Promise.all(clockOffsetsS.map(addWorker));
    const struck = strikeUntilOver();
    const next = ids[Symbol.iterator]();
    const runNext = async (): Promise<void> => {
      for (const id of next) {
        await cluster.submit(toolOf(ids.indexOf(id)), id);
        submitted.push(id);
        statuses.set(id, await cluster.statusOf(id));
      }
    };
    await Promise.all(Array.from({ length: window }, runNext));
    isOver = true;
    await struck;
    await Promise.all(replacements);
    // An outcome that was unknown for a while is final when its process is back or gone.
    for (const [id, status] of statuses) if (status === 'unknown') statuses.set(id, await cluster.statusOf(id));
    figures(`${replacements.length} workers replaced, ${startFailures.length} starts failed`);
    figures([...faults].map(([fault, count]) => `${count} ${fault}`).join(', '));
  });
  afterEach(function () {
    cluster.printLogs(this.currentTest);
  });
  after(async () => {
    // Where the time limit came first.
    isOver = true;
    for (const id of submitted.filter((one) => !statuses.has(one))) figures(`open: ${await describeCall(id)}`);
    await cluster?.stop();
    await Promise.all([...clocks.values()].map((clock) => clock.close()));
  });

  async function addWorker(offsetS: number): Promise<void> {
    const clock = canSetClocks ? await WallClock.create(offsetS) : undefined;
    const [worker] = await cluster.add(1, { concurrency: 8, ...(clock === undefined ? {} : { env: clock.env }) });
    if (worker !== undefined && clock !== undefined) clocks.set(worker, clock);
  }

  async function kill(worker: WorkerProcess): Promise<void> {
    for (const name of worker.prepared) killedWith.add(name);
    await cluster.remove(worker);
    // The others go on without it: starting takes seconds.
    replacements.push(replace(pick(clockOffsetsS)));
  }

  /** Starts a worker, again and again while the store is away: as what supervises it does. */
  async function replace(offsetS: number): Promise<void> {
    for (;;)
      try {
        return await addWorker(offsetS);
      } catch (error) {
        startFailures.push(String(error));
        await wait(healthyMs);
      }
  }

  const strikes: Readonly<Record<string, (worker: WorkerProcess, durationMs: number) => Promise<unknown>>> = {
    kill: async (worker) => {
      if (cluster.workers.length > 1) await kill(worker);
    },
    pause: async (worker, durationMs) => {
      worker.pause();
      await wait(durationMs);
      worker.resume();
    },
    outage: async (_worker, durationMs) => {
      for (const proxy of cluster.proxies) {
        proxy.refuse();
        proxy.cut();
      }
      await wait(durationMs);
      await Promise.all(cluster.proxies.map((proxy) => proxy.pass()));
    },
    'cut off': async ({ proxy }, durationMs) => {
      proxy.refuse();
      proxy.cut();
      await wait(durationMs);
      await proxy.pass();
    },
    swallow: async ({ proxy }, durationMs) => {
      await proxy.swallow(pick(['both', 'answers', 'requests']));
      await wait(durationMs);
      await proxy.pass();
    },
    delay: async ({ proxy }, durationMs) => {
      await proxy.delay(300);
      await wait(durationMs);
      await proxy.pass();
    },
    drop: async ({ proxy }) => proxy.drop(),
    clock: async (worker) => clocks.get(worker)?.set(pick(clockOffsetsS)),
    'read-only': (_worker, durationMs) => databaseFaults.readOnly(cluster.server, durationMs),
    lock: (_worker, durationMs) => databaseFaults.lock(cluster.server, durationMs, cluster.database),
    terminate: () => databaseFaults.terminate(cluster.server),
    crash: () => databaseFaults.crash(cluster.server),
  };

  /** One fault after the other, each kind once before one comes again. */
  async function strikeUntilOver(): Promise<void> {
    for (let strike = 0; strike < maxStrikes && !isOver; strike++)
      for (const fault of chosenFaults ?? Object.keys(strikes)) {
        if (isOver) return;
        if (fault === 'clock' && !canSetClocks) continue;
        faults.set(fault, (faults.get(fault) ?? 0) + 1);
        await strikes[fault]?.(pick(cluster.workers), Math.ceil(random() * maxFaultMs)).catch(failed(fault));
        await wait(healthyMs);
      }
  }

  const failed = (fault: string) => (error: unknown) => figures(`${fault} failed: ${error}`);

  const describeCall = async (id: string): Promise<string> => {
    const { status, attempts, error } = await cluster.call(id);
    return `${id}: ${status} after ${attempts} attempts, ${cluster.service.countOf(id)} effects: ${error?.code} ${error?.message}`;
  };

  const idsOf = (tool: string): readonly string[] => ids.filter((_, index) => toolOf(index) === tool);

  for (const tool of tools)
    it(`have no effect twice, and none is lost: ${tool}`, async () => {
      const own = idsOf(tool);
      const endedWith = (status: string): readonly string[] => own.filter((id) => statuses.get(id) === status);
      const twice = own.filter((id) => cluster.service.countOf(id) > 1);
      const lost = endedWith('completed').filter((id) => cluster.service.countOf(id) === 0);
      const [completed, unknown] = [endedWith('completed'), endedWith('unknown')];
      figures(
        `${tool}: ${own.length} calls, ${completed.length} completed, ${unknown.length} unknown, ${twice.length} twice, ${lost.length} lost`,
      );
      expect({ twice, lost }).to.deep.equal({ twice: [], lost: [] });
      const expected = tool === 'act_plain' ? ['completed', 'unknown'] : ['completed'];
      expect(await Promise.all(own.filter((id) => !expected.includes(statuses.get(id) ?? '')).map(describeCall))).to.deep.equal([]);
    });

  it('are unknown only where the request had reached the service, or the process was killed before it was sent', () => {
    const unknown = idsOf('act_plain').filter((id) => statuses.get(id) === 'unknown');
    const unsent = unknown.filter((id) => !reached.has(id) && killedWith.has(id));
    const counted = unknown.length - unsent.length;
    const arrived = unknown.filter((id) => reached.has(id)).length;
    figures(`${unknown.length} plain calls unknown: ${arrived} had reached the service, ${unsent.length} of killed processes had not`);
    if (isWholeRound && counted >= minUnknown) expect(arrived / counted).to.be.at.least(minReached);
  });
});
