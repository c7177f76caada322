import { expect } from 'chai';
import { Check } from 'typebox/schema';
import type { JsonSchema } from '../../../kernel/json/json.ts';
import { checkExactly, checkValue } from '../../../kernel/schema/check-value.ts';

/** More entries than are compiled as a whole, each with references to the next one. */
function chain(length: number, more: JsonSchema = {}): JsonSchema {
  const entry = (index: number): JsonSchema => ({
    type: 'object',
    properties: {
      size: { type: 'integer', minimum: 0 },
      next: { $ref: `#/$defs/shelf_${(index + 1) % length}` },
      all: { type: 'array', items: { anyOf: [{ $ref: `#/$defs/shelf_${(index * 3) % length}` }, { type: 'null' }] }, uniqueItems: true },
    },
    required: ['size'],
    ...more,
  });
  return Object.fromEntries(Array.from({ length }, (_, index) => [`shelf_${index}`, entry(index)]));
}

const named = { type: 'object', properties: { shelf: { $ref: '#/$defs/shelf_0', description: 'A shelf.' } } };

const values: readonly unknown[] = [
  {},
  { shelf: { size: 1 } },
  { shelf: { size: -1 } },
  { shelf: { size: 1, next: { size: 2, next: { size: 3 } } } },
  { shelf: { size: 1, next: { size: 2, next: { size: 'x' } } } },
  { shelf: { size: 1, all: [null, { size: 4 }] } },
  { shelf: { size: 1, all: [null, {}] } },
  { shelf: { size: 1, all: [{ size: 1 }, { size: 1 }] } },
  { shelf: { size: 1, other: true } },
  { shelf: [] },
  'shelf',
];

const schemas: Readonly<Record<string, JsonSchema>> = {
  'plain entries': { ...named, $defs: chain(40) },
  'entries that refuse other members': { ...named, $defs: chain(40, { additionalProperties: false }) },
  'entries that refuse members which no schema knows': { ...named, $defs: chain(40, { unevaluatedProperties: false }) },
  'an entry with an address': { ...named, $defs: { ...chain(40), other: { $id: 'https://shop.example/other' } } },
  'an entry that is false': { ...named, $defs: { ...chain(40), shelf_1: false } },
  'a reference below an entry': {
    ...named,
    properties: { shelf: { $ref: '#/$defs/shelf_0/properties/next' } },
    $defs: chain(40),
  },
  'limits beside a reference': { ...named, properties: { shelf: { $ref: '#/$defs/shelf_0', maxProperties: 1 } }, $defs: chain(40) },
};

describe('a schema with many $defs', () => {
  for (const [title, schema] of Object.entries(schemas)) {
    it(`with ${title} takes the same values as an uncompiled check`, () => {
      const found = values.map((value) => checkValue(schema, value).length === 0);
      expect(found).to.deep.equal(values.map((value) => Check(schema as never, value)));
    });
  }

  it('names the place of an issue behind references', () => {
    const issues = checkValue({ ...named, $defs: chain(40) }, values[4]);
    expect(issues).to.deep.include({
      path: 'shelf.next.next.size',
      pointer: '/shelf/next/next/size',
      message: 'expected integer, received string "x"',
    });
  });

  it('checks a value although hundreds of them refer to each other', () => {
    const schema = { ...named, $defs: chain(900) };
    expect(checkValue(schema, values[3])).to.deep.equal([]);
    expect(checkValue(schema, values[4])).to.have.length(1);
  });

  it('takes digits of integers beyond 2^53 in an entry', () => {
    const schema = { ...named, $defs: chain(40) };
    expect(checkExactly(schema, { shelf: { size: 1, next: { size: '9007199254740993' } } })).to.deep.equal([]);
    expect(checkExactly(schema, { shelf: { size: 1, next: { size: '-9007199254740993' } } })[0]?.path).to.equal('shelf.next.size');
  });
});
