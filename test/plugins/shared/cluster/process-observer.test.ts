import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { type ObservedProcess, ProcessObserver } from '../../../../plugins/shared/cluster/process-observer.ts';

describe('the observer of processes', () => {
  let now: number;
  let found: readonly ObservedProcess[] | undefined;
  let observer: ProcessObserver;
  let deleted: string[];
  beforeEach(() => {
    now = 0;
    found = [{ id: 'a', key: '1', held: true }];
    deleted = [];
    observer = new ProcessObserver(
      async () => found ?? Promise.reject(new Error('away')),
      async ({ id, key }) => void deleted.push(`${id} ${key}`),
      () => now,
    );
  });
  const observeFor = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      now += 1000;
      await observer.isDead('a').catch(() => {});
    }
  };

  it('asks before it answers, and rejects when the database is away', async () => {
    expect(await observer.isDead('a')).to.equal(false);
    now += 1000;
    found = undefined;
    expect(String(await observer.isDead('a').catch((error: unknown) => error))).to.include('away');
  });

  it('looks again for a process that has begun since it looked', async () => {
    expect(await observer.isDead('b')).to.equal(true);
    found = [...(found ?? []), { id: 'b', key: '2', held: true }];
    expect(await observer.isDead('b')).to.equal(false);
  });

  it('takes a free lock as death after eight seconds, and not before', async () => {
    await observeFor(3);
    found = [{ id: 'a', key: '1', held: false }];
    await observeFor(8);
    expect(await observer.isDead('a')).to.equal(false);
    await observeFor(1);
    expect(await observer.isDead('a')).to.equal(true);
    expect(deleted).to.deep.equal(['a 1']);
  });

  it('goes on by itself while a lock is free, also when it is asked seldom', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await observeFor(1);
      found = [{ id: 'a', key: '1', held: false }];
      await observeFor(1);
      for (let second = 0; second < 8; second++) {
        now += 1000;
        clock.tick(1000);
        await setImmediate();
      }
      expect(deleted).to.deep.equal(['a 1']);
      found = [];
      now += 1000;
      clock.tick(1000);
      await setImmediate();
      expect(clock.countTimers()).to.equal(0);
    } finally {
      clock.restore();
    }
  });

  it('takes an orderly end as one at once', async () => {
    await observeFor(1);
    found = [];
    await observeFor(1);
    expect(await observer.isDead('a')).to.equal(true);
  });

  it('does not count the time in which the database is away', async () => {
    found = [{ id: 'a', key: '1', held: false }];
    await observeFor(2);
    const free = found;
    found = undefined;
    await observeFor(30);
    found = free;
    await observeFor(7);
    expect(await observer.isDead('a')).to.equal(false);
    await observeFor(2);
    expect(await observer.isDead('a')).to.equal(true);
  });

  it('does not count the time in which it stood still itself', async () => {
    found = [{ id: 'a', key: '1', held: false }];
    await observeFor(2);
    now += 60_000;
    expect(await observer.isDead('a')).to.equal(false);
  });

  for (const [title, between] of [
    ['the same lock is held again', { id: 'a', key: '1', held: true }],
    ['a new connection has another lock', { id: 'a', key: '2', held: false }],
  ] as const)
    it(`begins anew when ${title}`, async () => {
      found = [{ id: 'a', key: '1', held: false }];
      await observeFor(8);
      found = [between];
      await observeFor(1);
      found = [{ ...between, held: false }];
      await observeFor(7);
      expect(await observer.isDead('a')).to.equal(false);
      await observeFor(2);
      expect(await observer.isDead('a')).to.equal(true);
    });
});
