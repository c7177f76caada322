import { expect } from 'chai';
import { type ByteSource, drawBelow, drawFraction } from '../../../../tools/core/math/random-bits.ts';
import { rejection } from '../../../support/rejection.ts';
import { calculating } from './calculating.ts';

/** Gives these numbers as eight bytes each, one after the other. */
function bytesOf(...numbers: readonly bigint[]): ByteSource {
  const left = [...numbers];
  return (count) => {
    const bytes = Buffer.alloc(count);
    bytes.writeBigUInt64BE(left.shift() ?? 0n);
    return bytes;
  };
}

describe('math_random_number', () => {
  const random = calculating('math_random_number');
  const draw = async (parameters: Readonly<Record<string, unknown>>): Promise<readonly number[]> =>
    (await random<{ values: readonly number[] }>(parameters)).values;

  it('draws one whole number unless it is told otherwise', async () => {
    const values = await draw({ minimum: 1, maximum: 6 });
    expect(values).to.have.length(1);
    expect(values[0]).to.be.oneOf([1, 2, 3, 4, 5, 6]);
  });

  it('draws every number between the bounds about as often', async () => {
    const values = await draw({ minimum: -5, maximum: 4, count: 10_000 });
    const counts = Array.from({ length: 10 }, (_, index) => values.filter((value) => value === index - 5).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(10_000);
    // Ten standard deviations.
    for (const count of counts) expect(count).to.be.within(700, 1300);
  });

  it('draws decimal numbers evenly, the minimum included and the maximum not', async () => {
    const values = await draw({ minimum: -1, maximum: 1, count: 10_000, integer: false });
    expect(values.every((value) => value >= -1 && value < 1)).to.equal(true);
    for (const quarter of [-1, -0.5, 0, 0.5]) {
      expect(values.filter((value) => value >= quarter && value < quarter + 0.5).length).to.be.within(2000, 3000);
    }
    expect(new Set(values).size).to.equal(10_000);
  });

  it('draws each number once when they shall differ, and in any order', async () => {
    const values = await draw({ minimum: 1, maximum: 200, count: 200, unique: true });
    const ordered = Array.from({ length: 200 }, (_, index) => index + 1);
    expect([...values].sort((a, b) => a - b)).to.deep.equal(ordered);
    expect(values).to.not.deep.equal(ordered);
  });

  it('gives every place of a draw without repeats to every number about as often', async () => {
    const draws = await Promise.all(Array.from({ length: 600 }, () => draw({ minimum: 1, maximum: 3, count: 2, unique: true })));
    for (const pair of ['1,2', '1,3', '2,1', '2,3', '3,1', '3,2']) {
      // Around 100, with a standard deviation of 9.
      expect(draws.filter((values) => String(values) === pair).length, pair).to.be.within(10, 190);
    }
  });

  const single: readonly { parameters: Readonly<Record<string, unknown>>; value: number }[] = [
    { parameters: { minimum: 7, maximum: 7 }, value: 7 },
    { parameters: { minimum: 0.5, maximum: 1.5 }, value: 1 },
    { parameters: { minimum: -0.5, maximum: 0.5 }, value: 0 },
    { parameters: { minimum: 2.5, maximum: 2.5, integer: false }, value: 2.5 },
    { parameters: { minimum: 1, maximum: 1 + Number.EPSILON, integer: false }, value: 1 },
    { parameters: { minimum: 0, maximum: 5e-324, integer: false }, value: 0 },
    { parameters: { minimum: Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, value: Number.MAX_SAFE_INTEGER },
  ];
  for (const { parameters, value } of single) {
    it(`gives ${value} for ${JSON.stringify(parameters)}, the only number there is`, async () => {
      expect(await draw(parameters)).to.deep.equal([value]);
    });
  }

  it('takes the widest bounds', async () => {
    const whole = await draw({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, count: 1000, unique: true });
    expect(whole.every(Number.isSafeInteger)).to.equal(true);
    expect(whole.some((value) => value < -4e15) && whole.some((value) => value > 4e15)).to.equal(true);
    const decimal = await draw({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE, count: 1000, integer: false });
    expect(decimal.every(Number.isFinite)).to.equal(true);
    expect(decimal.some((value) => value < -1e307) && decimal.some((value) => value > 1e307)).to.equal(true);
  });

  const mistakes = [
    { parameters: { minimum: 2, maximum: 1 }, path: 'minimum', says: 'expected at most the maximum, which is 1, received 2' },
    { parameters: { minimum: 0.2, maximum: 0.8 }, path: 'maximum', says: 'a whole number from 0.2 to 0.8, and there is none' },
    { parameters: { minimum: 0, maximum: 2 ** 53 }, path: 'maximum', says: 'received 9007199254740992' },
    { parameters: { minimum: -1e300, maximum: 0 }, path: 'minimum', says: 'Beyond them set "integer" to false' },
    {
      parameters: { minimum: 1, maximum: 5, count: 6, unique: true },
      path: 'count',
      says: 'different whole numbers from minimum to maximum, which is 5, received 6',
    },
    {
      parameters: { minimum: 1, maximum: 1 + 3 * Number.EPSILON, count: 50, unique: true, integer: false },
      path: 'count',
      says: 'different decimal numbers between minimum and maximum, which is hardly more than 3, received 50',
    },
  ];
  for (const { parameters, path, says } of mistakes) {
    it(`says what is wrong with ${JSON.stringify(parameters)}`, async () => {
      const error = await rejection(draw(parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`Parameter "${path}"`).and.include(says);
      expect(error.details.issues).to.have.nested.property('[0].path', path);
    });
  }

  const refused = [
    { parameters: { maximum: 1 }, says: 'minimum is required' },
    { parameters: { minimum: 1 }, says: 'maximum is required' },
    { parameters: { minimum: 'eins', maximum: 6 }, says: 'minimum expected' },
    { parameters: { minimum: 1, maximum: 6, count: 0 }, says: 'count expected' },
    { parameters: { minimum: 1, maximum: 6, count: 10_001 }, says: 'count expected' },
    { parameters: { minimum: 1, maximum: 6, count: 1.5 }, says: 'count expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters)}: ${says}`, async () => {
      expect((await rejection(draw(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});

describe('a draw below a bound', () => {
  it('throws away the numbers that would make some results more likely', () => {
    // 2^64 leaves a rest of 6 when it is divided by 10, so the last six numbers count for nothing.
    expect(drawBelow(10n, bytesOf(2n ** 64n - 1n, 2n ** 64n - 6n, 2n ** 64n - 7n))).to.equal(9n);
    expect(drawBelow(10n, bytesOf(2n ** 64n - 6n, 3n))).to.equal(3n);
  });

  it('takes every number where they divide evenly', () => {
    expect(drawBelow(2n ** 64n, bytesOf(2n ** 64n - 1n))).to.equal(2n ** 64n - 1n);
    expect(drawBelow(8n, bytesOf(2n ** 64n - 1n))).to.equal(7n);
    expect(drawBelow(1n, bytesOf(5n))).to.equal(0n);
  });

  it('makes shares from 0 to just below 1', () => {
    expect(drawFraction(bytesOf(0n))).to.equal(0);
    expect(drawFraction(bytesOf(2n ** 64n - 1n))).to.equal(1 - 2 ** -53);
    expect(drawFraction(bytesOf(2n ** 63n))).to.equal(0.5);
  });
});
