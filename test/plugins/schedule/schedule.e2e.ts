import { expect } from 'chai';
import sinon from 'sinon';
import {
  apiVersion,
  type DurableCall,
  definePlugin,
  type Kernel,
  type Plugin,
  type StateStore,
  ToolkitError,
} from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { schedule } from '../../../plugins/schedule/index.ts';
import { loadZoneData, ownVersion } from '../../../plugins/shared/time-zones/named-zone.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

type Jobs = NonNullable<Parameters<typeof schedule>[0]>['jobs'];

const nightly = { id: 'nightly', cron: '0 2 * * *', tool: 'echo', parameters: { text: 'good night' } };

/** The store of several kernels. */
const storedIn = (store: StateStore): Plugin =>
  definePlugin({
    name: 'store-shared',
    apiVersion,
    apply: ({ extend }) => extend.stateStore({ ...bound(store), close: async () => {} }),
  })();

function bound(store: StateStore): StateStore {
  return Object.fromEntries(
    ['get', 'set', 'compareAndSet', 'delete', 'increment', 'list', 'watch'].map((name) => [
      name,
      (...given: readonly never[]) => (store as unknown as Record<string, (...words: readonly never[]) => unknown>)[name]?.(...given),
    ]),
  ) as unknown as StateStore;
}

