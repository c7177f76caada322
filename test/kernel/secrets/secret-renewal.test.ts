import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { aged, ttlMs } from './aged-chain.ts';
import type { Resolver } from './chain-kernel.ts';

const namesOf = ({ asked }: Resolver): unknown => asked.map(({ names }) => names);

describe('a secret past its time to live', () => {
  it('is used while it is being renewed, in one flight, and not afterwards', async () => {
    const { use, values, store, advance, hold, letGo, kernel } = await aged();
    values['A_TOKEN'] = 'a-token-new';
    advance(ttlMs - 1);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-old' });
    expect(store.asked).to.have.lengthOf(1);
    advance(1);
    hold();
    const used = await Promise.all(Array.from({ length: 100 }, () => use('one')));
    expect(used).to.deep.equal(Array(100).fill({ A_TOKEN: 'a-token-old' }));
    // A call that comes while the store is being asked does not wait for it either.
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-old' });
    expect(kernel.secret('A_TOKEN')?.name).to.equal('A_TOKEN');
    expect(store.asked.slice(1)).to.deep.equal([{ names: ['A_TOKEN'], isFresh: false }]);
    await letGo();
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-new' });
    expect(store.asked).to.have.lengthOf(2);
  });

  it('is as old as its value, however often the same one is provided again', async () => {
    const { use, values, advance, kernel } = await aged();
    const since = (): number => kernel.secret('A_TOKEN')?.since ?? Number.NaN;
    const first = since();
    for (const value of [values['A_TOKEN'], 'a-token-new'] as const) {
      values['A_TOKEN'] = value as string;
      advance(ttlMs);
      await use('one');
      await setImmediate();
      await use('one');
      expect(since() - first).to.equal(value === 'a-token-new' ? 2 * ttlMs : 0);
    }
  });

  it('is renewed again when the new value is past its time', async () => {
    const { use, values, advance, store } = await aged();
    for (const value of ['a-2', 'a-3', 'a-4']) {
      values['A_TOKEN'] = value;
      advance(ttlMs);
      await use('one');
      await setImmediate();
      expect(await use('one')).to.deep.equal({ A_TOKEN: value });
    }
    expect(store.asked).to.have.lengthOf(4);
  });

  it('is renewed together with the others past theirs, and without those that are not', async () => {
    const { use, store, advance } = await aged();
    advance(ttlMs / 2);
    await use('other');
    advance(ttlMs / 2);
    await use('other');
    await setImmediate();
    advance(ttlMs);
    await use('other');
    await setImmediate();
    expect(namesOf(store)).to.deep.equal([['A_TOKEN'], ['B_TOKEN'], ['A_TOKEN'], ['A_TOKEN', 'B_TOKEN']]);
  });

  it('is never renewed when its resolver gave no time', async () => {
    const { use, store, advance } = await aged('none');
    advance(1e15);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-old' });
    await setImmediate();
    expect(store.asked).to.have.lengthOf(1);
  });

  it('that cannot be renewed is a warning, and the next call asks, waits and fails', async () => {
    const { use, store, advance, breakDown, records } = await aged();
    breakDown();
    advance(ttlMs);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-old' });
    await setImmediate();
    const warnings = records.filter(({ level }) => level === 'warn');
    expect(warnings).to.deep.equal([
      {
        level: 'warn',
        message: 'secrets could not be renewed: The resolver "store" failed: no connection, says [secret A_TOKEN]',
        meta: { names: ['A_TOKEN'] },
      },
    ]);
    const error = await rejection(use('one'), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('The resolver "store" failed').and.to.include('[secret A_TOKEN]').and.not.include('a-token-old');
    expect(store.asked).to.have.lengthOf(3);
  });

  it('that the store no longer has is missing from then on', async () => {
    const { use, values, advance, kernel } = await aged();
    delete values['A_TOKEN'];
    advance(ttlMs);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-old' });
    await setImmediate();
    await rejection(use('one'), 'MISSING_PARAMETER');
    expect([kernel.secret('A_TOKEN'), kernel.resolverOf('A_TOKEN')]).to.deep.equal([undefined, undefined]);
    values['A_TOKEN'] = 'a-token-back';
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-back' });
  });

  it('stays masked after it was replaced', async () => {
    const { use, values, advance, kernel } = await aged();
    values['A_TOKEN'] = 'a-token-new';
    advance(ttlMs);
    await use('one');
    await setImmediate();
    expect(kernel.mask('a-token-old and a-token-new')).to.equal('[secret A_TOKEN] and [secret A_TOKEN]');
  });
});
