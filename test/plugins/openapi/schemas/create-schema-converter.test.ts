import { expect } from 'chai';
import { checkValue, type JsonSchema } from '../../../../kernel/index.ts';
import { createSchemaConverter } from '../../../../plugins/openapi/schemas/create-schema-converter.ts';
import type { Direction } from '../../../../plugins/openapi/schemas/schema-converter.ts';
import { located, resolverOf } from './support.ts';

interface Made {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly notes: readonly string[];
}

const text = { type: 'string' };

function convert(schema: unknown, schemas: object = {}, direction: Direction = 'input', dialect: '3.0' | '3.1' = '3.0'): Made {
  const converter = createSchemaConverter({ resolver: resolverOf({ components: { schemas } }), dialect, base: 'doc.json' });
  return { schema: converter.convert(located(schema), direction), definitions: converter.definitions, notes: converter.notes };
}

/** True when the converted schema takes the value. */
function takes({ schema, definitions }: Made, value: unknown): boolean {
  return checkValue({ ...schema, $defs: definitions }, value).length === 0;
}

interface Case {
  readonly what: string;
  readonly schema: unknown;
  readonly becomes: JsonSchema;
  /** Part of the note. */
  readonly note?: string;
}

const cases: readonly Case[] = [
  { what: 'nullable', schema: { ...text, nullable: true, enum: ['a'] }, becomes: { enum: ['a', null], type: ['string', 'null'] } },
  {
    what: 'a boolean exclusiveMinimum',
    schema: { type: 'number', minimum: 3, exclusiveMinimum: true },
    becomes: { type: 'number', exclusiveMinimum: 3 },
  },
  { what: 'example', schema: { ...text, example: 'a' }, becomes: { ...text, examples: ['a'] } },
  { what: 'a file of 2.0', schema: { type: 'file' }, becomes: { ...text, format: 'binary' } },
  { what: 'byte', schema: { ...text, format: 'byte' }, becomes: { ...text, contentEncoding: 'base64' } },
  { what: 'oneOf', schema: { oneOf: [text, { type: 'integer' }] }, becomes: { anyOf: [text, { type: 'integer' }] } },
  { what: 'xml and discriminator', schema: { ...text, xml: { name: 'a' }, discriminator: { propertyName: 'b' } }, becomes: text },
  { what: 'an unknown format', schema: { ...text, format: 'odd' }, becomes: { ...text, format: 'odd' } },
  { what: 'a type in capitals', schema: { type: 'String' }, becomes: text },
  { what: 'an unknown type', schema: { type: 'Thing' }, becomes: {}, note: 'Thing' },
  {
    what: 'values of another type',
    schema: { type: 'integer', enum: ['1', '2'] },
    becomes: { enum: [1, 2], type: 'integer' },
    note: 'converted',
  },
  {
    what: 'values that fit no type',
    schema: { type: 'integer', enum: ['a'] },
    becomes: { enum: ['a'], type: 'string' },
    note: 'type is left out',
  },
  {
    what: 'values of its items beside a list',
    schema: { type: 'array', items: text, enum: ['a', 'b'] },
    becomes: { type: 'array', items: { ...text, enum: ['a', 'b'] } },
    note: 'read as theirs',
  },
  {
    what: 'values of items of another type, beside a list that may be null',
    schema: { type: 'array', nullable: true, items: { type: 'integer' }, enum: ['1', null] },
    becomes: { type: ['array', 'null'], items: { type: 'integer', enum: [1] } },
    note: 'read as theirs',
  },
  {
    what: 'values of items beside a list whose items have their own',
    schema: { type: 'array', items: { ...text, enum: ['a'] }, enum: ['a', 'b'] },
    becomes: { type: 'array', items: { ...text, enum: ['a'] } },
    note: 'read as theirs',
  },
  {
    what: 'lists as values',
    schema: { type: 'array', items: text, enum: [['a'], ['b']] },
    becomes: { type: 'array', items: text, enum: [['a'], ['b']] },
  },
  { what: 'a limit that is a text', schema: { type: 'integer', maximum: '10' }, becomes: { type: 'integer', maximum: 10 } },
  { what: 'a limit that is no number', schema: { type: 'integer', maximum: 'ten' }, becomes: { type: 'integer' }, note: '"maximum"' },
  { what: 'a list without items', schema: { type: 'array' }, becomes: { type: 'array' } },
  {
    what: 'properties in a list',
    schema: { properties: [{ name: 'a', type: 'string' }] },
    becomes: { type: 'object', properties: { a: text } },
    note: 'are a list',
  },
  { what: 'required: true', schema: { type: 'object', required: true }, becomes: { type: 'object' }, note: '"required"' },
  { what: 'a default that is no value', schema: { type: 'integer', default: 'x' }, becomes: { type: 'integer' }, note: 'default' },
  { what: 'a default that is one', schema: { type: 'integer', default: 3 }, becomes: { type: 'integer', default: 3 } },
  { what: 'a pattern that does not compile', schema: { ...text, pattern: '[' }, becomes: text, note: 'pattern' },
  {
    what: 'a reference that leads nowhere',
    schema: { $ref: '#/none', description: 'A.' },
    becomes: { description: 'A.' },
    note: 'leads nowhere',
  },
  { what: 'a text', schema: 'string', becomes: {}, note: 'expected a schema' },
  { what: '__proto__', schema: JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), becomes: { type: 'object', properties: {} } },
];

