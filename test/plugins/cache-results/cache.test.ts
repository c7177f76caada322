import { expect } from 'chai';
import { apiVersion, definePlugin, formatProblem } from '../../../kernel/index.ts';
import { cacheResults } from '../../../plugins/cache-results/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { limitRate } from '../../../plugins/limit-rate/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { cached } from './cached.ts';

describe('cache-results: the same call again', () => {
  it('gets the same result for the time of the definition, and is told how old it is', async () => {
    const { call, clock, runs } = await cached();
    expect((await call({ a: 1 })).meta).to.deep.equal({});
    clock.tick(600);
    const again = await call({ a: 1 });
    expect(again.output).to.deep.equal({ given: { a: 1 }, count: 1 });
    expect(again.meta).to.deep.equal({ cached: { ageMs: 600 } });
    clock.tick(399);
    expect((await call({ a: 1 })).meta).to.deep.equal({ cached: { ageMs: 999 } });
    clock.tick(2);
    expect((await call({ a: 1 })).output).to.deep.equal({ given: { a: 1 }, count: 2 });
    expect(runs).to.have.lengthOf(2);
  });

  it('is the same however its parameters are ordered', async () => {
    const { call, runs } = await cached();
    await call({ a: { x: 1, y: [1, 2] }, b: 2 });
    await call({ b: 2, a: { y: [1, 2], x: 1 } });
    expect(runs).to.have.lengthOf(1);
  });

  it('gets the parts to show and the facts as well', async () => {
    const { call } = await cached({ run: (_, count, { withContent }) => withContent(count, [{ type: 'text', text: 'shown' }]) });
    const { callId, ...first } = await call();
    const { callId: other, ...again } = await call();
    expect(again).to.deep.equal({ ...first, meta: { cached: { ageMs: 0 } } });
    expect(first.content).to.deep.equal([{ type: 'text', text: 'shown' }]);
    expect(other).to.not.equal(callId);
  });

  it('does not see what a caller made of the result', async () => {
    const { call } = await cached({ run: () => ({ list: [1] }) });
    for (const _ of [1, 2, 3]) {
      const { output } = await call();
      expect(output).to.deep.equal({ list: [1] });
      (output as { list: number[] }).list.push(2);
    }
  });

  it('passes the checks of its output and is told to trails', async () => {
    const outputs: unknown[] = [];
    const trim = definePlugin({
      name: 'trim',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.validateOutput.tap({ name: 'trim', stage: -10 }, (result, { tool }) => {
          if (tool.name !== 'get') return undefined;
          outputs.push(result.output);
          return { ...result, output: `<${String(result.output)}>` };
        }),
    });
    const { call, ends } = await cached({ run: (_, count) => count, plugins: [trim()] });
    expect([(await call()).output, (await call()).output]).to.deep.equal(['<1>', '<1>']);
    expect(outputs).to.deep.equal([1, 1]);
    expect(ends.map(({ outcome }) => outcome.type === 'completed' && outcome.result.meta)).to.deep.equal([{}, { cached: { ageMs: 0 } }]);
  });

  it('is refused where a policy has come to refuse it', async () => {
    let isOpen = true;
    const policy = definePlugin({
      name: 'policy',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.beforeExecute.tap('policy', (draft) =>
          isOpen ? undefined : { ...draft, verdict: { effect: 'deny', reasons: [{ kind: 'rule', message: 'closed' }] } },
        ),
    });
    const { call } = await cached({ plugins: [policy()] });
    await call();
    isOpen = false;
    await rejection(call(), 'POLICY_DENIED');
  });

  it('uses no limit up', async () => {
    const { call } = await cached({
      definition: { rate_limit: { requests: 1, per_ms: 1000 } },
      plugins: [limitRate({ maxQueued: 0 })],
    });
    await call();
    await call();
    await rejection(call({ a: 'other' }), 'RATE_LIMITED');
  });
});

