import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { limitRate } from '../../../plugins/limit-rate/index.ts';
import { gaugeOf } from '../../support/gauges.ts';
import { rejection } from '../../support/rejection.ts';
import { sharedState } from '../../support/shared-state.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';
import { gate } from '../mcp/support/client.ts';
import { limited } from './limited.ts';

const tools = [{ rate_limit: { concurrency: 1 } }, { name: 'free' }];

describe('the gauge of calls that wait for a limit', () => {
  it('counts those that wait until they run or are cancelled, and no others', async () => {
    const door = gate();
    const { kernel, call, tick } = await limited({ tools, run: (label) => (label === 'a' ? door.opened.then(() => null) : null) });
    const waiting = gaugeOf(kernel, 'limits.waiting');
    const cancelled = new AbortController();
    const first = call('a');
    await tick(0);
    expect(await waiting.read()).to.equal(0);
    const second = call('b');
    const third = rejection(call('c', 'get', { signal: cancelled.signal }), 'ABORTED');
    await call('d', 'free');
    await tick(0);
    expect(await waiting.read()).to.equal(2);
    cancelled.abort();
    await third;
    expect(await waiting.read()).to.equal(1);
    door.open();
    await Promise.all([first, second]);
    expect(await waiting.read()).to.equal(0);
  });

  it('counts those of this process where several share the limit', async () => {
    const door = gate();
    const state = await sharedState();
    let runs = 0;
    const open = (): Promise<Kernel> => {
      const handler = (): Promise<null> => {
        runs++;
        return door.opened.then(() => null);
      };
      const get = { name: 'get', description: 'Gets.', rate_limit: { concurrency: 1 }, execution: { type: 'function', handler } };
      return testKernel({ tools: [get], plugins: [limitRate(), state.plugin()] });
    };
    const kernels = [await open(), await open()] as const;
    const waiting = (): Promise<unknown> => Promise.all(kernels.map((kernel) => gaugeOf(kernel, 'limits.waiting').read()));
    const first = kernels[0].call({ tool: 'get' });
    await until(() => runs || undefined);
    expect(await waiting()).to.deep.equal([0, 0]);
    const second = kernels[1].call({ tool: 'get' });
    await until(async () => (JSON.stringify(await waiting()) === '[0,1]' ? true : undefined));
    door.open();
    await Promise.all([first, second]);
    expect(await waiting()).to.deep.equal([0, 0]);
  });
});
