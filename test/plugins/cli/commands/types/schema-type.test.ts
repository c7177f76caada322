import { expect } from 'chai';
import { schemaType } from '../../../../../plugins/cli/commands/types/schema-type.ts';

const cases: readonly (readonly [what: string, schema: unknown, type: string])[] = [
  ['an integer', { type: 'integer', minimum: 1 }, 'number'],
  ['an integer with all digits', { type: 'integer', format: 'int64' }, 'number | bigint | string'],
  ['an integer of an output, with all digits', { type: ['integer', 'string'], format: 'int64' }, 'number | string'],
  ['several types', { type: ['string', 'null'] }, 'string | null'],
  ['an enumeration', { type: 'string', enum: ['a', "b'c"] }, `"a" | "b'c"`],
  ['a constant', { const: true }, 'true'],
  ['alternatives', { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string | number'],
  ['parts that must all hold', { allOf: [{ type: 'string' }, { anyOf: [{ const: 'a' }, { const: 'b' }] }] }, 'string & ("a" | "b")'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
  ['a list of unions', { type: 'array', items: { enum: [1, 2] } }, 'Array<1 | 2>'],
  [
    'a list with places',
    { type: 'array', prefixItems: [{ type: 'string' }, { enum: ['a', 'b'] }], minItems: 1, items: false },
    '[string, ("a" | "b")?]',
  ],
  ['an object without members', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
  ['an object of any members', { type: 'object' }, 'Record<string, unknown>'],
  ['an object with members of a type', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  ['anything', {}, 'unknown'],
  ['nothing', false, 'never'],
  ['what TypeScript cannot say', { not: { type: 'string' } }, 'unknown'],
  ['an alternative that may be anything', { anyOf: [{ type: 'string' }, {}] }, 'unknown'],
  ['a reference to another file', { $ref: 'other.json' }, 'unknown'],
];

describe('the TypeScript type of a JSON Schema', () => {
  for (const [what, schema, type] of cases) it(`of ${what} is ${type}`, () => expect(schemaType(schema, {})).to.equal(type));

  it('of an object has its members, required or not, with their descriptions', () => {
    const schema = {
      type: 'object',
      properties: { 'a-b': { type: 'string', description: 'Ends */ here\nor not' }, c: { type: 'object', properties: { d: {} } } },
      required: ['a-b'],
      additionalProperties: true,
    };
    const lines = [
      '{',
      '  /** Ends *\\/ here or not */',
      '  "a-b": string;',
      '  c?: {',
      '    d?: unknown;',
      '  };',
      '  [key: string]: unknown;',
      '}',
    ];
    expect(schemaType(schema, schema)).to.equal(lines.join('\n'));
  });

  it('follows references, and ends where they go in a circle', () => {
    const root = { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' };
    const type = schemaType(root, root);
    expect(type.match(/next/g)).to.have.lengthOf(8);
    expect(type).to.include('next?: unknown;');
  });
});
