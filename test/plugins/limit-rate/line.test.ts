import { expect } from 'chai';
import type { ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { gate } from '../mcp/support/client.ts';
import { limited } from './limited.ts';

const one = { concurrency: 1 };

describe('limit-rate: a call that waits', () => {
  it('ends by its own time limit', async () => {
    const { call, labels, tick } = await limited({ tools: [{ rate_limit: { requests: 1, per_ms: 5000 }, timeout_ms: 1000 }] });
    await call('a');
    const late = rejection(call('b'), 'TIMEOUT');
    await tick(1000);
    expect((await late).message).to.include('did not end within 1000 ms');
    await tick(10_000);
    expect(labels()).to.deep.equal(['a']);
  });

  for (const limit of [{ requests: 1, per_ms: 100 }, { concurrency: 1 }, { requests: 1, per_ms: 100, concurrency: 1 }]) {
    it(`leaves the line at once when it is cancelled, and uses nothing up, with ${JSON.stringify(limit)}`, async () => {
      const doors = { own: gate(), joint: gate() };
      const { call, starts, tick } = await limited({
        tools: [
          { name: 'own', rate_limit: limit },
          { name: 'joint', provider: 'shop', rate_limit: { requests: 9, per_ms: 100 } },
        ],
        providers: { shop: limit },
        maxQueued: 1,
        run: (label) => doors[label as 'own']?.opened.then(() => null) ?? null,
      });
      for (const tool of ['own', 'joint'] as const) {
        starts.length = 0;
        const first = call(tool, tool);
        await tick(0);
        const cancelled = new AbortController();
        const second = rejection(call('b', tool, { signal: cancelled.signal }), 'ABORTED');
        await tick(0);
        cancelled.abort();
        // The only place in the line is free again, in the same turn.
        const third = call('c', tool);
        await second;
        doors[tool].open();
        await tick(100);
        await Promise.all([first, third]);
        expect(
          starts.map(({ label }) => label),
          tool,
        ).to.deep.equal([tool, 'c']);
        await tick(100);
      }
    });
  }

  it('is refused when as many as may wait do so already, and is told when to come again', async () => {
    const { call, kernel, tick } = await limited({ tools: [{ rate_limit: { requests: 2, per_ms: 1000 } }], maxQueued: 6 });
    const calls = ['ada', 'ada', 'ada', 'ada', 'ada', 'bob', 'bob', 'bob'].map((caller, index) => call(String(index), 'get', { caller }));
    const error = await rejection(call('x', 'get', { caller: 'cyd' }), 'RATE_LIMITED');
    expect(error.message).to.equal(
      '"get" was not run: the rate limit of the tool "get" is reached, and 6 calls wait already. Call again later, or less often.',
    );
    expect(error.details).to.include({ retryAfterMs: 4000, tool: 'get' });
    expect(error.retryable).to.equal(true);
    expect(kernel.status()).to.deep.include({ queues: { 'the tool "get"': { starts: { taken: 2, waiting: { ada: 3, bob: 3 } } } } });
    await tick(4000, 1000);
    await Promise.all(calls);
    await call('y');
  });

  it('is refused when its tenant has half of the places, while others still get one', async () => {
    const { call, tick } = await limited({ tools: [{ rate_limit: { requests: 2, per_ms: 1000 } }], maxQueued: 5 });
    const calls = Array.from({ length: 5 }, (_, index) => call(String(index), 'get', { caller: 'ada', tenant: 'session 1' }));
    const error = await rejection(call('x', 'get', { caller: 'ada', tenant: 'session 1' }), 'RATE_LIMITED');
    expect(error.message).to.include('and 3 calls of this caller wait already. Call again later');
    expect(error.retryable).to.equal(true);
    const other = call('other', 'get', { caller: 'ada', tenant: 'session 2' });
    await tick(3000, 1000);
    await Promise.all([...calls, other]);
  });

  for (const limit of [{ requests: 1, per_ms: 100 }, { concurrency: 1 }, { requests: 1, per_ms: 100, concurrency: 1 }]) {
    it(`has its turn after one call of each other tenant, however many of theirs wait, with ${JSON.stringify(limit)}`, async () => {
      const door = gate();
      const { call, labels, tick } = await limited({ tools: [{ rate_limit: limit }], run: () => door.opened.then(() => null) });
      const of = (caller: string, count: number): Promise<unknown>[] =>
        Array.from({ length: count }, (_, index) => call(`${caller} ${index}`, 'get', { caller }));
      const calls = [...of('ada', 400), ...of('bob', 2), ...of('cyd', 1)];
      await tick(0);
      door.open();
      await tick(600, 50);
      expect(labels().slice(0, 6)).to.deep.equal(['ada 0', 'bob 0', 'cyd 0', 'ada 1', 'bob 1', 'ada 2']);
      await tick(40_000, 100);
      await Promise.all(calls);
      expect(labels().filter((label) => label.startsWith('ada'))).to.deep.equal(Array.from({ length: 400 }, (_, index) => `ada ${index}`));
    });
  }

  it('is refused by the limit of the provider, which is named', async () => {
    const door = gate();
    const { call, tick } = await limited({
      tools: [{ provider: 'shop' }],
      providers: { shop: one },
      maxQueued: 0,
      run: () => door.opened.then(() => null),
    });
    const first = call('a');
    await tick(0);
    const error = await rejection(call('b'), 'RATE_LIMITED');
    expect(error.message).to.include('the rate limit of the provider "shop" is reached, and none may wait');
    expect(error.details.retryAfterMs).to.equal(1000);
    door.open();
    await first;
    await call('c');
  });

  it('does not count those who pass without waiting: a burst within the limits goes through where none may wait', async () => {
    const { call, labels } = await limited({
      tools: [{ provider: 'shop', rate_limit: { requests: 50, per_ms: 1000, concurrency: 50 } }],
      providers: { shop: { requests: 50, per_ms: 1000, concurrency: 50 } },
      maxQueued: 0,
    });
    await Promise.all(Array.from({ length: 50 }, (_, index) => call(String(index))));
    expect(labels()).to.have.lengthOf(50);
  });

  it('is one of 1000 at most, of which 500 are those of one tenant, unless the options say so', async () => {
    const { call, kernel, tick } = await limited({ tools: [{ rate_limit: { requests: 1, per_ms: 100_000 } }] });
    const of = (caller: string, count: number): Promise<unknown>[] =>
      Array.from({ length: count }, (_, index) => call(String(index), 'get', { caller }).catch((error: ToolkitError) => error.code));
    const waiting = [...of('ada', 501), ...of('bob', 500)];
    await rejection(call('x', 'get', { caller: 'ada' }), 'RATE_LIMITED');
    await rejection(call('x', 'get', { caller: 'cyd' }), 'RATE_LIMITED');
    await kernel.close();
    expect(new Set((await Promise.all(waiting)).slice(1))).to.deep.equal(new Set(['ABORTED']));
    await tick(0);
  });
});
