import { expect } from 'chai';
import { apiVersion, type CallRequest, definePlugin } from '../../../kernel/index.ts';
import { source } from '../mcp/support/client.ts';
import { type CachedOptions, cached, settle } from './cached.ts';

/** Tells whose credentials it was called with, in a form that no mask knows. */
const lengthOf: CachedOptions = {
  run: (_, count, { secrets }) => ({ count, length: secrets['SHOP_TOKEN']?.length }),
  definition: { secrets: ['SHOP_TOKEN'] },
};

describe('cache-results: a result is not shared', () => {
  const one = { parameters: { a: 1 } };
  const pairs: readonly { title: string; first?: Partial<CallRequest>; second: Partial<CallRequest> }[] = [
    { title: 'between callers', first: { caller: 'anna' }, second: { caller: 'bert' } },
    { title: 'between a caller and the one without a name', second: { caller: 'anna' } },
    { title: 'between host code and a model, for which other gates hold', first: { origin: 'host' }, second: { origin: 'model' } },
    { title: 'between other parameters', first: one, second: { parameters: { a: '1' } } },
    { title: 'between a parameter and none', first: one, second: { parameters: {} } },
    { title: 'between null and none', first: { parameters: { a: null } }, second: { parameters: {} } },
    { title: 'between parameters of other names', first: one, second: { parameters: { b: 1 } } },
    { title: 'between tools', second: { tool: 'other' } },
  ];
  for (const { title, first = {}, second } of pairs) {
    it(title, async () => {
      const other = source((sink) =>
        sink.addTool({
          name: 'other',
          description: 'Other.',
          cache: { ttl_ms: 1000 },
          risk: 'low',
          execution: { type: 'function', handler: () => 'other' },
        }),
      );
      const { call, runs, kernel } = await cached({ plugins: [other] });
      await call({}, first);
      const { output, meta } = await call({}, second);
      expect(meta).to.deep.equal({});
      if (second.tool === undefined) expect(runs).to.have.lengthOf(2);
      else expect(output).to.equal('other');
      expect(kernel.registry.problems).to.deep.equal([]);
    });
  }

  it('between credentials that came with the calls, of the same caller and at the same time too', async () => {
    const { call } = await cached(lengthOf);
    const lengths = async (calls: readonly Promise<{ output: unknown }>[]): Promise<unknown[]> =>
      (await Promise.all(calls)).map(({ output }) => (output as { length: number }).length);
    const as = (token: string) => call({}, { credentials: { SHOP_TOKEN: token } });
    expect(await lengths([as('a-token'), as('other-token'), as('a-token')])).to.deep.equal([7, 11, 7]);
    expect([...(await lengths([as('other-token')])), ...(await lengths([as('a-token')]))]).to.deep.equal([11, 7]);
  });

  it('between an old value of a secret and a new one', async () => {
    let value = 'first-token';
    const store = definePlugin({
      name: 'store',
      apiVersion,
      apply: ({ hooks }) => hooks.resolveSecrets.tap('store', (sink) => sink.provide('SHOP_TOKEN', value, 10)),
    });
    const { call, clock } = await cached({ ...lengthOf, plugins: [store()] });
    await call();
    clock.tick(20);
    await call();
    await settle();
    expect((await call()).output).to.deep.equal({ count: 1, length: 11 });
    value = 'second-token';
    clock.tick(20);
    await call();
    await settle();
    expect((await call()).output).to.deep.equal({ count: 2, length: 12 });
  });

  it('between a tool and the same after a reload, whose code may be another', async () => {
    const { call, kernel, runs } = await cached();
    await call();
    await kernel.reload();
    await call();
    expect(runs).to.have.lengthOf(2);
  });
});

describe('cache-results: a result is shared', () => {
  it('by calls of one caller whose credentials come from the secret chain', async () => {
    const { call, runs } = await cached({ ...lengthOf, env: { SHOP_TOKEN: 'some-token' } });
    for (const _ of [1, 2]) await call({}, { caller: 'anna' });
    expect(runs).to.have.lengthOf(1);
  });
});
