import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { gaugeOf, rowsOf } from '../../support/gauges.ts';
import { type SharedState, sharedState } from '../../support/shared-state.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';
import { gate } from '../mcp/support/client.ts';

const durable = { durable: true } as const;

describe('the gauge of durable calls of engine-local', () => {
  it('counts those of all processes that wait, run or ask a person, until they end', async () => {
    const door = gate();
    let runs = 0;
    const handler = (): Promise<null> => {
      runs++;
      return door.opened.then(() => null);
    };
    const store: SharedState = await sharedState();
    const open = (concurrency: number): Promise<Kernel> =>
      testKernel({
        tools: [
          echoTool({ name: 'hold', execution: { type: 'function', handler } }),
          echoTool({ name: 'ask', requires_approval: true, execution: { type: 'function', handler } }),
        ],
        plugins: [callsOnce(), approvalGate({ mode: 'elicit' }), engineLocal({ concurrency }), store.plugin()],
      });
    const submitting = await open(0);
    const durableCalls = (kernel: Kernel = submitting): Promise<Readonly<Record<string, number>>> => rowsOf(kernel, 'calls.durable');
    expect(await durableCalls()).to.deep.equal({});
    await submitting.execute('hold', {}, durable);
    const asking = await submitting.execute('ask', {}, { ...durable, origin: 'model' });
    expect(await durableCalls()).to.deep.equal({ waiting: 2 });

    const working = await open(2);
    await working.calls.work({ concurrency: 2 });
    await until(async () => ((await asking.status()) === 'asked' && runs === 1 ? true : undefined));
    await submitting.execute('hold', {}, { ...durable, id: 'later', caller: 'ada' });
    await until(async () => (runs === 2 ? true : undefined));
    const inNone = await submitting.execute('hold', {}, { ...durable, caller: 'ada' });
    for (const kernel of [submitting, working]) expect(await durableCalls(kernel)).to.deep.equal({ waiting: 1, running: 2, asked: 1 });

    door.open();
    await inNone.result();
    await submitting.calls.cancel(asking.id);
    await until(async () => (Object.keys(await durableCalls()).length === 0 ? true : undefined));
  });

  it('is unknown while the store is away', async () => {
    const away = await sharedState();
    const kernel = await testKernel({ plugins: [callsOnce(), engineLocal({ concurrency: 0 }), away.plugin()] });
    await kernel.close();
    expect(await gaugeOf(kernel, 'calls.durable').read()).to.equal(undefined);
  });
});
