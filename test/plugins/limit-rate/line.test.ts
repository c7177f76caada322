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
    const { call, tick } = await limited({ tools: [{ rate_limit: { requests: 2, per_ms: 1000 } }], maxQueued: 5 });
    const calls = Array.from({ length: 7 }, (_, index) => call(String(index)));
    const error = await rejection(call('x'), 'RATE_LIMITED');
    expect(error.message).to.equal(
      '"get" was not run: the rate limit of the tool "get" is reached, and 5 calls wait already. Call again later, or less often.',
    );
    expect(error.details).to.include({ retryAfterMs: 3000, tool: 'get' });
    expect(error.retryable).to.equal(true);
    await tick(3000, 1000);
    await Promise.all(calls);
    await call('y');
  });

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

  it('is 1000 calls at most, unless the options say so', async () => {
    const { call, kernel, tick } = await limited({ tools: [{ rate_limit: { requests: 1, per_ms: 100_000 } }] });
    const waiting = Array.from({ length: 1001 }, (_, index) => call(String(index)).catch((error: ToolkitError) => error.code));
    await rejection(call('x'), 'RATE_LIMITED');
    await kernel.close();
    expect(new Set((await Promise.all(waiting)).slice(1))).to.deep.equal(new Set(['ABORTED']));
    await tick(0);
  });
});
