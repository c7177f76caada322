import { expect } from 'chai';
import { Cuts, Shortener } from '../../../plugins/audit-trail/shortener.ts';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

function shortened(value: unknown, maxBytes = 3000): { value: unknown; cuts: readonly string[] } {
  const cuts = new Cuts(500);
  return { value: new Shortener(maxBytes, cuts).value(value, '/v'), cuts: cuts.entries };
}

describe('shortened values', () => {
  const kept: readonly unknown[] = [null, true, 0, -1.5, '', 'é💥', [], {}, [1, [2]], { a: { b: [null] } }, JSON.parse('{"__proto__": 1}')];
  for (const value of kept) {
    it(`are as they were when they are short: ${JSON.stringify(value)}`, () => {
      expect(shortened(value)).to.deep.equal({ value, cuts: [] });
    });
  }

  const converted: { title: string; value: unknown; expected: unknown; cuts?: readonly string[] }[] = [
    { title: 'not a number', value: [Number.NaN, Number.NEGATIVE_INFINITY], expected: ['NaN', '-Infinity'] },
    { title: 'a bigint', value: { a: 1n }, expected: { a: '1' } },
    { title: 'a function', value: { a: () => 1, b: [() => 1] }, expected: { b: [null] } },
    { title: 'undefined', value: { a: undefined, b: [undefined] }, expected: { b: [null] } },
    { title: 'a date', value: new Date(0), expected: '1970-01-01T00:00:00.000Z' },
    { title: 'bytes', value: { a: new Uint8Array(9000) }, expected: { a: '[9000 bytes]' } },
    { title: 'a lone surrogate', value: 'a\ud800b', expected: 'a\ufffdb', cuts: ['/v: lone surrogates replaced'] },
    {
      title: 'a circle',
      value: circular,
      expected: { self: { self: { self: { self: { self: { self: { self: { self: '…' } } } } } } } },
      cuts: ['/v/self/self/self/self/self/self/self/self: nested too deep'],
    },
    {
      title: 'a getter that throws',
      value: Object.defineProperty({}, 'a', { enumerable: true, get: () => expect.fail('never mind') }),
      expected: '…',
      cuts: ['/v: could not be read'],
    },
    { title: 'a toJSON that throws', value: { toJSON: () => expect.fail('never mind') }, expected: '…', cuts: ['/v: could not be read'] },
    { title: 'a text that is too long', value: 'x'.repeat(1001), expected: `${'x'.repeat(1000)}…`, cuts: ['/v: 1000 of 1001 characters'] },
  ];
  for (const { title, value, expected, cuts = [] } of converted) {
    it(`are JSON for ${title}`, () => {
      expect(shortened(value)).to.deep.equal({ value: expected, cuts });
    });
  }

  const large: Record<string, unknown> = {
    texts: Array.from({ length: 100 }, () => 'x'.repeat(100)),
    'control characters': Array.from({ length: 50 }, () => '\u0001'.repeat(100)),
    'wide characters': '💥'.repeat(1000),
    numbers: Array.from({ length: 500 }, () => 1 / 3),
    keys: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`\u0001${index}`.padStart(90, '\u0001'), index])),
    'empty lists': Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => [])),
    nulls: Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => null)),
  };
  for (const [what, value] of Object.entries(large)) {
    for (const maxBytes of [100, 1000, 7000]) {
      it(`share ${maxBytes} bytes when there is more: ${what}`, () => {
        const result = shortened(value, maxBytes);
        expect(Buffer.byteLength(JSON.stringify(result.value))).to.be.at.most(maxBytes);
        expect(result.cuts).to.not.deep.equal([]);
      });
    }
  }

  it('are listed within bounds when much is cut', () => {
    const cuts = new Cuts(200);
    for (let index = 0; index < 1000; index++) cuts.add(`/${'p'.repeat(500)}`, 'gone');
    expect(cuts.entries).to.deep.equal([`/${'p'.repeat(149)}: gone`, 'and 999 more']);
  });
});
