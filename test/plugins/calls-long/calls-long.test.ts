import { expect } from 'chai';
import sinon from 'sinon';
import type { CallClient, CallRequest, Kernel } from '../../../kernel/index.ts';
import { callsLong } from '../../../plugins/calls-long/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

afterEach(() => sinon.restore());

/** A kernel with one tool, `job`, which notes when it begins and ends when it is let. */
async function job(long: unknown, more: Readonly<Record<string, unknown>> = {}) {
  const events: string[] = [];
  let end: (value: string) => void = () => {};
  const handler = (): Promise<string> => {
    events.push('runs');
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  const tool = {
    name: 'job',
    description: 'Takes its time.',
    risk: 'low',
    execution: { type: 'function', handler },
    ...(long === undefined ? {} : { long }),
    ...more,
  };
  const kernel: Kernel = await testKernel({ plugins: [callsLong()], tools: [tool] });
  const client: CallClient = { later: () => void events.push('later') };
  const call = (request: Partial<CallRequest> = {}) => kernel.call({ tool: 'job', origin: 'model', ...request });
  return { call, client, events, end: (value = 'done') => end(value) };
}

describe('calls-long', () => {
  it('lets the client go on in the moment before a long tool runs, and gives the result all the same', async () => {
    const { call, client, events, end } = await job(true);
    const called = call({ client });
    await Promise.resolve();
    expect(events).to.deep.equal(['later', 'runs']);
    end();
    expect((await called).output).to.equal('done');
  });

  for (const [what, long] of [
    ['does not say it', undefined],
    ['says that it is not', false],
  ] as const)
    it(`lets nobody go on for a tool that ${what}`, async () => {
      const { call, client, events, end } = await job(long);
      const called = call({ client });
      await Promise.resolve();
      end();
      await called;
      expect(events).to.deep.equal(['runs']);
    });

  it('lets nobody go on before everything is decided', async () => {
    const { call, client, events } = await job(true, { parameters: { text: { type: 'string', required: true } } });
    await rejection(call({ client, parameters: {} }), 'INVALID_PARAMETERS');
    expect(events).to.deep.equal([]);
  });

  it('tells a client that waits every ten seconds that the call still runs, until it has ended', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { call, end } = await job(true);
    const told: unknown[] = [];
    const called = call({ onProgress: (progress) => told.push(progress) });
    clock.tick(9_999);
    expect(told).to.deep.equal([]);
    clock.tick(20_001);
    expect(told).to.deep.equal([{ message: 'still running' }, { message: 'still running' }, { message: 'still running' }]);
    end();
    await called;
    clock.tick(60_000);
    expect(told).to.have.length(3);
    expect(clock.countTimers()).to.equal(0);
  });

  it('leaves host code alone', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { call, events, end } = await job('required');
    const called = call({ origin: 'host' });
    expect([events, clock.countTimers()]).to.deep.equal([['runs'], 0]);
    end();
    expect((await called).output).to.equal('done');
  });

  it('refuses a model whose client must wait, where a tool is only for clients that need not', async () => {
    const { call, client, events, end } = await job('required');
    const error = await rejection(call(), 'POLICY_DENIED');
    expect(error.message).to.include('takes so long').and.include('io.modelcontextprotocol/tasks');
    expect(error.details.clientLacks).to.deep.equal(['later']);
    expect(events).to.deep.equal([]);
    const called = call({ client });
    await Promise.resolve();
    end();
    expect((await called).output).to.equal('done');
  });
});
