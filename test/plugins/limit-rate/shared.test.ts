import { expect } from 'chai';
import type { CallOutput, CallRequest, Kernel, PluginEntry } from '../../../kernel/index.ts';
import { limitRate } from '../../../plugins/limit-rate/index.ts';
import { rejection } from '../../support/rejection.ts';
import { sharedState, unreachableState } from '../../support/shared-state.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

const hour = 3_600_000;

interface Running {
  readonly label: string;
  end(): void;
}

/** A kernel whose tools run until they are told to end, and what of it runs. */
class Process {
  readonly running: Running[] = [];
  started = 0;
  readonly kernel: Kernel;

  private constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  static async start(store: PluginEntry, { tools, maxQueued = 1000 }: { tools: object; maxQueued?: number }): Promise<Process> {
    const handler = ({ label }: { label: string }): Promise<null> =>
      new Promise((resolve) => {
        process.started++;
        process.running.push({ label, end: () => resolve(null) });
      });
    const kernel = await testKernel({
      providers: [{ provider: { name: 'shop' }, rate_limit: { requests: 4, per_ms: hour } }],
      tools: Object.entries(tools).map(([name, more]) => ({
        name,
        description: 'Gets.',
        parameters: { label: { type: 'string' } },
        execution: { type: 'function', handler },
        ...more,
      })),
      // The plugin is applied before it knows of the store.
      plugins: [limitRate({ maxQueued }), store],
    });
    const process = new Process(kernel);
    return process;
  }

  call(label: string, more: Partial<CallRequest> = {}): Promise<CallOutput> {
    return this.kernel.call({ tool: 'get', parameters: { label }, ...more });
  }

  untilStarted(count: number): Promise<true> {
    return until(() => (this.started >= count ? true : undefined));
  }

  endAll(): void {
    for (const { end } of this.running.splice(0)) end();
  }
}

async function two(tools: object, maxQueued?: number): Promise<readonly [Process, Process]> {
  const state = await sharedState();
  const options = { tools, ...(maxQueued === undefined ? {} : { maxQueued }) };
  return [await Process.start(state.plugin(), options), await Process.start(state.plugin(), options)];
}

