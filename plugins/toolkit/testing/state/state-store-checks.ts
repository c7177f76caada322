import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { StateStore } from '../../../../kernel/index.ts';

/** A behaviour that a store must have, for a test runner: `for (const { title, run } of stateStoreChecks(open)) it(title, run);` */
export interface StateStoreCheck {
  readonly title: string;
  /** Rejects with the problem. */
  readonly run: () => Promise<void>;
}

/** Opens an empty store twice, as two processes would; one that is not shared may be returned twice. Each is closed after its check. */
export type OpenStores = () => Promise<readonly [StateStore, StateStore]>;

type Check = (one: StateStore, other: StateStore) => Promise<void>;

const many = Array.from({ length: 50 }, (_, index) => index);

/** Time to live, in milliseconds: long enough for a test to begin, short enough to wait for. */
const shortTtlMs = 200;

const checks: Readonly<Record<string, Check>> = {
  'gives what was set, whoever asks': async (one, other) => {
    await one.set('a', 'text with "quotes", ünïcode 😀, \0 and\nlines');
    assert.equal(await other.get('a'), 'text with "quotes", ünïcode 😀, \0 and\nlines');
    await other.set('a', '');
    assert.equal(await one.get('a'), '');
  },
  'knows the members of its process that are at work': async (one) => {
    const [first, second] = [one.join(), one.join()];
    assert.notEqual(first.id, second.id);
    await first.enter();
    await first.enter();
    first.leave();
    assert.equal(await second.isDead(first.id), false);
    first.leave();
    assert.equal(await second.isDead(first.id), true);
  },
  'knows other processes until they end': async (one, other) => {
    if (!one.isShared) return;
    const [here, there] = [one.join(), other.join()];
    await there.enter();
    assert.equal(await here.isDead(there.id), false);
    await other.close();
    while (!(await here.isDead(there.id))) await setTimeout(50);
  },
  'gives nothing for a key that was not set': async (one) => {
    assert.equal(await one.get('a'), undefined);
    assert.equal(await one.delete('a'), false);
  },
  'knows keys byte by byte': async (one) => {
    const keys = ['a', 'A', 'a ', 'ä', 'a\u0308', 'a%', 'a_', "a'", 'a\\', 'k'.repeat(1024)];
    for (const key of keys) await one.set(key, key);
    for (const key of keys) assert.equal(await one.get(key), key);
  },
  'takes values of four megabytes': async (one, other) => {
    const value = 'é'.repeat(2 * 1024 * 1024);
    await one.set('a', value);
    assert.equal((await other.get('a')) === value, true);
  },
  'forgets what is deleted': async (one, other) => {
    await one.set('a', '1');
    assert.equal(await other.delete('a'), true);
    assert.equal(await one.get('a'), undefined);
    assert.equal(await one.delete('a'), false);
  },
  'forgets what is over its time, and keeps the rest': async (one, other) => {
    await one.set('short', '1', { ttlMs: shortTtlMs });
    await one.set('long', '2', { ttlMs: 3_600_000 });
    await one.set('renewed', '3', { ttlMs: shortTtlMs });
    await one.set('renewed', '3', { ttlMs: 3_600_000 });
    await one.set('kept', '4', { ttlMs: shortTtlMs });
    await one.set('kept', '4');
    await waitUntilGone(other, 'short');
    const remaining = await other.list('');
    assert.deepEqual(remaining.map(({ key }) => key).sort(), ['kept', 'long', 'renewed']);
    assert.equal(await one.compareAndSet('short', undefined, 'again'), true);
    assert.equal(await other.get('short'), 'again');
  },
  'compares and sets': async (one, other) => {
    assert.equal(await one.compareAndSet('a', 'x', '1'), false);
    assert.equal(await one.compareAndSet('a', undefined, '1'), true);
    assert.equal(await other.compareAndSet('a', undefined, '2'), false);
    assert.equal(await other.compareAndSet('a', '1', '2'), true);
    assert.equal(await one.compareAndSet('a', '1', '3'), false);
    assert.equal(await one.get('a'), '2');
    assert.equal(await one.compareAndSet('a', '2', undefined), true);
    assert.equal(await other.get('a'), undefined);
    assert.equal(await other.compareAndSet('a', undefined, undefined), true);
  },
  'lets one of many win who set a key first': async (one, other) => {
    const won = await Promise.all(many.map((index) => (index % 2 === 0 ? one : other).compareAndSet('a', undefined, `${index}`)));
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal(await one.get('a'), `${won.indexOf(true)}`);
  },
  'loses no step of many who each compare and set': async (one, other) => {
    const add = async (store: StateStore): Promise<void> => {
      for (;;) {
        const now = await store.get('a');
        if (await store.compareAndSet('a', now, `${Number(now ?? 0) + 1}`)) return;
      }
    };
    await Promise.all(many.map((index) => add(index % 2 === 0 ? one : other)));
    assert.equal(await one.get('a'), `${many.length}`);
  },
  'changes further keys in the same step, or none of them': async (one, other) => {
    await one.set('gone', '0');
    await one.set('there', '0');
    const also = [
      { key: 'set', value: 'ünïcode 😀' },
      { key: 'there', value: '1' },
      { key: 'empty', value: '' },
      { key: 'gone', value: undefined },
      { key: 'nowhere', value: undefined },
    ];
    assert.equal(await one.compareAndSet('a', 'x', '1', { also }), false);
    assert.deepEqual(await other.list(''), [
      { key: 'gone', value: '0' },
      { key: 'there', value: '0' },
    ]);
    const changed = ['', 'ünïcode 😀', '1'].map((value, index) => ({ key: ['empty', 'set', 'there'][index], value }));
    assert.equal(await one.compareAndSet('a', undefined, '1', { also }), true);
    assert.deepEqual(await other.list(''), [{ key: 'a', value: '1' }, ...changed]);
    await one.set('gone', '2');
    assert.equal(await other.compareAndSet('a', '1', '2', { also: also.slice(3) }), true);
    assert.deepEqual(await one.list(''), [{ key: 'a', value: '2' }, ...changed]);
    assert.equal(await one.compareAndSet('a', '2', undefined, { also: [{ key: 'set', value: undefined }] }), true);
    assert.deepEqual(await other.list(''), [changed[0], changed[2]]);
  },
  'lets one of many win with all that it changes': async (one, other) => {
    const storeOf = (index: number): StateStore => (index % 2 === 0 ? one : other);
    const won = await Promise.all(
      many.map((index) => storeOf(index).compareAndSet('a', undefined, '', { also: [{ key: 'by', value: `${index}` }] })),
    );
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal(await one.get('by'), `${won.indexOf(true)}`);
  },
  'gives time to what is changed in the same step, each its own': async (one, other) => {
    const also = [
      { key: 'short', value: '1', ttlMs: shortTtlMs },
      { key: 'long', value: '2', ttlMs: 3_600_000 },
      { key: 'kept', value: '3' },
    ];
    await one.compareAndSet('a', undefined, '0', { ttlMs: shortTtlMs, also });
    await waitUntilGone(other, 'short');
    await waitUntilGone(other, 'a');
    assert.deepEqual(
      (await other.list('')).map(({ key }) => key),
      ['kept', 'long'],
    );
  },
  'gives time to what compareAndSet sets': async (one, other) => {
    await one.compareAndSet('a', undefined, '1', { ttlMs: shortTtlMs });
    await waitUntilGone(other, 'a');
  },
  'counts within a window, and up to its limit': async (one, other) => {
    const first = await one.increment('a', { windowMs: 3_600_000 });
    assert.deepEqual([first.isCounted, first.count], [true, 1]);
    assert.ok(first.endsInMs > 3_500_000 && first.endsInMs <= 3_600_000);
    const second = await other.increment('a', { windowMs: 3_600_000, by: 4 });
    assert.deepEqual([second.isCounted, second.count], [true, 5]);
    const over = await one.increment('a', { windowMs: 3_600_000, by: 2, limit: 6 });
    assert.deepEqual([over.isCounted, over.count], [false, 5]);
    const last = await other.increment('a', { windowMs: 3_600_000, limit: 6 });
    assert.deepEqual([last.isCounted, last.count], [true, 6]);
    assert.equal(await one.get('a'), undefined);
    assert.deepEqual(await one.list(''), []);
    assert.equal(await one.delete('a'), true);
    assert.equal((await one.increment('a', { windowMs: 3_600_000 })).count, 1);
  },
  'counts what many count at once, and no more than the limit': async (one, other) => {
    const counts = await Promise.all(
      many.map((index) => (index % 2 === 0 ? one : other).increment('a', { windowMs: 3_600_000, limit: 30 })),
    );
    const counted = counts.filter(({ isCounted }) => isCounted).map(({ count }) => count);
    assert.deepEqual(
      counted.sort((a, b) => a - b),
      many.slice(0, 30).map((index) => index + 1),
    );
  },
  'begins a window anew when the last one has ended': async (one, other) => {
    await one.increment('a', { windowMs: shortTtlMs, by: 9 });
    await waitUntil(async () => (await other.increment('a', { windowMs: shortTtlMs, limit: 9 })).isCounted);
  },
  'lists by prefix, in order, and page by page': async (one, other) => {
    const keys = ['b/3', 'b/1', 'a/9', 'b/10', 'b/ä', 'b%', 'b', 'c'];
    for (const key of keys) await one.set(key, `of ${key}`);
    const all = ['b/1', 'b/10', 'b/3', 'b/ä'];
    assert.deepEqual(
      await other.list('b/'),
      all.map((key) => ({ key, value: `of ${key}` })),
    );
    const pages: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await other.list('b/', { limit: 3, ...(after === undefined ? {} : { after }) });
      pages.push(...page.map(({ key }) => key));
      if (page.length < 3) break;
      after = page.at(-1)?.key;
    }
    assert.deepEqual(pages, all);
    assert.equal((await one.list('')).length, keys.length);
    assert.deepEqual(await one.list('nothing'), []);
  },
  'tells who watches what is set and deleted below a prefix': async (one, other) => {
    const notified = new NotifiedKeys();
    const stop = await other.watch('a/', notified.add);
    await one.set('b', '0');
    await one.set('a/1', '1');
    await notified.until('a/1');
    await one.compareAndSet('a/2', undefined, '2');
    await notified.until('a/2');
    notified.keys.clear();
    await one.delete('a/1');
    await notified.until('a/1');
    assert.equal(notified.keys.has('b'), false);
    await one.compareAndSet('b', '0', '1', {
      also: [
        { key: 'a/2', value: undefined },
        { key: 'a/3', value: '3' },
      ],
    });
    await notified.until('a/3');
    await notified.until('a/2');
    await stop();
  },
  'tells who watches all keys, one plugin, one kind or one key': async (one, other) => {
    const prefixes = ['', 'plugin/', 'plugin/kind/', 'plugin/kind/key', 'plugin/ki'];
    const watchers = prefixes.map(() => new NotifiedKeys());
    const stops = await Promise.all(prefixes.map((prefix, index) => other.watch(prefix, watchers[index]?.add ?? (() => {}))));
    await one.set('plugin/kind/key', '1');
    for (const notified of watchers) await notified.until('plugin/kind/key');
    await one.set('plugin/other/key', '1');
    for (const notified of watchers.slice(0, 2)) await notified.until('plugin/other/key');
    assert.deepEqual(
      watchers.slice(2).map(({ keys }) => keys.size),
      [1, 1, 1],
    );
    for (const stop of stops) await stop();
  },
  'tells nobody any more who has stopped to watch, and goes on telling others': async (one, other) => {
    const [notified, stillNotified] = [new NotifiedKeys(), new NotifiedKeys()];
    const stop = await other.watch('a', notified.add);
    const stopStill = await other.watch('a', stillNotified.add);
    await stop();
    await one.set('a', '1');
    await stillNotified.until('a');
    assert.equal(notified.keys.size, 0);
    await stopStill();
  },
};

/** Returns the contract of a store as checks, each of which may be a test. */
export function stateStoreChecks(open: OpenStores): readonly StateStoreCheck[] {
  return Object.entries(checks).map(([title, check]) => ({
    title,
    run: async () => {
      const [one, other] = await open();
      try {
        await check(one, other);
      } finally {
        await Promise.all(one === other ? [one.close()] : [one.close(), other.close()]);
      }
    },
  }));
}

/** Keys that a watcher was notified of. */
class NotifiedKeys {
  readonly keys = new Set<string>();
  readonly #target = new EventTarget();

  readonly add = (key: string): void => {
    this.keys.add(key);
    this.#target.dispatchEvent(new Event('told'));
  };

  async until(key: string): Promise<void> {
    while (!this.keys.has(key)) await once(this.#target, 'told');
  }
}

async function waitUntilGone(store: StateStore, key: string): Promise<void> {
  await waitUntil(async () => (await store.get(key)) === undefined);
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(5);
}
