import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { chainKernel, type Resolver, resolver } from './chain-kernel.ts';

const namesOf = ({ asked }: Resolver): unknown => asked.map(({ names }) => names);

describe('the secret chain', () => {
  it('takes a name from the first resolver that has it, asks each only for what is missing, and knows who gave what', async () => {
    const first = resolver({ A_TOKEN: 'a-of-first' }, { name: 'first' });
    const second = resolver({ A_TOKEN: 'a-of-second', B_TOKEN: 'b-of-second' }, { name: 'second' });
    const third = resolver({ A_TOKEN: 'a-of-third', B_TOKEN: 'b-of-third' }, { name: 'third' });
    const { kernel, use } = await chainKernel([first, second, third], { both: '{A_TOKEN} {B_TOKEN}' });
    expect(kernel.resolverOf('A_TOKEN')).to.equal(undefined);
    expect(await use('both')).to.deep.equal({ A_TOKEN: 'a-of-first', B_TOKEN: 'b-of-second' });
    expect([first, second, third].map(namesOf)).to.deep.equal([[['A_TOKEN', 'B_TOKEN']], [['B_TOKEN']], [[]]]);
    expect(['A_TOKEN', 'B_TOKEN', 'C_TOKEN'].map((name) => kernel.resolverOf(name))).to.deep.equal(['first', 'second', undefined]);
  });

  it('asks for declared credentials under their mapped names, and for nothing else', async () => {
    const store = resolver({ A_TOKEN: 'a', SHOP_ACCOUNT: 'account-7', account: 'wrong', page: 'wrong', refused: 'wrong' });
    const { use } = await chainKernel([store], { list: '{A_TOKEN} {account} {page}' });
    expect(await use('list')).to.deep.equal({ A_TOKEN: 'a', account: 'account-7' });
    expect(namesOf(store)).to.deep.equal([['A_TOKEN', 'SHOP_ACCOUNT']]);
  });

  it('keeps nothing that it did not ask for', async () => {
    const store = resolver({ A_TOKEN: 'a' }, { answer: (sink) => sink.provide('OTHER_TOKEN', 'other') });
    const { kernel, use } = await chainKernel([store], { one: '{A_TOKEN}' });
    await use('one');
    expect([kernel.secret('OTHER_TOKEN'), kernel.resolverOf('OTHER_TOKEN')]).to.deep.equal([undefined, undefined]);
    expect(kernel.mask('other')).to.equal('other');
  });

  it('says once, by name, which secrets are too short to be masked', async () => {
    const store = resolver({ A_TOKEN: 'xyz', B_TOKEN: 'long-enough' }, { ttlMs: 10 });
    let now = 0;
    const { kernel, records, use } = await chainKernel([store], { both: '{A_TOKEN} {B_TOKEN}' }, () => now);
    await kernel.resolveSecrets();
    now = 20;
    await use('both');
    await use('both');
    expect(store.asked.length).to.be.above(1);
    expect(records.filter(({ level }) => level === 'warn')).to.deep.equal([
      {
        level: 'warn',
        message:
          'the value of secret A_TOKEN has fewer than 4 characters and is masked nowhere: outputs, logs and records show it. Give it a longer value.',
        meta: { name: 'A_TOKEN' },
      },
    ]);
  });

  it('keeps the first of two values of one resolver', async () => {
    const store = resolver({ A_TOKEN: 'later' }, { answer: (sink) => sink.provide('A_TOKEN', 'earlier') });
    const { use } = await chainKernel([store], { one: '{A_TOKEN}' });
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'earlier' });
  });

  it('asks once, and later only for what it has not', async () => {
    const store = resolver({ A_TOKEN: 'a', B_TOKEN: 'b' });
    const { use } = await chainKernel([store], { one: '{A_TOKEN}', both: '{A_TOKEN} {B_TOKEN}' });
    for (const tool of ['one', 'one', 'both', 'both', 'one']) await use(tool);
    expect(namesOf(store)).to.deep.equal([['A_TOKEN'], ['B_TOKEN']]);
  });

  it('asks once for 100 calls at the same time', async () => {
    const store = resolver({ A_TOKEN: 'a', B_TOKEN: 'b' }, { answer: () => setImmediate() });
    const { use } = await chainKernel([store], { both: '{A_TOKEN} {B_TOKEN}' });
    const used = await Promise.all(Array.from({ length: 100 }, () => use('both')));
    expect(new Set(used.map((values) => JSON.stringify(values)))).to.deep.equal(new Set(['{"A_TOKEN":"a","B_TOKEN":"b"}']));
    expect(store.asked).to.have.lengthOf(1);
  });

  it('takes an empty value for none, and asks the next resolver', async () => {
    const empty = resolver({ A_TOKEN: '', B_TOKEN: '' }, { name: 'empty' });
    const full = resolver({ A_TOKEN: 'a' }, { name: 'full' });
    const { kernel, use } = await chainKernel([empty, full], { one: '{A_TOKEN}', other: '{B_TOKEN}' });
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a' });
    expect(kernel.resolverOf('A_TOKEN')).to.equal('full');
    const error = await rejection(use('other'), 'MISSING_PARAMETER');
    expect(error.message).to.match(/^Missing required parameter: B_TOKEN\b/);
  });

  it('asks again for a name that nobody had', async () => {
    const values: Record<string, string> = {};
    const { use } = await chainKernel([resolver(values)], { one: '{A_TOKEN}' });
    await rejection(use('one'), 'MISSING_PARAMETER');
    values['A_TOKEN'] = 'a';
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a' });
  });

  it('stops at a resolver that fails, names it, and goes on there with the next call', async () => {
    let isDown = true;
    const first = resolver({ A_TOKEN: 'a-token-value' }, { name: 'first' });
    const broken = resolver(
      { B_TOKEN: 'b-token-value' },
      {
        name: 'broken',
        answer: () => {
          if (isDown) throw new Error('the store is down, says a-token-value');
        },
      },
    );
    const last = resolver({ B_TOKEN: 'b-of-last' }, { name: 'last' });
    const { use } = await chainKernel([first, broken, last], { both: '{A_TOKEN} {B_TOKEN}' });
    const error = await rejection(use('both'), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.equal('The resolver "broken" failed: the store is down, says [secret A_TOKEN]');
    expect(error.details).to.include({ plugin: 'broken', hook: 'resolveSecrets', tool: 'both' });
    expect(error.retryable).to.equal(true);
    expect(last.asked).to.deep.equal([]);
    isDown = false;
    expect(await use('both')).to.deep.equal({ A_TOKEN: 'a-token-value', B_TOKEN: 'b-token-value' });
    expect(namesOf(first)).to.deep.equal([['A_TOKEN', 'B_TOKEN'], ['B_TOKEN']]);
  });

  it('fails every call of a batch that fails, and serves those that need nothing of it', async () => {
    const store = resolver(
      { A_TOKEN: 'a' },
      {
        answer: ({ missing }) => {
          if (missing.includes('B_TOKEN')) throw new Error('down');
        },
      },
    );
    const { use } = await chainKernel([store], { one: '{A_TOKEN}', other: '{B_TOKEN}' });
    await use('one');
    const failing = Array.from({ length: 10 }, () => rejection(use('other'), 'SECRET_STORE_UNAVAILABLE'));
    expect(await use('one')).to.deep.equal({ A_TOKEN: 'a' });
    await Promise.all(failing);
  });

  it('says what it found in the debug log, by name', async () => {
    const store = resolver({ A_TOKEN: 'a-token-value' });
    const { use, records } = await chainKernel([store], { both: '{A_TOKEN} {B_TOKEN}' });
    await rejection(use('both'), 'MISSING_PARAMETER');
    const lines = records.filter(({ message }) => message.startsWith('secret'));
    expect(lines).to.deep.equal([
      { level: 'debug', message: 'secret resolved', meta: { name: 'A_TOKEN', resolver: 'store' } },
      { level: 'debug', message: 'secrets not found', meta: { names: ['B_TOKEN'] } },
    ]);
  });
});
