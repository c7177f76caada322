import path from 'node:path';
import { expect } from 'chai';
import type { StateStore } from '../../../kernel/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { FileLock } from '../../support/file-lock.ts';
import { rejection } from '../../support/rejection.ts';
import { storeInFile } from '../../support/shared-state.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

describe('the store in a file that another process has locked', () => {
  let state: StateStore;
  let lock: FileLock;
  beforeEach(async () => {
    const file = path.join(await temporaryFolder(), 'state.db');
    state = storeInFile(file);
    await state.set('a', '1');
    lock = await FileLock.open(file);
    opened.push(state, lock);
  });

  it('is read at once, also beside what waits to write', async () => {
    const isFree = await lock.hold(1000);
    const order: string[] = [];
    const writes = Promise.all([
      state.set('a', '2').then(() => order.push('first written')),
      state.compareAndSet('b', undefined, '3').then(() => order.push('then written')),
    ]);
    expect(await state.get('a')).to.equal('1');
    expect(await state.list('')).to.have.length(1);
    order.push('read');
    await Promise.all([writes, isFree()]);
    expect(order).to.deep.equal(['read', 'first written', 'then written']);
    expect([await state.get('a'), await state.get('b')]).to.deep.equal(['2', '3']);
  });

  it('tells of a change that had to wait', async () => {
    const told: string[] = [];
    await state.watch('', (key) => told.push(key));
    const isFree = await lock.hold(300);
    await state.set('b', '1');
    await isFree();
    await state.set('c', '1');
    expect(told).to.include('b');
  });

  it('refuses a write after five seconds, with the reason, and takes the next one', async () => {
    const isFree = await lock.hold(5500);
    const error = await rejection(state.set('a', '2'), 'STATE_UNAVAILABLE');
    expect(error.message).to.include('another process has kept it locked for 5 seconds');
    expect(error.retryable).to.equal(true);
    await isFree();
    expect(await state.get('a')).to.equal('1');
    await state.set('a', '3');
    expect(await state.get('a')).to.equal('3');
  });
});
