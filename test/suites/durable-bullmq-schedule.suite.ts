import { expect } from 'chai';
import type { DurableCall, Kernel } from '../../kernel/index.ts';
import { callsOnce } from '../../plugins/calls-once/index.ts';
import { engineBullmq } from '../../plugins/engine-bullmq/index.ts';
import { schedule } from '../../plugins/schedule/index.ts';
import { storePostgres } from '../../plugins/store-postgres/index.ts';
import { createTestKit } from '../../plugins/toolkit/testing.ts';
import { until } from '../support/until.ts';
import { RealServer } from './postgres/server.ts';

type Jobs = NonNullable<NonNullable<Parameters<typeof schedule>[0]>['jobs']>;

const everySecond = '* * * * * *';

describe('a schedule in several processes on BullMQ', () => {
  let server: RealServer;
  let url: string;
  let ticks: string[];
  const kernels: Kernel[] = [];
  before(async () => {
    server = await RealServer.start();
  });
  beforeEach(async () => {
    url = await server.makeDatabase();
    ticks = [];
  });
  afterEach(() => closeAll());
  after(async () => {
    await server?.undo();
    await server?.stop();
  });

  const closeAll = () => Promise.all(kernels.splice(0).map((kernel) => kernel.close()));
  const start = async (jobs: Jobs): Promise<Kernel> => {
    const { kernel } = await createTestKit({
      plugins: [storePostgres({ url }), callsOnce(), engineBullmq({ url, concurrency: 2 }), schedule({ jobs })],
      tools: [
        {
          name: 'clock_tick',
          description: 'Ticks.',
          parameters: { job: { type: 'string' } },
          execution: {
            type: 'function',
            handler: (parameters: { readonly job: string }) => {
              ticks.push(parameters.job);
              return parameters.job;
            },
          },
        },
      ],
    });
    kernels.push(kernel);
    await kernel.serve();
    return kernel;
  };
  const job = (id: string, cron: string): Jobs[number] => ({ id, cron, tool: 'clock_tick', parameters: { job: id } });
  const callsOf = async (kernel: Kernel, id: string): Promise<readonly DurableCall[]> => {
    const { calls } = await kernel.calls.list({ status: 'completed', limit: 1000 });
    return calls.filter((call) => call.id.startsWith(`${id} `));
  };
  const timeOf = ({ id }: DurableCall): number => Date.parse(id.slice(id.indexOf(' ') + 1));
  const untilCalls = (kernel: Kernel, id: string, count: number) =>
    until(async () => {
      const calls = await callsOf(kernel, id);
      return calls.length >= count ? calls : undefined;
    });

  it('makes one call for each time, however many processes there are', async () => {
    const [kernel] = await Promise.all([1, 2, 3].map(() => start([job('a', everySecond)])));
    if (kernel === undefined) throw new Error('no kernel');
    await untilCalls(kernel, 'a', 4);
    await closeAll();
    const reader = await start([]);
    const calls = await callsOf(reader, 'a');
    expect(new Set(calls.map(timeOf)).size).to.equal(calls.length);
    expect(ticks).to.have.length(calls.length);
    expect(calls.every((call) => call.attempts === 1 && timeOf(call) % 1000 === 0)).to.equal(true);
  });

  it('follows a job that is changed, and one that is removed', async () => {
    const before = await start([job('changed', everySecond), job('removed', everySecond)]);
    await untilCalls(before, 'removed', 1);
    await closeAll();
    const changedAt = Date.now();
    const [kernel] = await Promise.all([1, 2].map(() => start([job('changed', '*/2 * * * * *')])));
    if (kernel === undefined) throw new Error('no kernel');
    const later = await until(async () => {
      const calls = (await callsOf(kernel, 'changed')).filter((call) => timeOf(call) > changedAt);
      return calls.length >= 2 ? calls : undefined;
    });
    expect(later.filter((call) => timeOf(call) % 2000 !== 0)).to.deep.equal([]);
    expect((await callsOf(kernel, 'removed')).filter((call) => timeOf(call) > changedAt)).to.deep.equal([]);
  });
});
