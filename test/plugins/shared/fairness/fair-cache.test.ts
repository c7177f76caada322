import { expect } from 'chai';
import sinon from 'sinon';
import { FairCache } from '../../../../plugins/shared/fairness/fair-cache.ts';

/** The keys among these that are still there. */
function kept(cache: FairCache<string>, ...keys: readonly string[]): readonly string[] {
  return [...cache.values()].filter((value) => keys.includes(value)).sort();
}

describe('what several tenants keep in one place', () => {
  it('gives way to a newcomer where its tenant has most, what was not used for longest first', () => {
    const cache = new FairCache<string>({ maxEntries: 4 });
    for (const key of ['a1', 'a2', 'a3']) cache.set('ada', key, key);
    cache.set('bob', 'b1', 'b1');
    expect(cache.get('a1')).to.equal('a1');
    cache.set('cyd', 'c1', 'c1');
    expect(kept(cache, 'a1', 'a2', 'a3', 'b1', 'c1')).to.deep.equal(['a1', 'a3', 'b1', 'c1']);
  });

  it('is never pushed out by a tenant who has as much or more', () => {
    const cache = new FairCache<string>({ maxEntries: 4 });
    for (const key of ['b1', 'b2']) cache.set('bob', key, key);
    for (let count = 0; count < 1000; count++) cache.set('ada', `a${count}`, `a${count}`);
    expect([...cache.values()].sort()).to.deep.equal(['a998', 'a999', 'b1', 'b2']);
  });

  it('counts by size where sizes are limited, and refuses what is too large alone', () => {
    const cache = new FairCache<string>({ maxSize: 100 });
    cache.set('ada', 'a1', 'a1', { size: 20 });
    cache.set('ada', 'a2', 'a2', { size: 20 });
    cache.set('bob', 'b1', 'b1', { size: 60 });
    cache.set('cyd', 'c1', 'c1', { size: 30 });
    expect([...cache.values()].sort()).to.deep.equal(['a1', 'a2', 'c1']);
    expect(cache.set('cyd', 'c2', 'c2', { size: 101 })).to.equal(false);
    expect([...cache.values()].sort()).to.deep.equal(['a1', 'a2', 'c1']);
  });

  it('belongs to whoever set it last, and is counted once', () => {
    const cache = new FairCache<string>({ maxEntries: 2 });
    for (const tenant of ['ada', 'bob', 'ada']) cache.set(tenant, 'same', 'same');
    cache.set('bob', 'b1', 'b1');
    expect([...cache.values()].sort()).to.deep.equal(['b1', 'same']);
    cache.clear();
    expect(cache.get('same')).to.equal(undefined);
  });

  it('is there for its time', () => {
    const clock = sinon.useFakeTimers({ toFake: ['Date'] });
    try {
      const cache = new FairCache<string>({});
      cache.set('ada', 'short', 'short', { ttlMs: 100 });
      cache.set('ada', 'long', 'long', { ttlMs: 200 });
      clock.tick(100);
      expect(cache.get('short')).to.equal('short');
      clock.tick(1);
      expect(cache.get('short')).to.equal(undefined);
      clock.tick(100);
      cache.purge();
      expect([...cache.values()]).to.deep.equal([]);
    } finally {
      clock.restore();
    }
  });
});
