import { expect } from 'chai';
import { checkValue, type JsonSchema } from '../../../../kernel/index.ts';
import { toStrictSchema, withoutStrictNulls } from '../../../../plugins/shared/exposure/strict-schema.ts';

const closed = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

interface Case {
  readonly what: string;
  /** Schema of an optional member. */
  readonly schema: unknown;
  readonly strict: unknown;
}

const cases: readonly Case[] = [
  { what: 'a text', schema: { type: 'string', description: 'It.' }, strict: { type: ['string', 'null'], description: 'It.' } },
  {
    what: 'a default, in words',
    schema: { type: 'integer', default: 7, description: 'How many.' },
    strict: { type: ['integer', 'null'], description: 'How many. Null means 7.' },
  },
  { what: 'an enum', schema: { type: 'string', enum: ['a'] }, strict: { type: ['string', 'null'], enum: ['a', null] } },
  { what: 'a constant', schema: { type: 'string', const: 'a' }, strict: { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] } },
  { what: 'a value that may be null', schema: { type: ['string', 'null'] }, strict: { type: ['string', 'null'] } },
  {
    what: 'limits, as far as strict mode knows them',
    schema: { type: 'string', minLength: 1, maxLength: 2, pattern: '^a', format: 'uri', examples: ['a'] },
    strict: { type: ['string', 'null'], pattern: '^a' },
  },
  { what: 'a pattern with lookahead', schema: { type: 'string', pattern: '(?=a)' }, strict: { type: ['string', 'null'] } },
  { what: 'a format', schema: { type: 'string', format: 'uuid' }, strict: { type: ['string', 'null'], format: 'uuid' } },
  {
    what: 'a list of objects',
    schema: { type: 'array', uniqueItems: true, minItems: 1, items: closed({ b: { type: 'string' } }) },
    strict: { type: ['array', 'null'], minItems: 1, items: closed({ b: { type: ['string', 'null'] } }, ['b']) },
  },
  {
    what: 'a union',
    schema: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'integer' }] },
    strict: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
  },
];

describe('a schema for the strict mode of OpenAI', () => {
  for (const { what, schema, strict } of cases)
    it(`says ${what}`, () => {
      expect(toStrictSchema(closed({ a: schema }))).to.deep.equal({ schema: closed({ a: strict }, ['a']) });
    });

  it('leaves what is required as it is, and the order of members', () => {
    const schema = closed({ b: { type: 'string' }, a: { type: 'string' } }, ['a']);
    const strict = toStrictSchema(schema) as { schema: JsonSchema };
    expect(strict.schema).to.deep.equal(closed({ b: { type: ['string', 'null'] }, a: { type: 'string' } }, ['b', 'a']));
    expect(Object.keys(strict.schema['properties'] as object)).to.deep.equal(['b', 'a']);
  });

  it('keeps references and what they refer to', () => {
    const schema = { ...closed({ a: { $ref: '#/$defs/b', description: 'It.' } }), $defs: { b: closed({ c: { $ref: '#/$defs/b' } }) } };
    expect(toStrictSchema(schema)).to.deep.equal({
      schema: {
        ...closed({ a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'null' }] } }, ['a']),
        $defs: { b: closed({ c: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'null' }] } }, ['c']) },
      },
    });
  });

  const open: readonly { readonly what: string; readonly schema: unknown; readonly places: Readonly<Record<string, string>> }[] = [
    { what: 'any value', schema: { description: 'It.' }, places: { '/properties/a': 'any value' } },
    { what: 'any object', schema: { type: 'object' }, places: { '/properties/a': 'members of any name' } },
    {
      what: 'an object with further members',
      schema: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } },
      places: { '/properties/a': 'members of any name' },
    },
    { what: 'a list of any values', schema: { type: 'array', items: {} }, places: { '/properties/a/items': 'any value' } },
    {
      what: 'a union with parts that stay open, once',
      schema: { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }, { type: 'string' }] },
      places: { '/properties/a': 'members of any name' },
    },
    { what: 'a choice', schema: { oneOf: [{ type: 'string' }] }, places: { '/properties/a': '"oneOf"' } },
    {
      what: 'too many values',
      schema: { type: 'string', enum: Array.from({ length: 1001 }, (_, n) => `${n}`) },
      places: { '': 'expected at most 1000 values of enums, received 1002' },
    },
  ];
  for (const { what, schema, places } of open)
    it(`cannot say ${what}, and says where and why`, () => {
      const found = toStrictSchema(closed({ a: schema }));
      expect('open' in found && Object.fromEntries(found.open.map(({ pointer, reason }) => [pointer, reason]))).to.deep.equal(places);
    });
});

describe('what a model gives in strict mode', () => {
  const schema: JsonSchema = {
    ...closed(
      {
        text: { type: 'string' },
        cursor: { type: ['string', 'null'] },
        lines: { type: 'array', items: closed({ name: { type: 'string' }, note: { type: 'string' } }, ['name']) },
        target: { anyOf: [closed({ id: { type: 'string' }, kind: { type: 'string' } }, ['id']), { type: 'string' }] },
        tree: { $ref: '#/$defs/node' },
      },
      ['text'],
    ),
    $defs: { node: closed({ name: { type: 'string' }, next: { $ref: '#/$defs/node' } }, ['name']) },
  };
  const strict = toStrictSchema(schema) as { schema: JsonSchema };

  const calls: readonly { readonly what: string; readonly given: object; readonly meant: object }[] = [
    {
      what: 'nothing but what is required, and a null that is a value',
      given: { text: 'a', cursor: null, lines: null, target: null, tree: null },
      meant: { text: 'a', cursor: null },
    },
    {
      what: 'members of items',
      given: { text: 'a', cursor: 'b', lines: [{ name: 'c', note: null }], target: 'd', tree: null },
      meant: { text: 'a', cursor: 'b', lines: [{ name: 'c' }], target: 'd' },
    },
    {
      what: 'members of a part of a union, and below references',
      given: { text: 'a', cursor: 'b', lines: [], target: { id: 'c', kind: null }, tree: { name: 'd', next: { name: 'e', next: null } } },
      meant: { text: 'a', cursor: 'b', lines: [], target: { id: 'c' }, tree: { name: 'd', next: { name: 'e' } } },
    },
  ];
  for (const { what, given, meant } of calls)
    it(`fits, and means the call without nulls: ${what}`, () => {
      expect(checkValue(strict.schema, given)).to.deep.equal([]);
      expect(withoutStrictNulls(schema, given)).to.deep.equal(meant);
      expect(checkValue(schema, meant)).to.deep.equal([]);
    });

  it('stays as it is where a null is wrong, so that the check of the call says so', () => {
    expect(withoutStrictNulls(schema, { text: null, other: null })).to.deep.equal({ text: null, other: null });
  });
});
