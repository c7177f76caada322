import { expect } from 'chai';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { stateStoreChecks } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';

describe('the store in memory', () => {
  for (const { title, run } of stateStoreChecks(async () => {
    const store = new MemoryStore(Date.now);
    return [store, store];
  }))
    it(title, run);

  it('forgets what is over its time without being asked for it, so that it fills with nothing', async () => {
    let now = 0;
    const store = new MemoryStore(() => now);
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 60; index++) await store.set(`${round} ${index}`, megabyte, { ttlMs: 10 });
      now += 10;
      for (let index = 0; index < 2000; index++) await store.increment('count', { windowMs: 1 });
    }
    expect(await store.list('')).to.deep.equal([]);
  });

  it('says that it is full, takes what replaces something, and again more when something was deleted', async () => {
    const store = new MemoryStore(Date.now);
    const value = 'x'.repeat(1024 * 1024);
    for (let index = 0; index < 63; index++) await store.set(`${index}`, value);
    expect((await rejection(store.set('more', value + value), 'STATE_UNAVAILABLE')).message)
      .to.include('full')
      .and.to.include('storeLibsql');
    await store.set('0', value);
    await store.delete('1');
    await store.delete('2');
    await store.set('more', value + value);
  });
});
