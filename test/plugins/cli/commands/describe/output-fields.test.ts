import { expect } from 'chai';
import { outputFields } from '../../../../../plugins/cli/commands/describe/output-fields.ts';
import { shownParameters } from '../../../../../plugins/cli/terminal/parameter-rows.ts';

describe('the output of a described tool', () => {
  const shapes: readonly { readonly title: string; readonly schema: object; readonly fields: readonly string[] }[] = [
    { title: 'a simple value', schema: { type: 'string', description: 'The text.' }, fields: [': string: The text.'] },
    { title: 'anything', schema: {}, fields: [': any: '] },
    {
      title: 'members and lists, three levels deep',
      schema: {
        properties: {
          a: { properties: { b: { properties: { c: { properties: { d: { type: 'string' } } } } } } },
          list: { type: 'array', items: { properties: { id: { type: 'integer' } } } },
        },
      },
      fields: ['a: object: ', 'a.b: object: ', 'a.b.c: object: ', 'list: array of object: ', 'list[].id: integer: '],
    },
    {
      title: 'a list at the top',
      schema: { type: 'array', items: { properties: { id: { type: ['integer', 'null'] } } } },
      fields: ['[].id: integer or null: '],
    },
    {
      title: 'what references say, also those that lead back',
      schema: { $ref: '#/$defs/node', $defs: { node: { properties: { next: { $ref: '#/$defs/node', description: 'The next.' } } } } },
      fields: ['next: object: The next.', 'next.next: object: The next.', 'next.next.next: object: The next.'],
    },
    {
      title: 'references that lead nowhere',
      schema: { properties: { a: { $ref: '#/$defs/none' }, b: { $ref: '#/properties/b' } } },
      fields: ['a: any: ', 'b: any: '],
    },
    {
      title: 'names that would steer the terminal',
      schema: { properties: { 'a\u001b': { enum: ['x\u202e'] } } },
      fields: ['a\\u001b: string: (one of "x\\u202e")'],
    },
  ];
  for (const { title, schema, fields } of shapes) {
    it(`shows ${title}`, () => {
      expect(outputFields(schema as Record<string, unknown>).map(({ path, type, text }) => `${path}: ${type}: ${text}`)).to.deep.equal(
        fields,
      );
    });
  }
});

describe('the parameters of a described tool', () => {
  it('stand with their limits and defaults, the required ones first', () => {
    const properties = {
      per_page: { type: 'integer', minimum: 1, maximum: 100, default: 30, description: 'How many.\n' },
      name: { type: 'string', minLength: 1, format: 'email' },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 },
      rate: { type: ['number', 'null'], exclusiveMinimum: 0, multipleOf: 0.5 },
      kind: { const: 'x' },
      one: { anyOf: [{ type: 'string' }, { type: 'object' }], pattern: '^a' },
    };
    const shown = shownParameters({ inputSchema: { type: 'object', properties, required: ['name'] } });
    expect(shown.map(({ name, type, isRequired, text }) => [name, type, isRequired, text])).to.deep.equal([
      ['name', 'string', true, '(at least 1 character; format email)'],
      ['per_page', 'integer', false, 'How many. (1 to 100; default 30)'],
      ['tags', 'array of string', false, '(each one of "a", "b"; at most 2 items)'],
      ['rate', 'number or null', false, '(above 0; a multiple of 0.5)'],
      ['kind', 'string', false, '(always "x")'],
      ['one', 'string or object', false, '(matches ^a)'],
    ]);
  });
});