describe('the schedule', () => {
  let clock: sinon.SinonFakeTimers;
  let logger: ReturnType<typeof memoryLogger>;
  const logged = (): string => logger.records.map(({ level, message }) => `${level}: ${message}`).join('\n');
  beforeEach(() => {
    logger = memoryLogger();
    clock = sinon.useFakeTimers({ now: Date.parse('2026-01-30T12:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => sinon.restore());

  const kernelOf = (jobs: Jobs, plugins: readonly Plugin[] = []): Promise<Kernel> =>
    testKernel({
      logger,
      tools: [echoTool()],
      plugins: [callsOnce(), engineLocal({ concurrency: 0 }), ...plugins, schedule({ jobs })],
    });
  const serving = async (jobs: Jobs, plugins: readonly Plugin[] = []): Promise<Kernel> => {
    const kernel = await kernelOf(jobs, plugins);
    await kernel.serve();
    return kernel;
  };
  const forwardTo = (time: string): Promise<number> => clock.tickAsync(Date.parse(time) - Date.now());
  const calls = async (kernel: Kernel, count: number): Promise<readonly DurableCall[]> =>
    until(async () => {
      const { calls: found } = await kernel.calls.list();
      return found.length >= count ? found : undefined;
    });
  const idsOf = async (kernel: Kernel, count: number): Promise<readonly string[]> =>
    (await calls(kernel, count)).map(({ id }) => id).sort();

  it('submits a call when it is due, and again', async () => {
    const kernel = await serving([{ ...nightly, caller: 'reports' }]);
    await forwardTo('2026-01-31T01:59:59.999Z');
    expect((await kernel.calls.list()).calls).to.deep.equal([]);
    await forwardTo('2026-01-31T02:00:00Z');
    const [call] = await calls(kernel, 1);
    expect(call).to.include({ id: 'nightly 2026-01-31T02:00:00.000Z', tool: 'echo', caller: 'reports', status: 'waiting' });
    await forwardTo('2026-02-01T02:00:00Z');
    expect(await idsOf(kernel, 2)).to.deep.equal(['nightly 2026-01-31T02:00:00.000Z', 'nightly 2026-02-01T02:00:00.000Z']);
    await kernel.calls.work({ concurrency: 1 });
    const handle = await kernel.calls.get('nightly 2026-01-31T02:00:00.000Z', { caller: 'reports' });
    expect(await handle.result()).to.deep.equal({ text: 'good night' });
  });

  it('makes one call of each time, however many processes there are', async () => {
    const store = new MemoryStore(Date.now);
    const jobs = [nightly, { ...nightly, id: 'hourly', cron: '@hourly' }];
    const kernels = await Promise.all(Array.from({ length: 3 }, () => serving(jobs, [storedIn(store)])));
    await forwardTo('2026-01-30T13:00:00Z');
    await forwardTo('2026-01-31T02:00:00Z');
    // All have submitted by the time that they are closed.
    await Promise.all(kernels.slice(1).map((kernel) => kernel.close()));
    const ids = await idsOf(kernels[0] as Kernel, 15);
    expect(ids).to.have.length(15);
    expect(ids).to.include.members([
      'hourly 2026-01-30T13:00:00.000Z',
      'hourly 2026-01-31T02:00:00.000Z',
      'nightly 2026-01-31T02:00:00.000Z',
    ]);
    expect(logged()).to.not.include('error');
  });

  it('goes by the clock of the timezone', async () => {
    const kernel = await serving([{ ...nightly, cron: '0 9 * * *', timezone: 'Europe/Berlin' }]);
    await forwardTo('2026-01-31T08:00:00Z');
    expect(await idsOf(kernel, 1)).to.deep.equal(['nightly 2026-01-31T08:00:00.000Z']);
  });

  it('goes by the newest rules of the timezone, and says so where those of this Node are older', async () => {
    clock.setSystemTime(Date.parse('2026-11-20T12:00:00Z'));
    const kernel = await serving([{ ...nightly, cron: '0 9 * * *', timezone: 'America/Vancouver' }]);
    await forwardTo('2026-11-20T16:00:00Z');
    expect(await idsOf(kernel, 1)).to.deep.equal(['nightly 2026-11-20T16:00:00.000Z']);
    const said = logged().includes('info: the job "nightly": The clocks of America/Vancouver follow the IANA data');
    expect(said).to.equal(loadZoneData().version > ownVersion);
  });

  it('skips the times that pass while it cannot know them, and goes on', async () => {
    const kernel = await serving([{ ...nightly, id: 'minutely', cron: '* * * * *' }]);
    // As a machine that sleeps.
    clock.setSystemTime(Date.parse('2026-01-30T15:00:15Z'));
    await forwardTo('2026-01-30T15:01:00Z');
    expect(logged()).to.include('warn: the job "minutely" was due at 2026-01-30T12:01:00.000Z');
    expect(await idsOf(kernel, 2)).to.deep.equal(['minutely 2026-01-30T15:00:00.000Z', 'minutely 2026-01-30T15:01:00.000Z']);
  });

  it('waits for longer than a timer can', async () => {
    const kernel = await serving([{ ...nightly, cron: '0 0 1 6 *' }]);
    await forwardTo('2026-06-01T00:00:00Z');
    expect(await idsOf(kernel, 1)).to.deep.equal(['nightly 2026-06-01T00:00:00.000Z']);
  });

  it('submits again what the store did not take, and gives up after a minute', async () => {
    const memory = new MemoryStore(Date.now);
    let isAway = true;
    const store = new Proxy(memory, {
      get(target, name) {
        if (name === 'compareAndSet' && isAway)
          return async () => {
            throw new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');
          };
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const kernel = await serving([nightly], [storedIn(store)]);
    await forwardTo('2026-01-31T02:00:00Z');
    await until(async () => {
      await clock.tickAsync(1000);
      return logged().includes('error') ? true : undefined;
    });
    expect(logged()).to.match(
      /error: the call of the job "nightly" that was due at 2026-01-31T02:00:00.000Z is not made: The store is away/,
    );
    expect(Date.now()).to.be.at.least(Date.parse('2026-01-31T02:01:00Z'));
    await forwardTo('2026-02-01T02:00:00Z');
    isAway = false;
    const found = await until(async () => {
      await clock.tickAsync(1000);
      const { calls: all } = await kernel.calls.list();
      return all[0];
    });
    expect(found.id).to.equal('nightly 2026-02-01T02:00:00.000Z');
  });

  it('submits nothing in a process that does not serve, or no longer', async () => {
    const store = new MemoryStore(Date.now);
    const idle = await kernelOf([nightly], [storedIn(store)]);
    await (await serving([nightly], [storedIn(store)])).close();
    await forwardTo('2026-02-01T02:00:00Z');
    expect((await idle.calls.list()).calls).to.deep.equal([]);
  });

  const wrong: readonly (readonly [string, Jobs, string])[] = [
    ['a cron expression that is none', [{ ...nightly, cron: '0 25 * * *' }], 'has "0 25 * * *" as "cron": expected 5 or 6 fields'],
    [
      'a point of time',
      [{ ...nightly, cron: '2026-02-01T02:00:00' }],
      'has "2026-02-01T02:00:00" as "cron": expected 5 or 6 fields, [second] minute hour day-of-month month day-of-week, received 1',
    ],
    ['a day that never comes', [{ ...nightly, cron: '0 0 31 2 *' }], 'is never due: no time fits "0 0 31 2 *"'],
    ['a timezone that there is not', [{ ...nightly, timezone: 'Mars/Base' }], 'has the timezone "Mars/Base"'],
    ['the id of another job', [nightly, nightly], 'has the id of another one'],
  ];
  for (const [what, jobs, says] of wrong)
    it(`refuses a job with ${what}`, async () => {
      const { message } = await rejection(kernelOf(jobs), 'CONFIG_INVALID');
      expect(message).to.include(`The job "nightly" of schedule() ${says}`);
    });

  const uncallable: readonly (readonly [string, Jobs, string])[] = [
    ['of a tool that there is not', [{ ...nightly, tool: 'eco' }], 'eco'],
    ['with wrong parameters', [{ ...nightly, parameters: { text: 1 } }], 'text'],
    ['with a parameter that the tool does not have', [{ ...nightly, parameters: { txt: 'a' } }], 'txt'],
  ];
  for (const [what, jobs, says] of uncallable)
    it(`does not serve with a job ${what}`, async () => {
      const { message } = await rejection(serving(jobs), 'CONFIG_INVALID');
      expect(message).to.include('The job "nightly" of schedule() cannot be made: ').and.to.include(says);
    });

  it('does not serve where nobody keeps durable calls', async () => {
    const kernel = await testKernel({ tools: [echoTool()], plugins: [schedule({ jobs: [nightly] })] });
    expect((await rejection(kernel.serve(), 'CONFIG_INVALID')).message).to.include('Add engineLocal()');
  });

  it('loads nothing and asks for nothing without jobs', async () => {
    const kernel = await testKernel({ plugins: [schedule({ jobs: [] })] });
    expect(kernel.tapsOf('serve')).to.deep.equal([]);
    await kernel.serve();
  });
});
