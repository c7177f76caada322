import { expect } from 'chai';
import { checkValue, type JsonSchema } from '../../../../kernel/index.ts';
import { portableSchema } from '../../../../plugins/shared/exposure/portable-schema.ts';

const plain = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];
const item = { anyOf: [{ type: 'object' }, ...plain] };
const listOf = (items: object) => ({ anyOf: [{ type: 'object' }, { type: 'array', items }, ...plain] });

interface Case {
  readonly what: string;
  readonly schema: unknown;
  readonly listed: unknown;
}

const cases: readonly Case[] = [
  { what: 'any value', schema: {}, listed: listOf(listOf(item)) },
  { what: 'true', schema: true, listed: listOf(listOf(item)) },
  {
    what: 'any value with a description, which goes to the first part',
    schema: { description: 'What is sent.' },
    listed: { anyOf: [{ type: 'object', description: 'What is sent.' }, ...listOf(listOf(item)).anyOf.slice(1)] },
  },
  {
    what: 'several types, each with the keywords of its own',
    schema: { type: ['number', 'array'], minimum: 1, minItems: 2, items: { type: 'number' }, description: 'It' },
    listed: {
      anyOf: [
        { type: 'number', minimum: 1, description: 'It' },
        { type: 'array', minItems: 2, items: { type: 'number' } },
      ],
    },
  },
  {
    what: 'a default, which goes to the part of its type',
    schema: { type: ['string', 'boolean'], default: false },
    listed: { anyOf: [{ type: 'string' }, { type: 'boolean', default: false }] },
  },
  {
    what: 'members without a type',
    schema: { properties: { a: { type: 'string' } }, required: ['a'] },
    listed: {
      anyOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { type: 'array', items: listOf(item) }, ...plain],
    },
  },
  { what: 'a list that does not say of what', schema: { type: 'array' }, listed: { type: 'array', items: listOf(item) } },
  { what: 'a list of one type', schema: { type: ['string'], maxLength: 3 }, listed: { type: 'string', maxLength: 3 } },
  { what: 'an enum of numbers', schema: { type: 'integer', enum: [4, 7] }, listed: { type: 'integer', description: 'One of 4, 7.' } },
  {
    what: 'an enum of numbers with a description',
    schema: { enum: [4, 7], description: 'The version' },
    listed: { type: 'number', description: 'The version. One of 4, 7.' },
  },
  {
    what: 'an enum of texts and null',
    schema: { type: ['string', 'null'], enum: ['a', null] },
    listed: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
  },
  { what: 'an enum that says its type by its values', schema: { enum: ['a', 'b'] }, listed: { type: 'string', enum: ['a', 'b'] } },
  { what: 'a constant', schema: { const: 'a' }, listed: { type: 'string', enum: ['a'] } },
  {
    what: 'a format that Gemini refuses',
    schema: { type: 'string', format: 'uuid', description: 'Id of the user' },
    listed: { type: 'string', description: 'Id of the user. Format: uuid.' },
  },
  {
    what: 'a union with a description and a default beside it',
    schema: { anyOf: [{ type: 'string', description: 'A name.' }, { type: 'integer' }], description: 'Who', default: 3 },
    listed: {
      anyOf: [
        { type: 'string', description: 'Who. A name.' },
        { type: 'integer', default: 3 },
      ],
    },
  },
  {
    what: 'members of any name and value',
    schema: { type: 'object', additionalProperties: {} },
    listed: { type: 'object', additionalProperties: true },
  },
  {
    what: 'members of any name with several types',
    schema: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    listed: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
  },
];

const unchanged: readonly Case['schema'][] = [
  { type: 'string', minLength: 1, pattern: '^a', enum: ['a'] },
  { type: 'string', format: 'date-time' },
  { type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } }, additionalProperties: false },
  { $ref: '#/$defs/a', description: 'It.' },
  { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  { enum: [] },
  false,
];

const withMember = (member: unknown): JsonSchema => ({ type: 'object', properties: { member }, additionalProperties: false });

describe('a schema in the form that model APIs have in common', () => {
  for (const { what, schema, listed } of cases)
    it(`says ${what} so that all take it, and is the same when it is made again`, () => {
      const once = portableSchema(withMember(schema));
      expect(once).to.deep.equal(withMember(listed));
      expect(portableSchema(once)).to.equal(once);
    });

  for (const schema of unchanged)
    it(`leaves ${JSON.stringify(schema)} as it is, the same object`, () => {
      const given = withMember(schema);
      expect(portableSchema(given)).to.equal(given);
    });

  const taken: readonly unknown[] = [
    ...[null, true, 0, 1.5, '', 'a', [], {}, [[1, 2], ['a']], [[{}], [null]], { a: [[[[1]]]] }, [[{ a: [[[1]]] }]]],
    ...[4, 7, ['a'], { a: 'a' }, { a: 1 }, [1, 2, 3], 'not a uuid'],
  ];
  for (const { what, schema } of cases)
    it(`takes every value that was taken before, of ${what}`, () => {
      const before = withMember(schema);
      const after = portableSchema(before);
      const fitting = taken.filter((member) => checkValue(before, { member }).length === 0);
      expect(fitting.filter((member) => checkValue(after, { member }).length > 0)).to.deep.equal([]);
    });
});
