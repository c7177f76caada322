import { expect } from 'chai';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { randomJson } from './random-json.ts';

describe('json_flatten', () => {
  const shared = sharedToolkit();

  async function flatten(data: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return ((await shared.toolkit.execute('json_flatten', { data, ...more })) as { result: unknown }).result;
  }

  const pairs: readonly { readonly nested: unknown; readonly flat: object; readonly separator?: string }[] = [
    { nested: { a: { b: [1, { c: null }] }, d: 'Grüße' }, flat: { 'a.b.0': 1, 'a.b.1.c': null, d: 'Grüße' } },
    { nested: { a: {}, b: [], c: { d: {} } }, flat: { a: {}, b: [], 'c.d': {} } },
    { nested: [1, [2, 3]], flat: { 0: 1, '1.0': 2, '1.1': 3 } },
    { nested: {}, flat: {} },
    { nested: { 'a.b': { 名: 1 } }, flat: { 'a.b/名': 1 }, separator: '/' },
    { nested: { a: { b: 1 } }, flat: { 'a -> b': 1 }, separator: ' -> ' },
    { nested: { '': { '': 1 }, a: { '': 2 } }, flat: { '.': 1, 'a.': 2 } },
    { nested: { '': 1 }, flat: { '': 1 } },
    { nested: { a: { 0: 1, 2: 2 }, b: { '00': 1 } }, flat: { 'a.0': 1, 'a.2': 2, 'b.00': 1 } },
    {
      nested: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
      flat: { '__proto__.polluted': 1, 'constructor.prototype.polluted': 1 },
    },
  ];
  for (const { nested, flat, separator = '.' } of pairs) {
    it(`makes ${JSON.stringify(flat)} out of ${JSON.stringify(nested)}, and goes back`, async () => {
      expect(await flatten(nested, { separator })).to.deep.equal(flat);
      expect(JSON.stringify(await flatten(flat, { separator, direction: 'unflatten' }))).to.equal(JSON.stringify(nested));
    });
  }

  it('goes back to where it came from, for 200 values', async () => {
    const random = randomNumbers(7);
    for (let count = 0; count < 200; count += 1) {
      const data = { data: randomJson(random, 5) };
      // An object with the names of a list becomes a list.
      if (/\{"[01]":/.test(JSON.stringify(data))) continue;
      const flat = await flatten(data, { separator: '|' });
      expect(await flatten(flat, { separator: '|', direction: 'unflatten' })).to.deep.equal(data);
    }
  });

  it('makes no list with holes, however large an index is', async () => {
    const result = await flatten({ 'a.4294967294': 1, 'b.0': 1, 'b.2': 1 }, { direction: 'unflatten' });
    expect(result).to.deep.equal({ a: { 4294967294: 1 }, b: { 0: 1, 2: 1 } });
  });

  it('keeps values of long names as they are', async () => {
    expect(await flatten({ 'a.b': { 'c.d': 1 } }, { direction: 'unflatten' })).to.deep.equal({ a: { b: { 'c.d': 1 } } });
  });

  const refused: readonly { readonly data: unknown; readonly more?: object; readonly says: string }[] = [
    { data: { a: { 'b.c': 1 } }, says: 'the name "b.c", which contains the separator "."' },
    { data: { a: 1, 'a.b': 2 }, more: { direction: 'unflatten' }, says: '"a.b", but a part of that name' },
    { data: { 'a.b': 1, a: 2 }, more: { direction: 'unflatten' }, says: '"a", but a part of that name' },
    { data: [1], more: { direction: 'unflatten' }, says: 'expected an object of long names' },
    { data: { ['a.'.repeat(600)]: 1 }, more: { direction: 'unflatten' }, says: 'nested too deeply' },
    { data: 'text', says: 'data expected object or array' },
    { data: {}, more: { separator: '' }, says: 'separator expected' },
  ];
  for (const { data, more = {}, says } of refused) {
    it(`refuses ${JSON.stringify(data).slice(0, 60)} with ${JSON.stringify(more)}`, async () => {
      const error = await rejection(flatten(data, { ...more }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  it('refuses names that become too long together', async () => {
    const leaves = Object.fromEntries(Array.from({ length: 14_000 }, (_, index) => [`leaf${index}`, 1]));
    const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ ['x'.repeat(50)]: inner }), leaves);
    await rejection(flatten(deep), 'OUTPUT_TOO_LARGE');
  });
});