describe('limit-rate: with a store that processes share', () => {
  it('counts the starts of all of them', async () => {
    const [one, other] = await two({ get: { rate_limit: { requests: 3, per_ms: hour } } });
    const calls = [one.call('a'), one.call('b'), other.call('c')];
    await one.untilStarted(2);
    await other.untilStarted(1);
    const abort = new AbortController();
    const waiting = rejection(one.call('d', { signal: abort.signal }), 'ABORTED');
    await until(() => (JSON.stringify(one.kernel.status()).includes('"taken":3') ? true : undefined));
    abort.abort();
    await waiting;
    for (const process of [one, other]) process.endAll();
    await Promise.all(calls);
    expect([one.started, other.started]).to.deep.equal([2, 1]);
  });

  for (const aheadMs of [-60_000, 60_000]) {
    describe(`when a clock is ${aheadMs / 1000} s ahead`, () => {
      const date = stoppedDate();

      it('counts the starts in the windows of the store', async () => {
        const [one, other] = await two({ get: { rate_limit: { requests: 1, per_ms: hour } } }, 0);
        const call = one.call('a');
        await one.untilStarted(1);
        date.setBack(-aheadMs);
        await rejection(other.call('b'), 'RATE_LIMITED');
        one.endAll();
        await call;
      });

      it('goes on in the next window', async () => {
        const [one, other] = await two({ get: { rate_limit: { requests: 1, per_ms: 50 } } });
        const calls = [one.call('a')];
        await one.untilStarted(1);
        date.setBack(-aheadMs);
        calls.push(other.call('b'), one.call('c'));
        await Promise.all([other.untilStarted(1), one.untilStarted(2)]);
        for (const process of [one, other]) process.endAll();
        await Promise.all(calls);
      });
    });
  }

  it('goes on in the next window', async () => {
    const [one, other] = await two({ get: { rate_limit: { requests: 1, per_ms: 50 } } });
    const calls = [one, other, one, other].map((process) => process.call('x'));
    await one.untilStarted(2);
    await other.untilStarted(2);
    for (const process of [one, other]) process.endAll();
    await Promise.all(calls);
  });

  it('counts the tools of a provider together, each with its own limit', async () => {
    const own = { provider: 'shop' };
    const [one, other] = await two({ get: { ...own, rate_limit: { requests: 3, per_ms: hour } }, put: own });
    const calls = [one.call('a'), other.call('b'), other.call('c'), one.call('d', { tool: 'put' })];
    await one.untilStarted(2);
    await other.untilStarted(2);
    const late = ['get', 'put'].map((tool) => rejection(other.call('e', { tool }), 'ABORTED'));
    for (const process of [one, other]) process.endAll();
    await Promise.all(calls);
    await other.kernel.close();
    await Promise.all(late);
    expect([one.started, other.started]).to.deep.equal([2, 2]);
  });

  it('lets as many run at the same time, over all of them', async () => {
    const [one, other] = await two({ get: { rate_limit: { concurrency: 2 } } });
    const calls = [one.call('a'), one.call('b')];
    await one.untilStarted(2);
    const waiting = [other.call('c'), other.call('d'), one.call('e')];
    for (let ended = 0; ended < 3; ended++) {
      const running = [...one.running, ...other.running];
      expect(running).to.have.length(2);
      const [first] = running;
      for (const process of [one, other])
        process.running.splice(0, process.running.length, ...process.running.filter((each) => each !== first));
      first?.end();
      await until(() => (one.running.length + other.running.length === 2 ? true : undefined));
    }
    for (const process of [one, other]) process.endAll();
    await Promise.all([...calls, ...waiting]);
  });

  it('gives the place of a call back that ends while it waits, fails, or closes with its kernel', async () => {
    const [one, other] = await two({ get: { rate_limit: { concurrency: 1 } } });
    const held = rejection(one.call('a'), 'ABORTED');
    await one.untilStarted(1);
    const abort = new AbortController();
    const left = rejection(other.call('b', { signal: abort.signal }), 'ABORTED');
    const next = other.call('c');
    abort.abort();
    await left;
    await one.kernel.close();
    await held;
    await other.untilStarted(1);
    expect(other.running.map(({ label }) => label)).to.deep.equal(['c']);
    other.endAll();
    await next;
  });

  it('starts waiting calls of tenants in turn, and those of one in the order in which they came', async () => {
    const [one, other] = await two({ get: { rate_limit: { concurrency: 1 } } });
    const first = other.call('first');
    await other.untilStarted(1);
    const calls = ['a1', 'a2', 'a3', 'b1', 'b2'].map((label) => one.call(label, { caller: label.slice(0, 1) }));
    await until(() => (JSON.stringify(one.kernel.status()).includes('"a":2,"b":2') ? true : undefined));
    other.endAll();
    await first;
    const order: string[] = [];
    for (let count = 1; count <= calls.length; count++) {
      await one.untilStarted(count);
      order.push(...one.running.map(({ label }) => label));
      one.endAll();
    }
    await Promise.all(calls);
    expect(order).to.deep.equal(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  for (const rate_limit of [{ requests: 1, per_ms: hour }, { concurrency: 1 }]) {
    it(`refuses who would have to wait where none may: ${JSON.stringify(rate_limit)}`, async () => {
      const [one, other] = await two({ get: { rate_limit } }, 0);
      const call = one.call('a');
      await one.untilStarted(1);
      const error = await rejection(other.call('b'), 'RATE_LIMITED');
      expect(error.message).to.include('and none may wait');
      one.endAll();
      await call;
    });

    it(`refuses the call where the store cannot be reached: ${JSON.stringify(rate_limit)}`, async () => {
      const process = await Process.start(unreachableState().plugin(), { tools: { get: { rate_limit } } });
      await rejection(process.call('a'), 'STATE_UNAVAILABLE');
      await rejection(process.call('b'), 'STATE_UNAVAILABLE');
      expect(process.started).to.equal(0);
    });
  }

  it('asks the store about no tool without a limit', async () => {
    const state = unreachableState();
    const process = await Process.start(state.plugin(), { tools: { get: {} } });
    const call = process.call('a');
    await process.untilStarted(1);
    process.endAll();
    await call;
    expect(state.tries).to.equal(0);
  });
});
