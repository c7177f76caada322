import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../kernel/index.ts';
import { cached } from './cached.ts';

describe('cache-results: credentials of a source', () => {
  it('share a result among the calls of one caller while they stay the same, with the account of each call, and with no other caller', async () => {
    // The same value, as of a shared mailbox: the grant of one caller may end before that of another.
    const tokens: Record<string, string> = { ann: 'token-one', bea: 'token-one' };
    const accounts = definePlugin({
      name: 'accounts',
      apiVersion,
      apply: ({ extend }) =>
        extend.callerCredentials({
          provides: (name) => name === 'SHOP_TOKEN',
          find: ({ caller }) => new Map([['SHOP_TOKEN', { value: tokens[caller] ?? '', account: { provider: 'shop', name: caller } }]]),
        }),
    });
    const { call, runs } = await cached({ definition: { secrets: ['SHOP_TOKEN'] }, plugins: [accounts()] });
    const outputs: unknown[] = [];
    for (const caller of ['ann', 'bea', 'ann', 'bea']) {
      const { output, meta } = await call({ a: 1 }, { caller });
      outputs.push([(output as { count: number }).count, meta['cached'] !== undefined, meta['account']]);
    }
    expect(outputs).to.deep.equal([
      [1, false, { shop: 'ann' }],
      [2, false, { shop: 'bea' }],
      [1, true, { shop: 'ann' }],
      [2, true, { shop: 'bea' }],
    ]);
    tokens['ann'] = 'token-two';
    await call({ a: 1 }, { caller: 'ann' });
    expect(runs).to.have.length(3);
  });
});
