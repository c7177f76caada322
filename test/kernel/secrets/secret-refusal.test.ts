import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { aged } from './aged-chain.ts';
import type { Resolver } from './chain-kernel.ts';

const namesOf = ({ asked }: Resolver): unknown => asked.map(({ names }) => names);

describe('credentials that a service refused', () => {
  it('are asked of the stores themselves, those of the tool alone, and replaced where they differ', async () => {
    const { use, refused, values, store } = await aged();
    await use('both');
    values['A_TOKEN'] = 'a-token-new';
    expect(await refused('one')).to.deep.equal({ A_TOKEN: 'a-token-new' });
    expect(store.asked.at(-1)).to.deep.equal({ names: ['A_TOKEN'], isFresh: true });
    expect(await use('both')).to.deep.equal({ A_TOKEN: 'a-token-new', B_TOKEN: 'b-token-old' });
    expect(store.asked).to.have.lengthOf(3);
  });

  it('are not replaced by the same value', async () => {
    const { refused } = await aged();
    expect(await refused('one')).to.equal(undefined);
  });

  it('are asked for at most once in ten seconds, each name for itself', async () => {
    const { use, refused, store, advance } = await aged();
    await use('other');
    const refuse = async (tool: string, ms: number): Promise<void> => {
      advance(ms);
      expect(await refused(tool)).to.equal(undefined);
    };
    await refuse('one', 0);
    await refuse('one', 9_999);
    await refuse('other', 0);
    await refuse('both', 0);
    await refuse('one', 1);
    expect(namesOf(store)).to.deep.equal([['A_TOKEN'], ['B_TOKEN'], ['A_TOKEN'], ['B_TOKEN'], ['A_TOKEN']]);
  });

  it('are asked for once when 100 calls are refused at the same time', async () => {
    const { refused, values, store, hold, letGo } = await aged();
    values['A_TOKEN'] = 'a-token-new';
    hold();
    const renewed = Promise.all(Array.from({ length: 100 }, () => refused('one')));
    await setImmediate();
    await letGo();
    expect(await renewed).to.deep.equal(Array(100).fill({ A_TOKEN: 'a-token-new' }));
    expect(store.asked).to.have.lengthOf(2);
  });

  it('stay, with a warning, when the store cannot be asked', async () => {
    const { use, refused, breakDown, records } = await aged();
    breakDown();
    expect(await refused('one')).to.equal(undefined);
    expect(records.filter(({ level }) => level === 'warn')).to.deep.equal([
      { level: 'warn', message: 'credentials could not be renewed: The resolver "store" failed: no connection, says [secret A_TOKEN]' },
    ]);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-token-old' });
  });

  it('are missing from then on when the store no longer has them', async () => {
    const { use, refused, values } = await aged();
    delete values['A_TOKEN'];
    expect(await refused('one')).to.equal(undefined);
    await rejection(use('one'), 'MISSING_PARAMETER');
  });

  it('are never replaced, nor asked for, where they came with the call', async () => {
    const { use, refused, values, store } = await aged();
    await use('both');
    values['A_TOKEN'] = 'a-token-new';
    values['B_TOKEN'] = 'b-token-new';
    expect(await refused('both', { A_TOKEN: 'a-token-own' })).to.deep.equal({ A_TOKEN: 'a-token-own', B_TOKEN: 'b-token-new' });
    expect(await refused('one', { A_TOKEN: 'a-token-old' })).to.equal(undefined);
    expect(namesOf(store)).to.deep.equal([['A_TOKEN'], ['B_TOKEN'], ['B_TOKEN']]);
  });
});