describe('cache-results: results that are not kept', () => {
  const never: readonly { title: string; run: () => unknown; code?: 'EXECUTION_FAILED' | 'OUTPUT_INVALID' }[] = [
    {
      title: 'of a call that failed',
      code: 'EXECUTION_FAILED',
      run: () => {
        throw new Error('no');
      },
    },
    { title: 'that a check refused', code: 'OUTPUT_INVALID', run: () => 'text' },
    { title: 'that take more than maxBytes', run: () => ({ text: 'x'.repeat(300) }) },
    { title: 'that take more than maxBytes in another script', run: () => ({ text: '語'.repeat(70) }) },
  ];
  for (const { title, run, code } of never) {
    it(`are those ${title}`, async () => {
      const { call, runs } = await cached({ run, definition: { output_schema: { type: 'object' } }, options: { maxBytes: 200 } });
      for (const _ of [1, 2]) await (code === undefined ? call() : rejection(call(), code));
      expect(runs).to.have.lengthOf(2);
    });
  }

  it('are those in which a secret shows', async () => {
    const { call, runs } = await cached({
      run: (_, count, { secrets }) => ({ count, said: `Basic ${Buffer.from(`me:${secrets['SHOP_TOKEN']}`).toString('base64')}` }),
      definition: { secrets: ['SHOP_TOKEN'] },
      env: { SHOP_TOKEN: 'value-of-shop-token' },
    });
    for (const count of [1, 2]) expect((await call()).output).to.deep.include({ count });
    expect(JSON.stringify(await call())).to.include('[secret SHOP_TOKEN]');
    expect(runs).to.have.lengthOf(3);
  });

  it('are those of parameters without a canonical form, which the tool gets as ever', async () => {
    const { call, runs } = await cached();
    for (const _ of [1, 2]) await call({ a: '\ud800' });
    expect(runs).to.have.lengthOf(2);
  });

  it('are those of tools that do not ask for it', async () => {
    const { call, runs } = await cached({ definition: { cache: undefined } });
    for (const _ of [1, 2]) await call();
    expect(runs).to.have.lengthOf(2);
  });
});

describe('cache-results: when there are too many', () => {
  it('the result that was not used for longest gives way to maxEntries', async () => {
    const { call, runs } = await cached({ options: { maxEntries: 2 } });
    for (const a of [1, 2, 1, 3, 1, 2]) await call({ a });
    expect(runs.map(({ a }) => a)).to.deep.equal([1, 2, 3, 2]);
  });

  it('the result that was not used for longest gives way to maxBytes', async () => {
    const { call, runs } = await cached({ run: () => 'x'.repeat(1000), options: { maxBytes: 2500 } });
    for (const a of [1, 2, 1, 3, 1, 2]) await call({ a });
    expect(runs.map(({ a }) => a)).to.deep.equal([1, 2, 3, 2]);
  });

  it('none of another tenant gives way to one who has more', async () => {
    const { call, runs } = await cached({ options: { maxEntries: 3 } });
    await call({ a: 'mine' }, { tenant: 'session 1' });
    for (let a = 0; a < 10; a++) await call({ a }, { tenant: 'session 2' });
    await call({ a: 'mine' }, { tenant: 'session 1' });
    expect(runs.filter(({ a }) => a === 'mine')).to.have.lengthOf(1);
  });
});

describe('cache in a definition', () => {
  const refusal = '"get" declares "cache", but may change something: expected a tool that only reads.';
  const writing: readonly { title: string; definition: Readonly<Record<string, unknown>> }[] = [
    { title: 'of high risk', definition: { risk: undefined } },
    { title: 'that says it writes', definition: { annotations: { readOnlyHint: false } } },
    { title: 'that posts', definition: { execution: { type: 'http', method: 'post', url: 'https://shop.example/' }, risk: 'low' } },
  ];
  for (const { title, definition } of writing) {
    it(`is refused when a tool ${title} is called`, async () => {
      const { call, runs } = await cached({ definition, plugins: [executorHttp()] });
      expect((await rejection(call(), 'TOOL_INVALID')).message)
        .to.include(refusal)
        .and.to.include('readOnlyHint: true');
      expect(runs).to.deep.equal([]);
    });
  }

  it('is taken of a tool that says that it only reads', async () => {
    const { call, runs } = await cached({ definition: { risk: 'medium', annotations: { readOnlyHint: true } } });
    for (const _ of [1, 2]) await call();
    expect(runs).to.have.lengthOf(1);
  });

  const wrong: readonly { title: string; cache: unknown; problem: string }[] = [
    { title: 'without a time', cache: {}, problem: 'cache.ttl_ms: is required' },
    { title: 'without time', cache: { ttl_ms: 0 }, problem: 'cache.ttl_ms: expected to be >= 1' },
    { title: 'with a misspelt key', cache: { ttl: 5 }, problem: 'Did you mean "ttl_ms"?' },
    { title: 'that is a switch', cache: true, problem: 'cache: expected object, received boolean true' },
  ];
  for (const { title, cache, problem } of wrong) {
    it(`is refused at load ${title}`, async () => {
      const { registry } = await testKernel({ tools: [echoTool({ cache })], plugins: [cacheResults()] });
      expect(registry.problems.map(formatProblem).join()).to.include(problem);
      expect(registry.tools.size).to.equal(0);
    });
  }

  it('is refused at load without the plugin', async () => {
    const { registry } = await testKernel({ tools: [echoTool({ cache: { ttl_ms: 1000 } })] });
    expect(registry.problems.map(formatProblem).join()).to.include('cache: is declared, but no plugin of this configuration enforces it');
  });
});
