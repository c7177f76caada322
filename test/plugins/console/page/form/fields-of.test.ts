import { expect } from 'chai';
import type { Field, ObjectField } from '../../../../../plugins/console/page/form/field.ts';
import { fieldsOf } from '../../../../../plugins/console/page/form/fields-of.ts';

function memberOf(schema: unknown, more: Record<string, unknown> = {}): Field {
  const root = fieldsOf({ type: 'object', properties: { it: schema }, ...more }) as ObjectField;
  return root.members[0] as Field;
}

describe('The form of a schema', () => {
  const table: readonly (readonly [string, unknown, object])[] = [
    ['a text', { type: 'string', minLength: 2, maxLength: 5 }, { kind: 'text', minLength: 2, maxLength: 5 }],
    [
      'a text with a pattern',
      { type: 'string', pattern: '^a$', pattern_description: 'an a' },
      { pattern: '^a$', patternDescription: 'an a' },
    ],
    ['a date', { type: 'string', format: 'date' }, { kind: 'text', format: 'date' }],
    ['an integer', { type: 'integer', minimum: 1, maximum: 9 }, { kind: 'number', isInteger: true, minimum: 1, maximum: 9 }],
    ['a number', { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 }, { kind: 'number', isInteger: false, above: 0, multipleOf: 0.5 }],
    ['an integer of 64 bits', { type: 'integer', format: 'int64' }, { kind: 'number', takesDigits: true }],
    [
      'an integer that may be digits',
      { type: ['integer', 'string'], pattern: '^-?[1-9]\\d{15,}$' },
      { kind: 'number', isInteger: true, takesDigits: true },
    ],
    ['a number that may be null', { type: ['number', 'null'] }, { kind: 'number', isNullable: true }],
    ['a text that may be null, as OpenAPI 3.0 says it', { type: 'string', nullable: true }, { kind: 'text', isNullable: true }],
    ['a text that may be null, by anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { kind: 'text', isNullable: true }],
    ['a list', { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true }, { kind: 'list', minItems: 1, isUnique: true }],
    ['a default', { type: 'integer', default: 10 }, { default: { value: 10 } }],
    ['an object', { type: 'object', properties: { a: {} } }, { kind: 'object', takesOthers: false }],
    ['an object with further members', { properties: {}, additionalProperties: { type: 'string' } }, { kind: 'object', takesOthers: true }],
    ['an object without named members', { type: 'object' }, { kind: 'json', types: ['object'] }],
    ['anything', {}, { kind: 'json', types: [] }],
    ['a schema that is true', true, { kind: 'json', types: [] }],
    ['a tuple', { type: 'array', prefixItems: [{}] }, { kind: 'json', types: ['array'] }],
    ['members by pattern', { type: 'object', properties: {}, patternProperties: { '^x': {} } }, { kind: 'json', types: ['object'] }],
    ['parts that contradict each other', { allOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json', types: [] }],
    ['a reference to nothing', { $ref: '#/$defs/none' }, { kind: 'json', types: [] }],
    ['a reference to another document', { $ref: 'https://example.com/a.json' }, { kind: 'json', types: [] }],
    ['joined limits', { allOf: [{ type: 'integer', minimum: 1 }, { minimum: 3 }] }, { kind: 'number', minimum: 3 }],
  ];
  for (const [name, schema, expected] of table)
    it(`draws ${name}`, () => {
      expect(memberOf(schema)).to.deep.include({ name: 'it', isRequired: false, ...expected });
    });

  const options: readonly (readonly [string, unknown, readonly unknown[]])[] = [
    ['an enum', { enum: ['a', 1, null] }, ['a', 1, null]],
    ['a const', { const: 'a' }, ['a']],
    ['a boolean', { type: 'boolean' }, [true, false]],
    ['a oneOf of constants', { oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] }, ['a', 'b']],
  ];
  for (const [name, schema, values] of options)
    it(`offers the values of ${name}`, () => {
      const field = memberOf(schema);
      expect(field.kind === 'option' && field.options.map(({ value }) => value)).to.deep.equal(values);
    });

  it('names the branches of a choice by what tells them apart', () => {
    const branch = (type: string): object => ({ properties: { type: { const: type }, [type]: {} }, required: ['type', type] });
    const field = memberOf({ type: 'object', oneOf: [branch('card'), branch('bank'), { title: 'Cash', properties: {} }] });
    expect(field.kind === 'choice' && field.choices.map(({ label }) => label)).to.deep.equal(['type: card', 'type: bank', 'Cash']);
  });

  it('joins what stands beside a choice into each branch', () => {
    const field = memberOf({ type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(field.kind === 'choice' && field.choices.map(({ label }) => label)).to.deep.equal(['with a', 'with b']);
  });

  it('offers each of several types', () => {
    const field = memberOf({ type: ['string', 'integer', 'null'] });
    expect(field).to.deep.include({ kind: 'choice', isNullable: true });
    expect(field.kind === 'choice' && field.choices.map((choice) => choice.field.kind)).to.deep.equal(['text', 'number']);
  });

  it('follows references, and writes as JSON what contains itself', () => {
    const $defs = {
      node: { type: 'object', description: 'A node', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } } },
    };
    const field = memberOf({ $ref: '#/$defs/node' }, { $defs });
    expect(field).to.deep.include({ kind: 'object', description: 'A node' });
    expect(field.kind === 'object' && field.members.map(({ kind }) => kind)).to.deep.equal(['json', 'text']);
  });

  it('ends for branches that contain each other', () => {
    const $defs = {
      a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'array', items: { $ref: '#/$defs/a' } }] },
      b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] },
    };
    expect(memberOf({ $ref: '#/$defs/a' }, { $defs }).kind).to.equal('choice');
  });

  it('writes as JSON what is deeper than six levels, and what comes after 1,000 fields', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 10; level++) deep = { type: 'object', properties: { in: deep } };
    expect(JSON.stringify(memberOf(deep)))
      .to.contain('"kind":"json"')
      .and.not.contain('"kind":"text"');
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const root = fieldsOf({ type: 'object', properties: many }) as ObjectField;
    expect(root.members.filter(({ kind }) => kind === 'text').length).to.equal(999);
  });

  it('knows a required member and its description', () => {
    const root = fieldsOf({
      type: 'object',
      properties: { a: { type: 'string', title: 'Name', description: 'of the file' } },
      required: ['a'],
    });
    expect((root as ObjectField).members[0]).to.deep.include({ isRequired: true, description: 'Name. of the file' });
  });

  it('takes a member named __proto__ as a member', () => {
    const root = fieldsOf(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')) as ObjectField;
    expect(root.members.map(({ name }) => name)).to.deep.equal(['__proto__']);
  });
});
