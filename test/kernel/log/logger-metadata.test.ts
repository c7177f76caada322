import { expect } from 'chai';
import { Secret, ToolkitError } from '../../../kernel/index.ts';
import { recordOf } from '../../support/log-lines.ts';

function shown(value: unknown): unknown {
  return recordOf({ value }).record['value'];
}

const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe('metadata of a log record', () => {
  const values: readonly { readonly what: string; readonly value: unknown; readonly is: unknown }[] = [
    { what: 'a bigint', value: 7n, is: '7' },
    { what: 'a bigint of a million digits', value: 2n ** 3_000_000n, is: '[bigint of more than 32768 bits]' },
    { what: 'a number that is none', value: [Number.NaN, Number.POSITIVE_INFINITY], is: ['NaN', 'Infinity'] },
    { what: 'a date', value: new Date(0), is: '1970-01-01T00:00:00.000Z' },
    { what: 'an invalid date', value: new Date(Number.NaN), is: '[invalid date]' },
    { what: 'a map with names', value: new Map([['a', 1]]), is: { a: 1 } },
    {
      what: 'a map with other keys',
      value: new Map<unknown, number>([
        ['1', 1],
        [1, 2],
      ]),
      is: [
        ['1', 1],
        [1, 2],
      ],
    },
    { what: 'a set', value: new Set([1, 'x']), is: [1, 'x'] },
    { what: 'a buffer, without its bytes', value: Buffer.from('abc'), is: '[Buffer, 3 bytes]' },
    { what: 'a typed array', value: new Float64Array(2), is: '[Float64Array, 16 bytes]' },
    { what: 'an array buffer', value: new ArrayBuffer(8), is: '[ArrayBuffer, 8 bytes]' },
    { what: 'a secret handle', value: new Secret('API_KEY', 'abcdefgh'), is: '[secret API_KEY]' },
    { what: 'a symbol', value: Symbol('s'), is: 'Symbol(s)' },
    { what: 'symbols as keys', value: { [Symbol('k')]: 1, 'Symbol(k)': 2 }, is: { 'Symbol(k)': 2, '_Symbol(k)': 1 } },
    { what: 'a function, without its source', value: function named() {}, is: '[function named]' },
    { what: 'a regular expression', value: /x/g, is: '/x/g' },
    { what: 'a URL', value: new URL('http://host/'), is: 'http://host/' },
    { what: 'a boxed text', value: Object('x'), is: 'x' },
    { what: 'an instance that shows nothing', value: Promise.resolve(), is: '[Promise]' },
    { what: 'an object without a prototype', value: Object.assign(Object.create(null), { a: 1 }), is: { a: 1 } },
    { what: 'a member named __proto__', value: JSON.parse('{"__proto__":{"a":1}}'), is: JSON.parse('{"__proto__":{"a":1}}') },
    { what: 'undefined members, as JSON does', value: { a: undefined, b: [undefined] }, is: { b: [null] } },
    {
      what: 'a getter that throws',
      value: {
        get a(): never {
          throw new Error('no');
        },
        b: 1,
      },
      is: { a: '[unreadable: no]', b: 1 },
    },
    {
      what: 'toJSON that throws',
      value: {
        toJSON() {
          throw new Error('no');
        },
      },
      is: '[unreadable: no]',
    },
    {
      what: 'toJSON that gives itself',
      value: {
        toJSON() {
          return this;
        },
      },
      is: '[circular]',
    },
    {
      what: 'a proxy that throws what cannot be told',
      value: new Proxy(
        {},
        {
          ownKeys() {
            throw Object.create(null);
          },
        },
      ),
      is: '[unreadable]',
    },
  ];
  for (const { what, value, is } of values) it(`holds ${what}`, () => expect(shown(value)).to.deep.equal(is));

  it('holds a revoked proxy, also in its own place', () => {
    expect(shown(revoked.proxy)).to.match(/^\[unreadable: /);
    expect(recordOf(revoked.proxy).record['meta']).to.match(/^\[unreadable: /);
  });

  it('says where it is circular, and shows twice what is there twice', () => {
    const twice = { a: 1 };
    const circular: Record<string, unknown> = { twice, again: twice, list: [] };
    circular['self'] = circular;
    (circular['list'] as unknown[]).push(circular);
    expect(recordOf(circular).record).to.deep.include({ twice, again: twice, self: '[circular]', list: ['[circular]'] });
  });

  it('holds errors with their causes, codes and parts', () => {
    const inner = Object.assign(new TypeError('inner'), { code: 'EINNER' });
    const outer = new Error('outer', { cause: inner });
    expect(shown(outer)).to.deep.equal({ name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner', code: 'EINNER' } });
    expect(shown(new AggregateError([inner, 'text'], 'many'))).to.deep.equal({
      name: 'AggregateError',
      message: 'many',
      errors: [{ name: 'TypeError', message: 'inner', code: 'EINNER' }, 'text'],
    });
    expect(shown(new ToolkitError('TIMEOUT', 'late', { tool: 'x' }, { cause: 'why' }))).to.deep.equal({
      name: 'ToolkitError',
      message: 'late',
      code: 'TIMEOUT',
      retryable: true,
      tool: 'x',
      cause: 'why',
    });
  });

  it('holds an error that is its own cause', () => {
    const error = new Error('again');
    error.cause = error;
    expect(shown(error)).to.deep.equal({ name: 'Error', message: 'again', cause: '[circular]' });
  });
});

describe('the limits of a log record', () => {
  it('cut a long text and say how much there is more', () => {
    expect(shown('x'.repeat(10_000_000))).to.equal(`${'x'.repeat(9968)}… [9990032 more characters]`);
    expect(shown('x'.repeat(10_000))).to.equal('x'.repeat(10_000));
  });

  it('never cut a character in two', () => {
    expect(recordOf({ value: '😀'.repeat(10_000).slice(1) }).line).to.not.match(/\\ud83d…/);
  });

  it('cut a long list, map, set and object, and say how much there is more', () => {
    const many = Array.from({ length: 1000 }, (_, index) => index);
    const first = many.slice(0, 99);
    expect(shown(new Array(1_000_000).fill(1))).to.deep.equal([...first.map(() => 1), '[999901 more items]']);
    expect(shown(many.slice(0, 100)))
      .to.have.length(100)
      .and.include(99);
    expect(shown(new Set(many))).to.deep.equal([...first, '[901 more items]']);
    expect(shown(new Map(many.map((n) => [`k${n}`, n]))))
      .to.have.length(100)
      .and.include('[901 more items]');
    const object = Object.fromEntries(many.map((n) => [`k${n}`, n]));
    expect(shown(object)).to.deep.equal({ ...Object.fromEntries(first.map((n) => [`k${n}`, n])), '…': '[901 more members]' });
  });

  it('cut what is nested deeply', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(recordOf({ deep }).line).to.include('"[nested deeper than 10 levels]"').and.not.include('bottom');
  });

  it('hold the whole record below a hundred thousand characters, and say what is left out', () => {
    const wide = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`k${index}`, 'x'.repeat(5000)]));
    let shared: unknown = 'leaf';
    for (let level = 0; level < 9; level++) shared = new Array(100).fill(shared);
    for (const meta of [wide, { shared }]) {
      const { line } = recordOf(meta);
      expect(line.length).to.be.within(50_000, 100_000);
      expect(line).to.match(/\[\d+ more (members|items)\]/);
    }
  });
});