describe('a schema of a document', () => {
  for (const { what, schema, becomes, note } of cases)
    it(`is converted with ${what}`, () => {
      const made = convert(schema);
      expect(made.schema).to.deep.equal(becomes);
      expect(made.notes.join('\n')).to.match(note === undefined ? /^$/ : new RegExp(note));
    });

  it('has values of its items at them, also where they are a reference', () => {
    const schemas = { Name: text };
    const made = convert({ type: 'array', items: { $ref: '#/components/schemas/Name' }, enum: ['a'] }, schemas);
    expect([['a'], [], ['b'], 'a'].map((value) => takes(made, value))).to.deep.equal([true, true, false, false]);
  });

  it('keeps references, also in circles, as one object for each place', () => {
    const schemas = { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } };
    const converter = createSchemaConverter({ resolver: resolverOf({ components: { schemas } }), dialect: '3.0' });
    const place = located({ $ref: '#/components/schemas/Node' });
    expect(converter.convert(place, 'input')).to.equal(converter.convert(place, 'input'));
    expect(converter.convert(located({ $ref: '#/components/schemas/Node' }, '/other'), 'output')).to.deep.equal({ $ref: '#/$defs/Node' });
    expect(converter.definitions).to.deep.equal({ Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } });
  });

  it('gives other names a hash of their place', () => {
    const { definitions } = convert(
      { anyOf: [{ $ref: '#/components/schemas/a~1b' }, { $ref: '#/components/schemas/A/properties/x' }] },
      {
        'a/b': text,
        A: { properties: { x: { type: 'integer' } } },
      },
    );
    expect(
      Object.keys(definitions)
        .map((name) => name.replace(/-[0-9a-f]{6}$/, '-#'))
        .sort(),
    ).to.deep.equal(['A.x-#', 'schemas.a_b-#']);
  });

  it('has no readOnly members in inputs and no writeOnly members in outputs, nor requires them', () => {
    const schemas = {
      User: {
        type: 'object',
        properties: { id: { ...text, readOnly: true }, password: { ...text, writeOnly: true } },
        required: ['id', 'password'],
      },
      Page: { type: 'object', properties: { user: { $ref: '#/components/schemas/User' } } },
      Plain: text,
    };
    const converter = createSchemaConverter({ resolver: resolverOf({ components: { schemas } }), dialect: '3.0', base: 'doc.json' });
    for (const direction of ['input', 'output'] as const)
      for (const name of ['Page', 'Plain']) converter.convert(located({ $ref: `#/components/schemas/${name}` }, `/${name}`), direction);
    expect(converter.definitions).to.deep.equal({
      Page: { type: 'object', properties: { user: { $ref: '#/$defs/User' } } },
      User: { type: 'object', properties: { password: text }, required: ['password'] },
      Plain: text,
      'Page.output': { type: 'object', properties: { user: { $ref: '#/$defs/User.output' } } },
      'User.output': { type: 'object', properties: { id: text }, required: ['id'] },
    });
  });

  it('takes the members of all parts of allOf, although one of them is closed', () => {
    const schemas = { Base: { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false } };
    const made = convert({ allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties: { b: text } }] }, schemas);
    expect(takes(made, { a: 'x', b: 'y' })).to.equal(true);
    expect(takes(made, { b: 'y' })).to.equal(false);
  });

  it('is checked to an end where a base names what extends it', () => {
    const schemas = {
      Pet: {
        type: 'object',
        properties: { kind: text },
        required: ['kind'],
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      },
      Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object', properties: { lives: { type: 'integer' } } }] },
      Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object', properties: { tricks: { type: 'integer' } } }] },
      Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] },
      One: { anyOf: [{ $ref: '#/components/schemas/Two' }] },
      Two: { oneOf: [{ $ref: '#/components/schemas/One' }, text] },
    };
    for (const name of Object.keys(schemas)) {
      const made = convert({ $ref: `#/components/schemas/${name}` }, schemas);
      expect(takes(made, { kind: 'cat', lives: 9 }), name).to.be.a('boolean');
    }
    const pet = convert({ $ref: '#/components/schemas/Pet' }, schemas);
    expect(takes(pet, { kind: 'cat', lives: 9 })).to.equal(true);
    expect(takes(pet, { lives: 9 })).to.equal(false);
  });

  it('takes null beside a reference', () => {
    const made = convert({ allOf: [{ $ref: '#/components/schemas/A' }], nullable: true, description: 'It.' }, { A: text });
    expect([takes(made, null), takes(made, 'a'), takes(made, 1)]).to.deep.equal([true, true, false]);
  });

  it('means what 3.1 says beside a reference', () => {
    const made = convert({ $ref: '#/components/schemas/A', maxLength: 2 }, { A: text }, 'input', '3.1');
    expect([takes(made, 'ab'), takes(made, 'abc')]).to.deep.equal([true, false]);
  });

  it('names what had to change in a bounded number of notes', () => {
    const properties = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`a${index}`, { type: `${index}?` }]));
    expect(convert({ type: 'object', properties }).notes).to.have.length(501);
  });
});
