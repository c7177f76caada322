import { expect } from 'chai';
import { checkValue } from '../../../../kernel/index.ts';
import { cutToFit } from '../../../../plugins/output-budget/cut/cut-to-fit.ts';
import { missing } from '../missing.ts';
import { RandomSchema } from '../random-schema.ts';

type Schema = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});
const long = 'A long text. '.repeat(200);
const rows = Array.from({ length: 500 }, (_, n) => ({ n, name: `name ${n}` }));
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Cuts to 1000 characters and says what is missing; fails when the part does not fit or names the wrong places. */
function cut(schema: Schema, value: Members, limit = 1000): { readonly output: Members; readonly pointers: readonly string[] } {
  expect(checkValue(schema, value), 'the whole').to.deep.equal([]);
  const before = structuredClone(value);
  const part = cutToFit(schema, value, limit);
  if (part === undefined) throw new Error('no part was found');
  expect(checkValue(schema, part.output), 'the part').to.deep.equal([]);
  expect(sizeOf(part.output)).to.be.at.most(limit);
  expect([...part.pointers].sort()).to.deep.equal(missing(value, part.output).sort());
  expect(value).to.deep.equal(before);
  return part as { output: Members; pointers: readonly string[] };
}

describe('a part of an output that is too long', () => {
  const base64 = { type: 'string', pattern: '^(?:[A-Za-z0-9+/]{4})*$' };
  const cases: readonly { title: string; schema: Schema; value: Members; pointers: readonly string[]; keeps?: Members }[] = [
    {
      title: 'cuts a long text and keeps what is beside it',
      schema: object({ path: text, content: text, bytes: { type: 'integer' } }),
      value: { path: '/a/b.txt', content: long, bytes: 2600 },
      pointers: ['/content'],
      keeps: { path: '/a/b.txt', bytes: 2600 },
    },
    {
      title: 'cuts a list behind its first items, and leaves the count of them as it was',
      schema: object({ total: { type: 'integer' }, rows: { type: 'array', items: object({ n: { type: 'integer' }, name: text }) } }),
      value: { rows, total: 500 },
      pointers: ['/rows'],
      keeps: { total: 500 },
    },
    {
      title: 'leaves out members that the schema does not know, before it cuts what it knows',
      schema: object({ note: text }),
      value: { ...Object.fromEntries(rows.slice(0, 50).map(({ n, name }) => [name, n * 1e9])), note: 'x'.repeat(450) },
      pointers: [''],
      keeps: { note: 'x'.repeat(450) },
    },
    {
      title: 'cuts the largest text first',
      schema: object({ a: text, b: text, c: text }),
      value: { a: 'a'.repeat(300), b: 'b'.repeat(5000), c: 'c'.repeat(200) },
      pointers: ['/b'],
      keeps: { a: 'a'.repeat(300), c: 'c'.repeat(200) },
    },
    {
      title: 'leaves out what is large before what is small',
      schema: { type: 'object' },
      value: { ...Object.fromEntries(rows.slice(0, 9).map(({ name }) => [name, long])), small: 'x'.repeat(50) },
      pointers: ['', ...Array.from({ length: 8 }, (_, n) => `/name ${n}`)],
      keeps: { small: 'x'.repeat(50) },
    },
    {
      title: 'keeps the number of members that an object must have',
      schema: object({ note: text }, { minProperties: 5, additionalProperties: { pattern: '^x+$' } }),
      value: { note: 'n'.repeat(800), ...Object.fromEntries(rows.slice(0, 8).map(({ n }) => [`o${n}`, 'x'.repeat(170)])) },
      pointers: ['', '/note'],
      keeps: { o0: 'x'.repeat(170), o3: 'x'.repeat(170) },
    },
    {
      title: 'puts back what an object asks for as a whole, and cuts what is beside it',
      schema: object({ inner: object({ a: text }, { not: { properties: { a: { maxLength: 600 } }, required: ['a'] } }), other: text }),
      value: { inner: { a: 'a'.repeat(700) }, other: long },
      pointers: ['/other'],
    },
    {
      title: 'keeps the number of items that a list must have, each cut',
      schema: object({ list: { type: 'array', minItems: 3, items: { minLength: 326 } } }),
      value: { list: [long, long, long, 1e9] },
      pointers: ['/list', '/list/0', '/list/1', '/list/2'],
    },
    {
      title: 'keeps items whole that must differ',
      schema: object({ list: { type: 'array', uniqueItems: true, items: text } }),
      value: { list: Array.from({ length: 20 }, (_, n) => `${'same '.repeat(30)}${n}`) },
      pointers: ['/list'],
    },
    {
      title: 'keeps a text whole that is one of several, or that must look like something',
      schema: object({
        kind: { enum: ['k'.repeat(300), 'other'] },
        version: { const: 'v'.repeat(200) },
        id: { type: 'string', pattern: '^[0-9]{250}$' },
        body: text,
      }),
      value: { kind: 'k'.repeat(300), version: 'v'.repeat(200), id: '1'.repeat(250), body: long },
      pointers: ['/body'],
      keeps: { kind: 'k'.repeat(300), version: 'v'.repeat(200), id: '1'.repeat(250) },
    },
    {
      title: 'cuts a text that may be one of several, and is none of them',
      schema: object({ body: { anyOf: [{ enum: [null, 'none'] }, text] } }),
      value: { body: long },
      pointers: ['/body'],
    },
    {
      title: 'cuts a text that still looks as it must',
      schema: object({ data: base64 }),
      value: { data: 'QUJD'.repeat(1000) },
      pointers: ['/data'],
    },
    {
      title: 'keeps as many characters as a text must have',
      schema: object({ a: { type: 'string', minLength: 600 }, b: text }),
      value: { a: 'a'.repeat(2000), b: 'b'.repeat(2000) },
      pointers: ['/a', '/b'],
    },
    {
      title: 'follows references',
      schema: {
        ...object({ tree: { $ref: '#/$defs/node' } }),
        $defs: { node: object({ name: text }, { properties: { name: text, next: { $ref: '#/$defs/node' } } }) },
      },
      value: { tree: { name: long, next: { name: long, next: { name: 'leaf' } } } },
      pointers: ['/tree/name', '/tree/next/name'],
    },
    {
      title: 'follows unions, of whose branches it keeps what any asks for',
      schema: object({
        list: {
          type: 'array',
          items: { oneOf: [object({ type: { const: 'a' }, text }), object({ type: { const: 'b' }, n: { type: 'number' } })] },
        },
      }),
      value: {
        list: [
          { type: 'a', text: long },
          { type: 'b', n: 1 },
        ],
      },
      pointers: ['/list/0/text'],
    },
    {
      title: 'cuts what is given by names that the schema does not list',
      schema: { type: 'object', additionalProperties: object({ text }) },
      value: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`file ${n}`, { text: n === 0 ? 'first' : long }])),
      pointers: ['', ...Array.from({ length: 8 }, (_, n) => `/file ${n + 1}/text`)],
      keeps: { 'file 0': { text: 'first' } },
    },
    {
      title: 'keeps members by a pattern of their names',
      schema: {
        type: 'object',
        patternProperties: { '^n_': { type: 'array', minItems: 1, items: text } },
        additionalProperties: text,
        minProperties: 2,
      },
      value: { n_a: [long, long], other: long },
      pointers: ['/n_a/0', '/n_a/1', '/other'],
    },
    {
      title: 'puts back what the schema asks for beside another member',
      schema: { type: 'object', properties: { page: text, next: text }, dependentRequired: { page: ['extra'] } },
      value: { page: long, ...Object.fromEntries(rows.slice(0, 12).map(({ name }) => [name, 'x'.repeat(40)])), extra: 'e'.repeat(600) },
      pointers: ['/extra', '/page'],
    },
    {
      title: 'puts back an item that the list must contain',
      schema: object({ list: { type: 'array', items: text, contains: { const: 'here' } } }),
      value: { list: [...Array(40).fill('a'.repeat(100)), 'here'] },
      pointers: Array.from({ length: 40 }, (_, n) => `/list/${n}`),
    },
    {
      title: 'knows tuples',
      schema: object({ pair: { type: 'array', prefixItems: [{ enum: ['left'.repeat(20)] }, text], minItems: 2, items: false } }),
      value: { pair: ['left'.repeat(20), long] },
      pointers: ['/pair/1'],
    },
    {
      title: 'takes members that are named like members of every object',
      schema: { type: 'object' },
      value: JSON.parse(`{"__proto__": "${'p'.repeat(900)}", "constructor": ["${'c'.repeat(900)}"], "toString": 1}`),
      pointers: ['/__proto__', '/constructor/0'],
      keeps: { toString: 1 } as unknown as Members,
    },
  ];
  for (const { title, schema, value, pointers, keeps = {} } of cases) {
    it(title, () => {
      const part = cut(schema, value);
      expect([...part.pointers].sort()).to.deep.equal([...pointers].sort());
      for (const [name, kept] of Object.entries(keeps)) expect(part.output[name]).to.deep.equal(kept);
      expect(sizeOf(part.output)).to.be.at.least(800);
    });
  }

  for (const letter of ['🔑', '"', '\\', '\n', '\u0001', '語', '\ud800'])
    it(`counts ${JSON.stringify(letter)} as JSON does, and leaves no half of it`, () => {
      for (let limit = 100; limit < 112; limit++) {
        const { text: left } = cut(object({ text }), { text: letter.repeat(300) }, limit).output as { text: string };
        expect(left.length % letter.length).to.equal(0);
        expect(sizeOf({ text: left + letter })).to.be.above(limit);
      }
    });

  const hopeless: readonly { title: string; schema: Schema; value: Members }[] = [
    { title: 'a text that must be long', schema: object({ a: { type: 'string', minLength: 1500 } }), value: { a: 'a'.repeat(2000) } },
    { title: 'a text that is one of several', schema: object({ a: { enum: [long] } }), value: { a: long } },
    { title: 'a list that must be long', schema: object({ a: { type: 'array', minItems: 500 } }), value: { a: rows } },
    {
      title: 'a pattern that no beginning fits',
      schema: object({ a: { type: 'string', pattern: '^a+z$' } }),
      value: { a: `${'a'.repeat(2000)}z` },
    },
    { title: 'a demand that only a check finds', schema: object({ a: { not: { maxLength: 1500 } } }), value: { a: 'a'.repeat(2000) } },
    { title: 'names that alone are too long', schema: object({ [long]: { type: 'number' } }), value: { [long]: 1 } },
  ];
  for (const { title, schema, value } of hopeless)
    it(`is not found for ${title}`, () => {
      expect(checkValue(schema, value)).to.deep.equal([]);
      expect(cutToFit(schema, value, 1000)).to.equal(undefined);
    });

  it('fits, keeps to the limit, names what is missing and is the same each time, whatever the schema', () => {
    let cuts = 0;
    let none = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const { schema, value } = new RandomSchema(seed).object();
      for (const limit of [700, 3000]) {
        if (sizeOf(value) <= limit) continue;
        cuts++;
        const part = cutToFit(schema, value, limit);
        if (part === undefined) none++;
        else {
          expect(checkValue(schema, part.output), `seed ${seed}`).to.deep.equal([]);
          expect(sizeOf(part.output), `seed ${seed}`).to.be.at.most(limit);
          expect([...part.pointers].sort(), `seed ${seed}`).to.deep.equal(missing(value, part.output).sort());
          expect(cutToFit(structuredClone(schema), structuredClone(value), limit), `seed ${seed}`).to.deep.equal(part);
        }
      }
    }
    expect(cuts).to.be.above(100);
    expect(none).to.be.below(cuts / 50);
  });

  it('looks at no more of a long list than it keeps', () => {
    let looked = 0;
    const list = new Proxy(rows, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looked++;
        return Reflect.get(target, key) as unknown;
      },
    });
    const { output } = cutToFit(object({ list: { type: 'array' } }), { list }, 1000) as unknown as { output: { list: unknown[] } };
    expect(output.list).to.have.length.within(20, 60);
    expect(looked).to.be.below(300);
  });
});
