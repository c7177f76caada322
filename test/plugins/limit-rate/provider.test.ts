import { expect } from 'chai';
import { formatProblem } from '../../../kernel/index.ts';
import { limitRate } from '../../../plugins/limit-rate/index.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { gate } from '../mcp/support/client.ts';
import { limited, mostIn } from './limited.ts';

describe('limit-rate: the limit of a provider', () => {
  it('counts the calls of all its tools together, and of no other', async () => {
    const tools = [
      { name: 'one', provider: 'shop' },
      { name: 'two', provider: 'shop' },
      { name: 'three', provider: 'bank' },
    ];
    const { call, starts, tick } = await limited({ tools, providers: { shop: { requests: 1, per_ms: 100 }, bank: undefined } });
    const calls = [call('a', 'one'), call('b', 'two'), call('c', 'three'), call('d', 'three')];
    await tick(100);
    await Promise.all(calls);
    expect(starts.map(({ label, at }) => `${label} ${at}`)).to.have.members(['a 0', 'c 0', 'd 0', 'b 100']);
  });

  it('holds beside that of the tool: neither is passed in any span of time, however the two stop and go', async () => {
    const tools = [
      { name: 'one', provider: 'shop', rate_limit: { requests: 10, per_ms: 1000 }, timeout_ms: 10_000_000 },
      { name: 'two', provider: 'shop', rate_limit: { requests: 7, per_ms: 300 }, timeout_ms: 10_000_000 },
    ];
    // The provider lets a burst through and then nothing for most of a minute, while calls gather that the tools have let through.
    const { call, starts, tick } = await limited({ tools, providers: { shop: { requests: 100, per_ms: 60_000, concurrency: 40 } } });
    const calls = Array.from({ length: 400 }, (_, index) => call(String(index), index % 2 === 0 ? 'one' : 'two'));
    await tick(300_000, 50);
    await Promise.all(calls);
    const moments = (tool?: string): number[] => starts.filter((start) => tool === undefined || start.tool === tool).map(({ at }) => at);
    expect(mostIn(1000, moments('one'))).to.equal(10);
    expect(mostIn(300, moments('two'))).to.equal(7);
    expect(mostIn(60_000, moments())).to.equal(100);
  });

  it('does not hold up the other tools of the provider for a tool that waits for its own limit', async () => {
    const tools = [
      { name: 'slow', provider: 'shop', rate_limit: { requests: 1, per_ms: 10_000 } },
      { name: 'fast', provider: 'shop' },
    ];
    const { call, labels, tick } = await limited({ tools, providers: { shop: { requests: 5, per_ms: 1000, concurrency: 2 } } });
    const calls = [call('a', 'slow'), call('b', 'slow'), call('c', 'slow'), call('d', 'fast'), call('e', 'fast')];
    await tick(0);
    expect(labels()).to.deep.equal(['a', 'd', 'e']);
    await tick(20_000, 10_000);
    await Promise.all(calls);
  });

  it('keeps calls from running at the same time, across its tools', async () => {
    const doors = [gate(), gate(), gate()];
    const tools = [
      { name: 'one', provider: 'shop' },
      { name: 'two', provider: 'shop' },
    ];
    const { call, labels, tick } = await limited({
      tools,
      providers: { shop: { concurrency: 2 } },
      run: (label) => doors[Number(label)]?.opened.then(() => null),
    });
    const calls = [call('0', 'one'), call('1', 'two'), call('2', 'one')];
    await tick(0);
    expect(labels()).to.deep.equal(['0', '1']);
    doors[1]?.open();
    await tick(0);
    expect(labels()).to.deep.equal(['0', '1', '2']);
    for (const door of doors) door.open();
    await Promise.all(calls);
  });
});

