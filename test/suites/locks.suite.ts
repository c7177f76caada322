import { expect } from 'chai';
import type { Kernel } from '../../kernel/index.ts';
import { compiled } from '../support/compiled.ts';
import { FileLock } from '../support/file-lock.ts';
import { randomNumbers } from '../support/random.ts';
import { until } from '../support/until.ts';
import { durableKernel, type Place } from './durable/kernel.ts';
import { inFiles, type Stores } from './durable/stores.ts';
import { Workers } from './durable/workers.ts';
import { World } from './durable/world.ts';

const isWhole = process.env['TOOLKIT_ROUNDS'] === 'whole';
const locks = isWhole ? 20 : 2;
const [minMs, maxMs] = isWhole ? [1000, 30_000] : [1000, 2000];

/** Durable calls that have not ended, at any time. The workers have twelve slots. */
const openCalls = 24;

/** Running calls that a lock must find. */
const minRunning = 6;

const tools = ['act_plain', 'act_reading', 'act_repeatable'] as const;

describe('durable calls of three processes on a file that another process locks', function () {
  this.timeout(1_800_000);

  const random = randomNumbers(49);
  let stores: Stores;
  let world: World;
  let workers: Workers;
  let host: Kernel;
  let lock: FileLock;
  beforeEach(async () => {
    stores = await inFiles.open();
    world = new World();
    const place: Place = { engine: inFiles.engine, store: await stores.make(), world: await world.start() };
    workers = new Workers(await compiled('test/suites/durable/worker.ts'), place);
    host = await durableKernel(place, 0);
    // The file is there before it is locked.
    await host.calls.list({ limit: 1 });
    lock = await FileLock.open(place.store);
    await workers.start(3);
    await workers.begin();
  });
  afterEach(async () => {
    await lock.close();
    await host.close();
    await workers.killAll();
    world.stop();
    await stores.undo();
  });

  /** Number of requests that were refused for now. */
  let refused = 0;
  /** Repeats what the store refuses for now, as its error says. */
  async function repeated<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if ((error as { readonly code?: string }).code !== 'STATE_UNAVAILABLE') throw error;
        expect(error).to.have.property('retryable', true);
        refused++;
      }
    }
  }

  it(`${locks} times end as if there had been no lock`, async () => {
    // A call runs for longer than its claim takes, so that each lock finds some.
    world.answerAfterMs = 300;
    const ends = new Map<string, string>();
    let isOver = false;
    let next = 0;
    const callOn = async (): Promise<void> => {
      while (!isOver) {
        const tool = tools[next % tools.length] as string;
        const id = `${tool} ${next++}`;
        const handle = await repeated(() => host.execute(tool, { name: id }, { durable: true, id }));
        const end = repeated(() => handle.result()).then(
          () => 'completed',
          (error: { readonly code: string }) => error.code,
        );
        ends.set(id, await end);
      }
    };
    const calling = Promise.all(Array.from({ length: openCalls }, callOn));
    for (let number = 0; number < locks; number++) {
      await until(() => (world.running >= minRunning ? true : undefined));
      const ms = Math.round(minMs + random() * (maxMs - minMs));
      const { running } = world;
      let isLocked = true;
      const released = (await lock.hold(ms))().then(() => {
        isLocked = false;
      });
      // Neither reading the store nor a call without a name waits for it.
      await host.calls.list({ limit: 1 });
      expect(await host.execute('act_plain', { name: `direct ${number}` })).to.equal(`direct ${number}`);
      expect(isLocked).to.equal(true);
      await released;
      const releasedAt = performance.now();
      const [ended, begun] = [ends.size, world.deeds.length];
      await until(() => (ends.size > ended && world.deeds.length > begun ? true : undefined));
      const afterMs = (performance.now() - releasedAt).toFixed(0);
      process.stdout.write(`      ${ms} ms, ${running} calls running: further ones after ${afterMs} ms\n`);
    }
    isOver = true;
    await calling;
    process.stdout.write(`      ${ends.size} calls, ${refused} requests refused for now, ${world.aborted} aborted\n`);
    expect([...ends].filter(([, end]) => end !== 'completed')).to.deep.equal([]);
    const counts = world.countsOf('act_plain');
    const durable = [...ends.keys()].filter((id) => id.startsWith('act_plain'));
    expect(durable.filter((id) => counts.get(id) !== 1)).to.deep.equal([]);
    expect(world.aborted).to.equal(0);
  });

  it('go on at another process when theirs is killed meanwhile', async () => {
    let killed = 0;
    let released: Promise<unknown> | undefined;
    world.onDeed = ({ pid }) => {
      if (killed !== 0) return undefined;
      killed = pid;
      released = lock.hold(minMs).then((free) => {
        workers.kill(pid);
        return free();
      });
      return 'held';
    };
    const handle = await host.execute('act_reading', { name: 'a' }, { durable: true, id: 'a' });
    expect(await handle.result()).to.equal('a');
    await released;
    expect(world.deeds.map(({ pid }) => pid === killed)).to.deep.equal([true, false]);
  });
});
