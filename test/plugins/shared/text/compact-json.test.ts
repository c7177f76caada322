import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { compactJson } from '../../../../plugins/shared/text/compact-json.ts';

const members = (count: number): { [key: string]: JsonValue } =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`"k"\n${n}`, `v\n${n}`]));

describe('JSON without blanks', () => {
  const values: Readonly<Record<string, JsonValue>> = {
    'a small object': { a: [1, { b: null }], c: {} },
    'a list of numbers': Array.from({ length: 20_000 }, (_, n) => n / 3),
    'an object of many names': members(9000),
    'large values in small ones': { a: [{ b: members(9000) }, [], {}, 'x'], c: [[members(9000)], [[true]]] },
    'small objects in a list': Array.from({ length: 9000 }, (_, n) => ({ n, list: [n, { n }] })),
    'a long text': ['"'.repeat(400_000), 1],
  };

  for (const [what, value] of Object.entries(values))
    it(`is that of JSON.stringify: ${what}`, async () => {
      expect((await compactJson(value)) === JSON.stringify(value)).to.equal(true);
    });
});
