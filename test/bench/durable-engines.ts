/**
 * `npx tsx test/bench/durable-engines.ts [engine …]`: the time of durable calls, their statements and processor time, which other programs of the
 * machine change less, and the cost of a worker that waits: of engine-bullmq on a PostgreSQL of its own, of engine-local in files.
 * TOOLKIT_BENCH_IDLE_MS: how long the idle worker is watched, 60,000 by default.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { durableKernel, type Place } from '../suites/durable/kernel.ts';
import { inFiles, inPostgres, type StoreSource, type Stores } from '../suites/durable/stores.ts';
import { Workers } from '../suites/durable/workers.ts';
import { World } from '../suites/durable/world.ts';
import { compiled } from '../support/compiled.ts';

const rounds = 5;
const sequentialCalls = 200;
const parallelCalls = 600;
const idleMs = Number(process.env['TOOLKIT_BENCH_IDLE_MS'] ?? 60_000);

/** Time after which the statistics of PostgreSQL have every transaction, in milliseconds. */
const statisticsMs = 2000;

/** Clock ticks of Linux in a second, as /proc counts processor time. */
const ticksPerSecond = 100;

const world = new World();
const worldUrl = await world.start();
const program = await compiled('test/suites/durable/worker.ts');
try {
  const given = process.argv.slice(2);
  for (const source of [inPostgres, inFiles]) if (given.length === 0 || given.includes(source.engine)) await withStores(source);
} finally {
  world.stop();
}

async function withStores({ engine, open }: StoreSource): Promise<void> {
  const stores = await open();
  try {
    await measure(engine, stores, async () => ({ engine, store: await stores.make(), world: worldUrl }));
  } finally {
    await stores.undo();
    await stores.stop();
  }
}

async function measure(engine: string, { statements }: Stores, place: () => Promise<Place>): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${engine}: ${line}\n`);

  const idle = await place();
  const workers = new Workers(program, idle);
  await workers.start(1);
  await workers.begin();
  await withKernel(idle, async (run) => {
    await run('act_plain', 'warm-up');
    const before = await processorMs(workers.pids);
    await setTimeout(idleMs);
    const share = ((await processorMs(workers.pids)) - before) / idleMs;
    print(`an idle worker uses ${(share * 100).toFixed(2)} % of a core`);
    const took: number[] = [];
    const [processorBefore, statementsBefore] = [await processorMs(workers.pids), await statements?.(idle.store)];
    for (let n = 0; n < sequentialCalls; n++) {
      const begun = performance.now();
      await run('act_plain', `one after the other ${n}`);
      took.push(performance.now() - begun);
    }
    print(`${sequentialCalls} calls one after the other: median ${quantile(took, 0.5)} ms, p95 ${quantile(took, 0.95)} ms`);
    const processor = ((await processorMs(workers.pids)) - processorBefore) / sequentialCalls;
    print(`a call takes ${processor.toFixed(1)} ms of the worker's processor time`);
    if (statements === undefined || statementsBefore === undefined) return;
    await setTimeout(statisticsMs);
    const ofCall = ((await statements(idle.store)) - statementsBefore) / sequentialCalls;
    print(`a call takes ${ofCall.toFixed(1)} statements in both processes`);
  });
  await workers.stop();

  for (const count of [1, 3]) {
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) took.push(await parallelRound(await place(), count));
    print(`${parallelCalls} calls of 50 ms, ${count} × 4 slots: median ${quantile(took, 0.5)} ms of ${took.map(Math.round).join(', ')}`);
  }
}

/** Returns the time from the beginning of the workers to the last result, in milliseconds. */
async function parallelRound(place: Place, count: number): Promise<number> {
  const workers = new Workers(program, place);
  return withKernel(place, async (_run, submitOnly) => {
    const handles = await Promise.all(Array.from({ length: parallelCalls }, (_, n) => submitOnly('act_wait', `${n}`)));
    await workers.start(count);
    const begun = performance.now();
    await workers.begin();
    await Promise.all(handles.map((handle) => handle.result()));
    const took = performance.now() - begun;
    await workers.stop();
    return took;
  });
}

type Submit = (tool: string, id: string) => Promise<{ result(): Promise<unknown> }>;
type Run = (tool: string, id: string) => Promise<unknown>;

/** Gives the work a process that only submits. */
async function withKernel<T>(place: Place, work: (run: Run, submit: Submit) => Promise<T>): Promise<T> {
  const kernel = await durableKernel(place, 0);
  const submit: Submit = (tool, id) => kernel.execute(tool, { name: id }, { durable: true, id });
  try {
    return await work(async (tool, id) => (await submit(tool, id)).result(), submit);
  } finally {
    await kernel.close();
  }
}

/** Returns the processor time of the processes so far, in milliseconds. */
async function processorMs(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1000) / ticksPerSecond;
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
}
