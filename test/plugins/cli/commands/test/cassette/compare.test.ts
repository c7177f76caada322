import { expect } from 'chai';
import { diffLines, matches, mergeRuns } from '../../../../../../plugins/cli/commands/test/cassette/compare.ts';

const pairs: readonly (readonly [what: string, expected: unknown, received: unknown, isFit: boolean])[] = [
  ['an equal value', { a: [1, null] }, { a: [1, null] }, true],
  ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['another order of items', [1, 2], [2, 1], false],
  ['anything where it is left open', { a: '*', b: ['*'] }, { a: { c: 1 }, b: [null] }, true],
  ['nothing where it is left open', { a: '*' }, {}, false],
  ['a further key', { a: 1 }, { a: 1, b: 2 }, false],
  ['a further item', ['*'], [1, 2], false],
  ['a text with an asterisk in it', 'a*', 'abc', false],
];

describe('what a cassette expects', () => {
  for (const [what, expected, received, isFit] of pairs)
    it(`${isFit ? 'fits' : 'does not fit'} ${what}`, () => expect(matches(expected, received)).to.equal(isFit));

  it('is shown as a diff in which nothing stands that was left open', async () => {
    const lines = await diffLines({ at: '*', b: 1, a: 'x' }, { a: 'x', b: 2, at: 'now' });
    expect(lines).to.deep.equal(['   "a": "x",', '   "at": "now",', '-  "b": 1', '+  "b": 2', ' }']);
  });
});

const runs: readonly (readonly [what: string, one: unknown, other: unknown, former: unknown, common: unknown])[] = [
  ['everything of equal runs', { a: [1] }, { a: [1] }, undefined, { a: [1] }],
  ['what differs left open', { at: 1, who: 'a' }, { at: 2, who: 'a' }, undefined, { at: '*', who: 'a' }],
  ['the item of a list that differs', ['a', 1], ['a', 2], undefined, ['a', '*']],
  ['lists of another length as one open place', { a: [1] }, { a: [1, 2] }, undefined, { a: '*' }],
  ['objects with other keys as one open place', [{ a: 1 }], [{ b: 1 }], undefined, ['*']],
  ['what was left open before', { a: 1, b: 2 }, { a: 1, b: 2 }, { a: '*', b: 3 }, { a: '*', b: 2 }],
];

describe('what two runs have in common', () => {
  for (const [what, one, other, former, common] of runs)
    it(`is ${what}`, () => expect(mergeRuns(one, other, former)).to.deep.equal(common));
});
