import { expect } from 'chai';
import { boundedCopy, fitsWithin } from '../../../../plugins/console/feed/bounded-copy.ts';

/** A value that contains itself. */
function circle(): object {
  const value: Record<string, unknown> = { text: 'a' };
  value['again'] = [value, value];
  return value;
}

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe('a bounded copy', () => {
  const whole: readonly (readonly [string, unknown])[] = [
    ['a text', 'a'],
    ['numbers and nothing', [1, -2.5, true, false, null]],
    ['an object in a list', [{ a: [{ b: 'c' }] }, {}]],
    ['a name of a prototype', JSON.parse('{"__proto__":{"a":1}}')],
  ];
  for (const [name, value] of whole) {
    it(`is the same where all fits: ${name}`, () => {
      expect(fitsWithin(value, 1000)).to.equal(true);
      const copy = boundedCopy(value, 1000);
      expect(copy.isCut).to.equal(false);
      expect(JSON.stringify(copy.value)).to.equal(JSON.stringify(value));
    });
  }

  const large: readonly (readonly [string, unknown])[] = [
    ['a text', 'x'.repeat(5000)],
    ['a text of pairs', '😀'.repeat(2000)],
    ['many items', Array.from({ length: 5000 }, () => 1)],
    ['many members', Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, null]))],
    ['a long name', { ['x'.repeat(5000)]: 1 }],
    ['deep nesting', nested(5000)],
    ['a value that contains itself', circle()],
    ['bytes', { data: new Uint8Array(5000) }],
  ];
  for (const [name, value] of large) {
    it(`has what fits, says that more is missing, and is JSON: ${name}`, () => {
      expect(fitsWithin(value, 1000)).to.equal(false);
      const copy = boundedCopy(value, 1000);
      expect(copy.isCut).to.equal(true);
      const text = JSON.stringify(copy.value);
      expect(text.length).to.be.below(2500);
      expect(text.isWellFormed()).to.equal(true);
      expect(text).to.not.include('\\ud83d');
    });
  }

  it('replaces what JSON does not have', () => {
    expect(boundedCopy({ big: 2n ** 70n, gone: undefined, run: () => {} }, 1000).value).to.deep.equal({
      big: '1180591620717411303424',
      run: null,
    });
  });
});
