import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Validated {
  readonly valid: boolean;
  readonly errors: readonly { readonly path: string; readonly pointer: string; readonly message: string }[];
}

const text = { type: 'string' };
const number = { type: 'number' };
const dialect = 'https://json-schema.org/draft/2020-12/schema';
const vocabulary = 'https://json-schema.org/draft/2020-12/vocab';

describe('json_validate', () => {
  const shared = sharedToolkit();

  const validate = (data: unknown, schema: unknown, more: object = {}): Promise<Validated> =>
    shared.toolkit.execute('json_validate', { data, schema, ...more }) as unknown as Promise<Validated>;

  for (const data of [null, 1, 'a', [], {}])
    it(`takes true and false for schemas of ${JSON.stringify(data)}`, async () => {
      expect(await validate(data, true)).to.deep.equal({ valid: true, errors: [] });
      const { valid, errors } = await validate(data, false);
      expect({ valid, errors }).to.deep.equal({
        valid: false,
        errors: [{ path: '', pointer: '', message: 'is not allowed: the schema is false' }],
      });
    });

  const bundle = { $id: 'https://one.example/main.json', $ref: 'common.json', $defs: { common: { $id: 'common.json', ...text } } };
  const strictTree = { $id: 'https://one.example/strict', $dynamicAnchor: 'node', $ref: 'tree', type: 'array' };
  const cases: readonly {
    readonly what: string;
    readonly schema: unknown;
    readonly schemas: object;
    readonly fits: readonly unknown[];
    readonly fails: readonly unknown[];
  }[] = [
    {
      what: 'a whole schema',
      schema: { $ref: 'https://one.example/a' },
      schemas: { 'https://one.example/a': text },
      fits: ['a'],
      fails: [1],
    },
    {
      what: 'true and false',
      schema: { properties: { a: { $ref: 'yes' }, b: { $ref: 'no' } } },
      schemas: { yes: true, no: false },
      fits: [{ a: 1 }],
      fails: [{ b: 1 }],
    },
    {
      what: 'a place in one, and from there on to another',
      schema: { items: { $ref: 'common.json#/$defs/a~1b' } },
      schemas: {
        'common.json': { $defs: { 'a/b': { $ref: 'more/text.json' } } },
        'more/text.json': { $ref: '../text.json' },
        'text.json': text,
      },
      fits: [['a']],
      fails: [[1]],
    },
    {
      what: 'an anchor in one',
      schema: { $ref: 'a#b' },
      schemas: { a: { $defs: { x: { $anchor: 'b', ...text } } } },
      fits: ['a'],
      fails: [1],
    },
    {
      what: 'itself from another',
      schema: { $ref: '#/$defs/n', $defs: { n: { properties: { next: { $ref: 'a' }, v: number } } } },
      schemas: { a: { properties: { v: text } } },
      fits: [{ v: 1, next: { v: 'a' } }],
      fails: [{ v: 1, next: { v: 1 } }],
    },
    {
      what: 'the schema by its own name',
      schema: { $id: 'https://one.example/main', properties: { next: { $ref: 'node' }, v: number } },
      schemas: { 'https://one.example/node': { $ref: 'main' } },
      fits: [{ next: { next: { v: 1 } } }],
      fails: [{ next: { next: { v: 'a' } } }],
    },
    {
      what: 'one beside the schema by its name',
      schema: { $id: 'https://one.example/v1/main.json', $ref: 'common.json' },
      schemas: { 'common.json': text },
      fits: ['a'],
      fails: [1],
    },
    {
      what: 'one that has another name as well',
      schema: { $defs: { a: { $ref: 'https://one.example/a#b' } }, allOf: [{ $ref: '#/$defs/a' }, { $ref: 'urn:example:real#/$defs/x' }] },
      schemas: { 'https://one.example/a': { $id: 'urn:example:real', $defs: { x: { $anchor: 'b', ...text } } } },
      fits: ['a'],
      fails: [1],
    },
    {
      what: 'a part of one that has a name of its own',
      schema: { $ref: 'b' },
      schemas: { a: { $defs: { x: { $id: 'b', ...text } } } },
      fits: ['a'],
      fails: [1],
    },
    {
      what: 'the same path on another host',
      schema: {
        $id: 'https://one.example/schema.json',
        $defs: { t: number },
        properties: { a: { $ref: 'https://two.example/schema.json#/$defs/t' }, b: { $ref: '#/$defs/t' } },
      },
      schemas: { 'https://two.example/schema.json': { $defs: { t: text } } },
      fits: [{ a: 'a', b: 1 }],
      fails: [{ a: 1 }, { b: 'a' }],
    },
    {
      what: 'a part of the same path on another host',
      schema: {
        $defs: { a: { $id: 'https://one.example/x', ...number }, b: { $id: 'https://two.example/x', ...text } },
        $ref: 'https://one.example/x',
      },
      schemas: {},
      fits: [1],
      fails: ['a'],
    },
    { what: 'a part that is in the schema', schema: bundle, schemas: {}, fits: ['a'], fails: [1] },
    {
      what: 'no name that stands where no schema stands',
      schema: {
        $id: 'https://one.example/main',
        default: { $id: 'https://one.example/t', ...number },
        myKeyword: [{ $id: 'https://one.example/t', ...number }],
        enum: [1, 'a', { $id: 'https://one.example/t' }],
        $ref: 't',
        $defs: { t: { $id: 't', ...text } },
      },
      schemas: {},
      fits: ['a'],
      fails: [1],
    },
    {
      what: 'dynamic anchors across schemas',
      schema: strictTree,
      schemas: { 'https://one.example/tree': { $dynamicAnchor: 'node', items: { $dynamicRef: '#node' } } },
      fits: [[[], [[]]]],
      fails: [[1], [[[1]]]],
    },
    {
      what: 'integers beyond 2^53',
      schema: { properties: { id: { $ref: 'a#/$defs/id' } } },
      schemas: { a: { $defs: { id: { type: 'integer', minimum: 1 } } } },
      fits: [{ id: 5 }, { id: '7960607143101464577' }],
      fails: [{ id: '-7960607143101464577' }, { id: 'a' }],
    },
    {
      what: 'a name that every object has',
      schema: { $ref: '__proto__' },
      schemas: JSON.parse('{"__proto__":{"type":"string"}}') as object,
      fits: ['a'],
      fails: [1],
    },
  ];
  for (const { what, schema, schemas, fits, fails } of cases)
    it(`follows references to ${what}`, async () => {
      for (const data of fits)
        expect(await validate(data, schema, { schemas }), JSON.stringify(data)).to.deep.equal({ valid: true, errors: [] });
      for (const data of fails) expect((await validate(data, schema, { schemas })).valid, JSON.stringify(data)).to.equal(false);
    });

  const metaschemas: readonly { readonly uri: string; readonly fits: readonly unknown[]; readonly fails: readonly unknown[] }[] = [
    {
      uri: dialect,
      fits: [{}, true, { type: 'object', properties: { a: { $ref: '#' } } }],
      fails: [5, { type: 'strin' }, { properties: { a: { minLength: -1 } } }, { items: [{}] }],
    },
    { uri: `${dialect}#`, fits: [{}], fails: [{ allOf: [] }] },
    { uri: 'https://json-schema.org/draft/2020-12/meta/validation', fits: [{ items: 5 }], fails: [{ required: 'a' }] },
    { uri: 'https://json-schema.org/draft/2019-09/schema', fits: [{ items: [{}] }, false], fails: [{ items: [5] }] },
    {
      uri: 'http://json-schema.org/draft-07/schema#',
      fits: [{ items: [{ if: {} }] }, true],
      fails: [{ if: 5 }, { definitions: { a: { type: 5 } } }],
    },
    { uri: 'http://json-schema.org/draft-07/schema', fits: [{}], fails: [[]] },
    { uri: 'http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger', fits: [0, 5], fails: [-1] },
    { uri: 'http://json-schema.org/draft-06/schema#', fits: [{ const: 1 }, true], fails: [{ examples: 1 }] },
    {
      uri: 'http://json-schema.org/draft-04/schema#',
      fits: [{ minimum: 1, exclusiveMinimum: true }],
      fails: [true, { exclusiveMinimum: 1 }],
    },
  ];
  for (const { uri, fits, fails } of metaschemas)
    it(`knows the metaschema ${uri}`, async () => {
      for (const data of fits) expect(await validate(data, { $ref: uri }), JSON.stringify(data)).to.deep.equal({ valid: true, errors: [] });
      for (const data of fails) expect((await validate(data, { $ref: uri })).valid, JSON.stringify(data)).to.equal(false);
    });

  it('says for each problem of a schema inside of data where it is', async () => {
    const { errors } = await validate(
      { tool: { input: { type: 5 } } },
      { properties: { tool: { additionalProperties: { $ref: dialect } } } },
    );
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include({ path: 'tool.input.type', pointer: '/tool/input/type' });
    const constant = await validate(1, { $ref: 'a' }, { schemas: { a: { const: 5 } } });
    expect(constant.errors).to.deep.equal([{ path: '', pointer: '', message: 'expected 5, received number 1' }]);
  });

  it('takes a format for a remark where it is asked to', async () => {
    const schema = { format: 'date', properties: { a: { $ref: 'b#/$defs/c' } } };
    const schemas = { b: { $defs: { c: { format: 'email', ...text } } } };
    expect((await validate('today', schema, { schemas })).valid).to.equal(false);
    expect((await validate({ a: 'today' }, schema, { schemas })).valid).to.equal(false);
    for (const data of ['today', { a: 'today' }])
      expect(await validate(data, schema, { schemas, check_formats: false })).to.deep.equal({ valid: true, errors: [] });
    expect((await validate({ a: 1 }, schema, { schemas, check_formats: false })).valid).to.equal(false);
    const named = { properties: { format: text } };
    expect((await validate({ format: 1 }, named, { check_formats: false })).valid).to.equal(false);
  });

  const withVocabulary = (...names: readonly string[]): object => ({ $vocabulary: Object.fromEntries(names.map((name) => [name, true])) });
  const ownDialects: readonly {
    readonly names: readonly string[];
    readonly fits: readonly unknown[];
    readonly fails: readonly unknown[];
  }[] = [
    { names: ['core', 'applicator'], fits: [{ a: 1 }, 'today', 'b'], fails: [{ b: 1 }] },
    { names: ['core', 'validation'], fits: [{ a: 'a', b: 1 }], fails: ['today and more'] },
    { names: ['core', 'format-assertion'], fits: [{ a: 1, b: 1 }], fails: ['today'] },
    {
      names: ['core', 'applicator', 'validation', 'format-annotation'],
      fits: [{ a: 'a' }, '2024-02-29'],
      fails: [{ a: 1 }, { b: 1 }, 'today'],
    },
  ];
  for (const { names, fits, fails } of ownDialects)
    it(`reads a schema by the vocabularies of its metaschema: ${names.join(', ')}`, async () => {
      const schema = { $schema: 'https://one.example/meta#', properties: { a: text, b: false }, maxLength: 10, format: 'date' };
      const schemas = { 'https://one.example/meta': withVocabulary(...names.map((name) => `${vocabulary}/${name}`)) };
      for (const data of fits)
        expect(await validate(data, schema, { schemas }), JSON.stringify(data)).to.deep.equal({ valid: true, errors: [] });
      for (const data of fails) expect((await validate(data, schema, { schemas })).valid, JSON.stringify(data)).to.equal(false);
    });

  const refused: readonly { readonly schema: unknown; readonly schemas: object; readonly path: string; readonly says: string }[] = [
    {
      schema: { $ref: 'a' },
      schemas: { b: {} },
      path: 'schema.$ref',
      says: 'refers to "a", which is not in this schema, and nothing is fetched. Give it in schemas',
    },
    { schema: {}, schemas: { a: { items: { $ref: '#/$defs/x' } } }, path: 'schemas.a.items.$ref', says: 'refers to "#/$defs/x"' },
    { schema: { $ref: `${dialect}#/$defs/none` }, schemas: {}, path: 'schema.$ref', says: 'is not in this schema' },
    { schema: { $ref: 'http://json-schema.org/draft-03/schema#' }, schemas: {}, path: 'schema.$ref', says: 'is not in this schema' },
    { schema: {}, schemas: { a: { type: 'strin' } }, path: 'schemas.a.type', says: 'expected one of "array"' },
    { schema: {}, schemas: { a: { pattern: '('.repeat(5000) } }, path: 'schemas.a.pattern', says: 'is a pattern' },
    { schema: {}, schemas: { 'a#/b': {} }, path: 'schemas.a#/b', says: 'without a fragment' },
    { schema: {}, schemas: { '': {} }, path: 'schemas.', says: 'needs an address of its own' },
    {
      schema: { $id: 'https://one.example/a' },
      schemas: { 'https://one.example/a': {} },
      path: 'schemas.https://one.example/a',
      says: 'as another schema has',
    },
    {
      schema: {},
      schemas: { a: { $id: 'urn:x:y' }, b: { $id: 'urn:x:y' } },
      path: 'schemas.b',
      says: 'has the address urn:x:y, as another schema has',
    },
    { schema: { $ref: 'a' }, schemas: { a: { $ref: 'b' }, b: { $ref: 'a' } }, path: 'schema', says: 'refers to itself without an end' },
    {
      schema: { $schema: 'urn:m:m' },
      schemas: { 'urn:m:m': withVocabulary('https://one.example/words') },
      path: 'schema.$schema',
      says: 'requires "https://one.example/words"',
    },
    {
      schema: {},
      schemas: { a: { $schema: 'urn:m:m' }, 'urn:m:m': withVocabulary(`${vocabulary}/toString`) },
      path: 'schemas.a.$schema',
      says: 'a vocabulary that is not known',
    },
  ];
  for (const { schema, schemas, path, says } of refused)
    it(`refuses ${JSON.stringify({ schema, schemas }).slice(0, 120)}`, async () => {
      const error = await rejection(validate(1, schema, { schemas }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]).to.include({ path });
    });

  it('changes nothing of what it is given', async () => {
    const given: Record<string, JsonValue> = { schema: bundle, schemas: { x: { $ref: 'y', format: 'date' }, y: text } };
    const before = JSON.stringify(given);
    await validate(1, given['schema'], { schemas: given['schemas'], check_formats: false });
    expect(JSON.stringify(given)).to.equal(before);
  });
});
