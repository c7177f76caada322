import { expect } from 'chai';
import { isEqual } from '../../../../plugins/shared/keys/equal-texts.ts';
import { randomValue } from '../../../../plugins/shared/keys/random-value.ts';

describe('secret texts', () => {
  for (const [one, other, equal] of [
    ['a', 'a', true],
    ['', '', true],
    ['a', 'b', false],
    ['a', 'ab', false],
    ['é', 'e\u0301', false],
  ] as const)
    it(`"${one}" and "${other}" are ${equal ? 'equal' : 'not equal'}`, () => expect(isEqual(one, other)).to.equal(equal));

  it('are made of 256 random bits', () => {
    expect(randomValue()).to.match(/^[\w-]{43}$/);
    expect(randomValue()).to.not.equal(randomValue());
  });
});
