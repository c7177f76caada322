import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../../kernel/index.ts';
import { wireServer } from '../../support/wire.ts';
import { WireClient } from '../../support/wire-client.ts';

describe('the answers of calls over HTTP', () => {
  it('leave when plugins have done what they do before answers', async () => {
    const order: string[] = [];
    const plugin = definePlugin({
      name: 'slow',
      apiVersion,
      apply({ extend, hooks }) {
        hooks.settled.tap('slow', ({ isHeld }) => void order.push(isHeld ? 'held' : 'free'));
        extend.beforeAnswers(async () => {
          if (!order.includes('held')) return;
          await new Promise<void>((resolve) => setImmediate(resolve));
          order.push('done');
        });
      },
    });
    const { port } = await wireServer({ more: [plugin()] });
    const client = await WireClient.open(port);
    await client.post({ id: 7, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } });
    order.push('answer');
    expect(order.slice(0, 2)).to.deep.equal(['held', 'done']);
    expect(order.at(-1)).to.equal('answer');
  });
});
