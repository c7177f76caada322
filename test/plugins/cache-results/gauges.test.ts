import { expect } from 'chai';
import { gaugeOf, rowsOf } from '../../support/gauges.ts';
import { rejection } from '../../support/rejection.ts';
import { gate } from '../mcp/support/client.ts';
import { type Cached, cached, settle } from './cached.ts';

/** Returns the reads during some work. */
async function readsOf({ kernel }: Cached, work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const before = await rowsOf(kernel, 'cache.reads');
  await work();
  const after = Object.entries(await rowsOf(kernel, 'cache.reads'));
  return Object.fromEntries(after.map(([outcome, count]) => [outcome, count - (before[outcome] ?? 0)]).filter(([, count]) => count !== 0));
}

describe('the gauge of reads of the cache', () => {
  it('counts calls that ran, and calls with a cached result, until its time is over', async () => {
    const it = await cached();
    expect(await readsOf(it, async () => [await it.call(), await it.call(), await it.call({ a: 1 })])).to.deep.equal({ hit: 1, miss: 2 });
    it.clock.tick(1001);
    expect(await readsOf(it, it.call)).to.deep.equal({ miss: 1 });
    expect(gaugeOf(it.kernel, 'cache.reads')).to.include({ kind: 'counter', unit: '{read}' });
  });

  it('counts a call that got the result of a running one as a hit', async () => {
    const door = gate<string>();
    const it = await cached({ run: () => door.opened });
    const work = async (): Promise<void> => {
      const calls = [it.call(), it.call(), it.call()];
      await settle();
      door.open('once');
      await Promise.all(calls);
    };
    expect(await readsOf(it, work)).to.deep.equal({ hit: 2, miss: 1 });
  });

  it('counts each run of a call that fails', async () => {
    const run = (): never => {
      throw new Error('broken');
    };
    const it = await cached({ run });
    expect(
      await readsOf(it, async () => [await rejection(it.call(), 'EXECUTION_FAILED'), await rejection(it.call(), 'EXECUTION_FAILED')]),
    ).to.deep.equal({ miss: 2 });
  });

  it('counts none for a tool without a cache', async () => {
    const it = await cached({ definition: { cache: undefined } });
    expect(await readsOf(it, it.call)).to.deep.equal({});
  });
});
