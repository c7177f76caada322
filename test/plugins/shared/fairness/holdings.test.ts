import { expect } from 'chai';
import { halfOfPlaces } from '../../../../plugins/shared/fairness/half-of-places.ts';
import { Holdings, type LargestOptions } from '../../../../plugins/shared/fairness/holdings.ts';

function holdingsOf(amounts: Readonly<Record<string, number>>): Holdings<string> {
  const holdings = new Holdings<string>();
  for (const [holder, amount] of Object.entries(amounts)) holdings.add(holder, amount);
  return holdings;
}

describe('Holdings', () => {
  const cases: readonly {
    readonly what: string;
    readonly amounts: Readonly<Record<string, number>>;
    readonly options?: LargestOptions<string>;
    readonly largest: string | undefined;
  }[] = [
    { what: 'the holder with most', amounts: { a: 2, b: 5, c: 3 }, largest: 'b' },
    { what: 'the first among equals', amounts: { a: 1, b: 4, c: 4 }, largest: 'b' },
    { what: 'the newcomer among equals', amounts: { a: 4, b: 4, c: 4 }, options: { newcomer: 'c' }, largest: 'c' },
    { what: 'another holder than a newcomer with less', amounts: { a: 4, b: 3 }, options: { newcomer: 'b' }, largest: 'a' },
    {
      what: 'the one with most of those that may give way',
      amounts: { a: 9, b: 2, c: 5 },
      options: { among: (one) => one !== 'a' },
      largest: 'c',
    },
    { what: 'none where none may give way', amounts: { a: 9 }, options: { among: () => false }, largest: undefined },
    { what: 'none where none has anything', amounts: {}, options: { newcomer: 'a' }, largest: undefined },
  ];
  for (const { what, amounts, options, largest } of cases)
    it(`choose ${what}`, () => {
      expect(holdingsOf(amounts).largest(options)).to.equal(largest);
    });

  it('count what each holder has and what all have, also after some is given back', () => {
    const holdings = holdingsOf({ a: 2, b: 5 });
    holdings.add('b', -3);
    holdings.add('a', -2);
    expect([holdings.of('a'), holdings.of('b'), holdings.of('c'), holdings.total]).to.deep.equal([0, 2, 0, 2]);
    expect([...holdings]).to.deep.equal([['b', 2]]);
    holdings.clear();
    expect([holdings.of('b'), holdings.total, [...holdings]]).to.deep.equal([0, 0, []]);
  });

  it('take objects for holders, and names such as __proto__', () => {
    const [small, large] = [{}, {}];
    const holdings = new Holdings<object>();
    holdings.add(small, 1);
    holdings.add(large, 2);
    expect(holdings.largest()).to.equal(large);
    expect(holdingsOf({ a: 1, ['__proto__']: 2 }).largest()).to.equal('__proto__');
  });
});

describe('half of the places', () => {
  for (const [places, half] of [
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [8, 4],
    [1000, 500],
  ] as const)
    it(`is ${half} of ${places}`, () => {
      expect(halfOfPlaces(places)).to.equal(half);
    });
});
