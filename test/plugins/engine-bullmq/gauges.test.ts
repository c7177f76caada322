import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineBullmq } from '../../../plugins/engine-bullmq/index.ts';
import { closedPort } from '../../support/closed-port.ts';
import { rowsOf } from '../../support/gauges.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

describe('the gauge of durable calls of engine-bullmq', () => {
  it('counts those in the store, where BullMQ cannot be reached as well', async () => {
    const store = definePlugin({
      name: 'a-store-of-machines',
      apiVersion,
      apply: ({ extend }) => extend.stateStore(Object.assign(new MemoryStore(Date.now), { spansMachines: true })),
    });
    const url = `postgresql://127.0.0.1:${await closedPort()}/toolkit`;
    const kernel = await testKernel({ tools: [echoTool()], plugins: [callsOnce(), store(), engineBullmq({ url, concurrency: 0 })] });
    expect(await rowsOf(kernel, 'calls.durable')).to.deep.equal({});
    const [first] = [await kernel.execute('echo', {}, { durable: true }), await kernel.execute('echo', {}, { durable: true })];
    expect(await rowsOf(kernel, 'calls.durable')).to.deep.equal({ waiting: 2 });
    await kernel.calls.cancel(first.id);
    expect(await rowsOf(kernel, 'calls.durable')).to.deep.equal({ waiting: 1 });
  });
});
