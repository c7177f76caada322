import { expect } from 'chai';
import { checkValue, type JsonSchema, type JsonValue } from '../../../../kernel/index.ts';
import { sampleValue } from '../../../../plugins/openapi/mock/sample-value.ts';

const definitions: Readonly<Record<string, JsonSchema>> = {
  Book: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] },
  Loop: { $ref: '#/$defs/Loop' },
};

const text: JsonSchema = { type: 'string' };

const cases: Readonly<Record<string, [schema: JsonSchema, value: JsonValue]>> = {
  'an example before a default': [{ type: 'string', examples: ['a'], default: 'b' }, 'a'],
  'a constant': [{ const: 'only' }, 'only'],
  'a default before listed values': [{ type: 'integer', default: 7, enum: [1, 7] }, 7],
  'the first listed value': [{ enum: ['novel', 'poetry'] }, 'novel'],
  'an example that is false': [{ type: 'boolean', examples: [false] }, false],
  'a text of a format': [{ type: 'string', format: 'date' }, '2026-03-14'],
  'a text of a format named like a member of all objects': [{ type: 'string', format: 'constructor' }, 'sample'],
  'a text that is long enough': [{ type: 'string', minLength: 8 }, 'sample--'],
  'a text that is short enough': [{ type: 'string', maxLength: 3 }, 'sam'],
  'a number above a limit': [{ type: 'integer', exclusiveMinimum: 4 }, 5],
  'a multiple of a step': [{ type: 'integer', minimum: 5, multipleOf: 4 }, 8],
  'a number below a limit': [{ type: 'number', maximum: -2 }, -2],
  'a list with as many items as it needs': [{ type: 'array', items: text, minItems: 2 }, ['sample', 'sample']],
  'null for the type null': [{ type: 'null' }, null],
  'the other type of a value that may be null': [{ type: ['null', 'boolean'] }, true],
  'the target of a reference': [{ $ref: '#/$defs/Book' }, { title: 'sample' }],
  'the parts of allOf and the own members together': [
    { allOf: [{ $ref: '#/$defs/Book' }], properties: { isbn: text }, required: ['isbn'] },
    { title: 'sample', isbn: 'sample' },
  ],
  'the first branch of a union': [{ anyOf: [{ type: 'integer' }, text] }, 1],
};

describe('sampleValue', () => {
  for (const [what, [schema, value]] of Object.entries(cases))
    it(`makes ${what}`, () => {
      expect(sampleValue(schema, definitions)).to.deep.equal(value);
      expect(checkValue({ ...schema, $defs: definitions }, value)).to.deep.equal([]);
    });

  it('leaves optional members out when only required ones are wanted', () => {
    const schema: JsonSchema = { type: 'object', properties: { a: text, b: text }, required: ['b'] };
    expect(sampleValue(schema, {}, { isRequiredOnly: true })).to.deep.equal({ b: 'sample' });
    expect(sampleValue(schema, {})).to.deep.equal({ a: 'sample', b: 'sample' });
  });

  it('ends in a schema that refers to itself', () => {
    expect(JSON.stringify(sampleValue({ $ref: '#/$defs/Node' }, definitions))).to.match(/^(\{"next":){5,20}null\}+$/);
    expect(sampleValue({ $ref: '#/$defs/Loop' }, definitions)).to.satisfy((value: unknown) => value === null || value === 'sample');
  });

  it('gives null for a reference that leads nowhere, also to a member of all objects', () => {
    for (const name of ['Gone', '__proto__', 'constructor']) expect(sampleValue({ $ref: `#/$defs/${name}` }, definitions)).to.equal(null);
  });

  it('keeps a member named __proto__ as a member', () => {
    // No number: a schema written here.
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonSchema;
    expect(JSON.stringify(sampleValue(schema, {}))).to.equal('{"__proto__":"sample"}');
  });

  it('bounds lists and texts that a schema wants very long', () => {
    expect(sampleValue({ type: 'array', items: text, minItems: 1e9 }, {})).to.have.length(100);
    expect(sampleValue({ type: 'string', minLength: 1e9 }, {})).to.have.length(10_000);
  });
});
