import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { rejection } from '../support/rejection.ts';
import { type ChainKernel, chainKernel, type Resolver, resolver } from './chain-kernel.ts';

const ttlMs = 60_000;

/** A store whose answers wait until it is let go, a clock, and a kernel that has taken the first value of A_TOKEN. */
interface Aged extends ChainKernel {
  readonly values: Record<string, string>;
  readonly store: Resolver;
  advance(ms: number): void;
  /** The store waits with its answers from now on. */
  hold(): void;
  /** It answers, and what follows from that has happened. */
  letGo(): Promise<void>;
  /** From now on it fails. */
  breakDown(): void;
}

async function aged(more: Partial<Record<string, string>> = {}, lifetimeMs: number | undefined = ttlMs): Promise<Aged> {
  let now = 1_000_000;
  let open: () => void = () => {};
  let held: Promise<void> | undefined;
  let isDown = false;
  const values = { A_TOKEN: 'a-old', B_TOKEN: 'b-old', ...more } as Record<string, string>;
  const answer = async (): Promise<void> => {
    await held;
    if (isDown) throw new Error(`no connection, says ${values['A_TOKEN']}`);
  };
  const store = resolver(values, { name: 'store', answer, ...(lifetimeMs === undefined ? {} : { ttlMs: lifetimeMs }) });
  const chain = await chainKernel([store], { one: '{A_TOKEN}', other: '{B_TOKEN}', both: '{A_TOKEN} {B_TOKEN}' }, () => now);
  expect(await chain.use('one')).to.deep.equal({ A_TOKEN: 'a-old' });
  return {
    ...chain,
    values,
    store,
    advance: (ms) => {
      now += ms;
    },
    hold: () => {
      held = new Promise((resolve) => {
        open = resolve;
      });
    },
    letGo: async () => {
      open();
      await setImmediate();
    },
    breakDown: () => {
      isDown = true;
    },
  };
}

const namesOf = ({ asked }: Resolver): unknown => asked.map(({ names }) => names);

describe('a secret past its time to live', () => {
  it('is used while it is being renewed, in one flight, and not afterwards', async () => {
    const { use, values, store, advance, hold, letGo, kernel } = await aged();
    values['A_TOKEN'] = 'a-new';
    advance(ttlMs - 1);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-old' });
    expect(store.asked).to.have.lengthOf(1);
    advance(1);
    hold();
    const used = await Promise.all(Array.from({ length: 100 }, () => use('one')));
    expect(used).to.deep.equal(Array(100).fill({ A_TOKEN: 'a-old' }));
    expect(kernel.secret('A_TOKEN')?.name).to.equal('A_TOKEN');
    expect(store.asked.slice(1)).to.deep.equal([{ names: ['A_TOKEN'], isFresh: false }]);
    await letGo();
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-new' });
    expect(store.asked).to.have.lengthOf(2);
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
    const { use, store, advance } = await aged({}, Number.POSITIVE_INFINITY);
    advance(1e15);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-old' });
    await setImmediate();
    expect(store.asked).to.have.lengthOf(1);
  });

  it('that cannot be renewed is a warning, and the next call asks, waits and fails', async () => {
    const { use, store, advance, breakDown, records } = await aged();
    breakDown();
    advance(ttlMs);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-old' });
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
    expect(error.message).to.include('The resolver "store" failed').and.to.include('[secret A_TOKEN]').and.not.include('a-old');
    expect(store.asked).to.have.lengthOf(3);
  });

  it('that the store no longer has is missing from then on', async () => {
    const { use, values, advance, kernel } = await aged();
    delete values['A_TOKEN'];
    advance(ttlMs);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-old' });
    await setImmediate();
    await rejection(use('one'), 'MISSING_PARAMETER');
    expect([kernel.secret('A_TOKEN'), kernel.resolverOf('A_TOKEN')]).to.deep.equal([undefined, undefined]);
    values['A_TOKEN'] = 'a-back';
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-back' });
  });

  it('stays masked after it was replaced', async () => {
    const { use, values, advance, kernel } = await aged();
    values['A_TOKEN'] = 'a-new';
    advance(ttlMs);
    await use('one');
    await setImmediate();
    expect(kernel.mask('a-old and a-new')).to.equal('[secret A_TOKEN] and [secret A_TOKEN]');
  });
});

describe('credentials that a service refused', () => {
  it('are asked of the stores themselves, those of the tool alone, and replaced where they differ', async () => {
    const { use, refused, values, store } = await aged();
    await use('both');
    values['A_TOKEN'] = 'a-new';
    expect(await refused('one')).to.deep.equal({ A_TOKEN: 'a-new' });
    expect(store.asked.at(-1)).to.deep.equal({ names: ['A_TOKEN'], isFresh: true });
    expect(await use('both')).to.deep.equal({ A_TOKEN: 'a-new', B_TOKEN: 'b-old' });
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
    values['A_TOKEN'] = 'a-new';
    hold();
    const renewed = Promise.all(Array.from({ length: 100 }, () => refused('one')));
    await setImmediate();
    await letGo();
    expect(await renewed).to.deep.equal(Array(100).fill({ A_TOKEN: 'a-new' }));
    expect(store.asked).to.have.lengthOf(2);
  });

  it('stay, with a warning, when the store cannot be asked', async () => {
    const { use, refused, breakDown, records } = await aged();
    breakDown();
    expect(await refused('one')).to.equal(undefined);
    expect(records.filter(({ level }) => level === 'warn')).to.deep.equal([
      { level: 'warn', message: 'credentials could not be renewed: The resolver "store" failed: no connection, says [secret A_TOKEN]' },
    ]);
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a-old' });
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
    values['A_TOKEN'] = 'a-new';
    values['B_TOKEN'] = 'b-new';
    expect(await refused('both', { A_TOKEN: 'a-own' })).to.deep.equal({ A_TOKEN: 'a-own', B_TOKEN: 'b-new' });
    expect(await refused('one', { A_TOKEN: 'a-old' })).to.equal(undefined);
    expect(namesOf(store)).to.deep.equal([['A_TOKEN'], ['B_TOKEN'], ['B_TOKEN']]);
  });
});