describe('rate_limit in a definition', () => {
  const http = { type: 'function', handler: () => null };
  const refused: readonly { title: string; rate: unknown; problem: string }[] = [
    { title: 'nothing in it', rate: {}, problem: 'rate_limit: expected to not have fewer than 1 properties' },
    {
      title: 'requests without per_ms',
      rate: { requests: 1 },
      problem: 'rate_limit: expected to have properties per_ms when property requests is present',
    },
    {
      title: 'per_ms without requests',
      rate: { per_ms: 1 },
      problem: 'rate_limit: expected to have properties requests when property per_ms is present',
    },
    { title: 'no places', rate: { concurrency: 0 }, problem: 'rate_limit.concurrency: expected to be >= 1, received number 0' },
    { title: 'half a request', rate: { requests: 0.5, per_ms: 1 }, problem: 'rate_limit.requests: expected integer' },
    {
      title: 'more than a timer can wait',
      rate: { requests: 1, per_ms: 2 ** 31 },
      problem: 'rate_limit.per_ms: expected to be <= 2147483647',
    },
    {
      title: 'fence without concurrency',
      rate: { requests: 1, per_ms: 1, fence: true },
      problem: 'rate_limit: expected to have properties concurrency when property fence is present',
    },
    { title: 'a misspelt key', rate: { request: 1 }, problem: 'Did you mean "requests"?' },
  ];
  for (const { title, rate, problem } of refused) {
    it(`is refused with ${title}, in a tool and in a provider`, async () => {
      const kernel = await testKernel({
        tools: [echoTool({ execution: http, rate_limit: rate })],
        providers: [{ provider: { name: 'shop' }, rate_limit: rate }],
        plugins: [limitRate()],
      });
      const found = kernel.registry.problems.map(formatProblem).filter((line) => line.includes(problem));
      expect(found, JSON.stringify(kernel.registry.problems)).to.have.lengthOf(2);
      expect([kernel.registry.tools.size, kernel.registry.providers.size]).to.deep.equal([0, 0]);
    });
  }

  const fenced = { concurrency: 1, fence: true };
  const fences: readonly { title: string; tool: object; provider?: object; isRefused: boolean }[] = [
    { title: 'of the tool', tool: { rate_limit: fenced }, isRefused: true },
    { title: 'of its provider', tool: { provider: 'shop' }, provider: fenced, isRefused: true },
    {
      title: 'of its provider, beside a limit of its own',
      tool: { provider: 'shop', rate_limit: { concurrency: 1 } },
      provider: fenced,
      isRefused: true,
    },
    { title: 'of the tool', tool: { rate_limit: fenced, execution: { ...http, timeout_ms: 1 } }, isRefused: false },
  ];
  for (const { title, tool, provider, isRefused } of fences) {
    it(`${isRefused ? 'needs' : 'has'} a time limit of the tool for a fence ${title}`, async () => {
      const { registry } = await testKernel({
        tools: [echoTool({ execution: http, ...tool })],
        providers: [{ provider: { name: 'shop' }, ...(provider === undefined ? {} : { rate_limit: provider }) }],
        plugins: [limitRate()],
      });
      const problems = registry.problems.map(formatProblem).join();
      if (isRefused) expect(problems).to.include('execution: needs timeout_ms, because rate_limit.fence');
      else expect(problems).to.equal('');
    });
  }

  it('is refused without the plugin, in a tool', async () => {
    const { registry } = await testKernel({ tools: [echoTool({ rate_limit: { concurrency: 1 } })] });
    expect(registry.problems.map(formatProblem).join()).to.include(
      'rate_limit: is declared, but no plugin of this configuration enforces it',
    );
    expect(registry.tools.has('echo')).to.equal(false);
  });

  it('is refused without the plugin, for the tools of a provider', async () => {
    const { registry } = await testKernel({
      tools: [echoTool({ provider: 'shop' }), echoTool({ name: 'free' })],
      providers: [{ provider: { name: 'shop' }, rate_limit: { concurrency: 1 } }],
    });
    expect(registry.problems.map(formatProblem).join()).to.include('rate_limit: is declared for the provider "shop", but no plugin');
    expect([...registry.tools.keys()]).to.deep.equal(['free']);
  });
});
