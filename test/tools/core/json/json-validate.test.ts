import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Validated {
  readonly valid: boolean;
  readonly errors: readonly { readonly path: string; readonly pointer: string; readonly message: string }[];
}

describe('json_validate', () => {
  const shared = sharedToolkit();

  const validate = (data: unknown, schema: unknown): Promise<Validated> =>
    shared.toolkit.execute('json_validate', { data, schema }) as unknown as Promise<Validated>;

  /** As a JSON text, in which `__proto__` is a name like any other. */
  const parsed = (text: string): JsonValue => JSON.parse(text) as JsonValue;

  const tree = {
    $id: 'https://example.org/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
  };
  const cases: readonly { readonly schema: unknown; readonly fits: readonly unknown[]; readonly fails: readonly unknown[] }[] = [
    { schema: {}, fits: [null, 1, 'a', [], {}], fails: [] },
    { schema: { type: 'integer' }, fits: [1, 1.0, -3, 1e30], fails: [1.5, '1', null, true] },
    // Integers beyond 2^53 come as texts of their digits.
    { schema: { type: 'integer' }, fits: ['7960607143101464577', '-9007199254740993'], fails: ['9007199254740991', '09007199254740993'] },
    { schema: { type: 'number', minimum: 9007199254740991 }, fits: ['9007199254740993'], fails: ['-9007199254740993', 1] },
    { schema: { type: 'integer', multipleOf: 2 }, fits: ['9007199254740994'], fails: ['9007199254740993'] },
    { schema: { type: 'string', maxLength: 20 }, fits: ['7960607143101464577'], fails: ['123456789012345678901'] },
    { schema: { type: ['string', 'null'] }, fits: ['', null], fails: [0, []] },
    { schema: { enum: [1, 'a', null, { b: [1] }] }, fits: [1, 'a', null, { b: [1] }], fails: [2, { b: [2] }, { b: 1 }] },
    { schema: { const: 1 }, fits: [1], fails: [true, '1'] },
    { schema: { minLength: 2, maxLength: 2 }, fits: ['ab', '👋👋', 5], fails: ['👋', 'abc'] },
    { schema: { pattern: '^\\p{L}+$' }, fits: ['Grüße', '世界'], fails: ['a1'] },
    { schema: { multipleOf: 0.01 }, fits: [19.99, 4.35], fails: [0.075] },
    { schema: { prefixItems: [{ type: 'number' }], items: { type: 'string' } }, fits: [[1, 'a'], []], fails: [['a'], [1, 2]] },
    { schema: { contains: { type: 'number' }, minContains: 2 }, fits: [[1, 'a', 2]], fails: [[1], []] },
    {
      schema: { uniqueItems: true },
      fits: [[1, '1', true], []],
      fails: [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    },
    { schema: { dependentRequired: { a: ['b'] } }, fits: [{ b: 1 }, { a: 1, b: 1 }], fails: [{ a: 1 }] },
    { schema: { unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] }, fits: [{ a: 1 }], fails: [{ b: 1 }] },
    { schema: parsed('{"if":{"type":"number"},"then":{"minimum":5},"else":{"type":"string"}}'), fits: [5, 'a'], fails: [4, null] },
    { schema: { oneOf: [{ type: 'number' }, { minimum: 3 }] }, fits: [1, 'a'], fails: [5] },
    { schema: { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'number' } } }, fits: [1], fails: ['a'] },
    { schema: { properties: { next: { $ref: '#' } }, required: ['id'] }, fits: [{ id: 1, next: { id: 2 } }], fails: [{ id: 1, next: {} }] },
    { schema: { $defs: { n: { $anchor: 'number', type: 'number' } }, $ref: '#number' }, fits: [1], fails: ['a'] },
    { schema: { $id: 'https://example.org/a', $ref: 'b', $defs: { b: { $id: 'b', type: 'number' } } }, fits: [1], fails: ['a'] },
    { schema: tree, fits: [{ children: [{}] }], fails: [{ children: [1] }] },
    { schema: { enum: [{ $ref: 'https://example.org/elsewhere' }] }, fits: [{ $ref: 'https://example.org/elsewhere' }], fails: [1] },
    { schema: { properties: { $ref: { type: 'string' } } }, fits: [{ $ref: 'a' }], fails: [{ $ref: 1 }] },
    { schema: { format: 'uuid' }, fits: ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', 5], fails: ['2eb8'] },
    { schema: { format: 'of-my-own', myKeyword: 1 }, fits: ['a'], fails: [] },
    { schema: { required: ['toString', '__proto__'] }, fits: [parsed('{"toString":1,"__proto__":1}')], fails: [{}, { toString: 1 }] },
    { schema: { properties: { constructor: { type: 'number' }, valueOf: { type: 'number' } } }, fits: [{}], fails: [{ constructor: 'a' }] },
    { schema: parsed('{"properties":{"__proto__":{"type":"number"}}}'), fits: [{}], fails: [parsed('{"__proto__":"a"}')] },
    { schema: { additionalProperties: false }, fits: [{}], fails: [parsed('{"__proto__":1}')] },
  ];
  for (const { schema, fits, fails } of cases) {
    it(`tells what fits ${JSON.stringify(schema)}`, async () => {
      for (const data of fits) expect(await validate(data, schema), JSON.stringify(data)).to.deep.equal({ valid: true, errors: [] });
      for (const data of fails) {
        const { valid, errors } = await validate(data, schema);
        expect(valid, JSON.stringify(data)).to.equal(false);
        expect(errors).to.not.have.length(0);
      }
    });
  }

  it('says for each problem where it is and what was expected', async () => {
    const schema = {
      type: 'object',
      properties: { 名: { type: 'string' }, items: { items: { properties: { 'a/b': { minimum: 3 } } } } },
      required: ['id'],
      additionalProperties: false,
    };
    const { errors } = await validate({ 名: 5, items: [{}, { 'a/b': 1 }], ids: 1 }, schema);
    expect(errors).to.have.deep.members([
      { path: 'id', pointer: '/id', message: 'is required' },
      { path: 'ids', pointer: '/ids', message: 'is not known here. Expected 名, items.' },
      { path: '名', pointer: '/名', message: 'expected string, received number 5' },
      { path: 'items[1].a/b', pointer: '/items/1/a~1b', message: 'expected to be >= 3, received number 1' },
    ]);
  });

  it('says the same thing about a place once, and 20 things at most', async () => {
    expect((await validate(5, { allOf: [{ type: 'string' }, { type: 'string' }] })).errors).to.have.length(1);
    const data = Array.from({ length: 200 }, () => 'a');
    expect((await validate(data, { items: { type: 'number' } })).errors).to.have.length(20);
  });

  const bad: readonly { readonly schema: unknown; readonly path: string; readonly says: string }[] = [
    { schema: { type: 'strin' }, path: 'schema.type', says: 'expected one of "array"' },
    { schema: { properties: { a: 5 } }, path: 'schema.properties.a', says: 'expected object or boolean, received number 5' },
    { schema: { pattern: '(' }, path: 'schema.pattern', says: 'expected to match format "regex"' },
    { schema: { required: 'a' }, path: 'schema.required', says: 'expected array' },
    { schema: { items: [{}] }, path: 'schema.items', says: 'In draft 2020-12 a list of schemas is "prefixItems"' },
    { schema: { exclusiveMinimum: true }, path: 'schema.exclusiveMinimum', says: 'In draft 2020-12 it is the limit itself' },
    { schema: { $ref: 'https://example.org/a.json' }, path: 'schema.$ref', says: 'nothing is fetched' },
    { schema: { items: { $ref: '#/$defs/none' } }, path: 'schema.items.$ref', says: 'refers to "#/$defs/none"' },
    { schema: { anyOf: [{ $ref: '#none' }] }, path: 'schema.anyOf[0].$ref', says: 'refers to "#none"' },
    { schema: { $defs: { a: { $ref: 'file:///etc/passwd' } } }, path: 'schema.$defs.a.$ref', says: 'is not in this schema' },
    { schema: { $ref: '#' }, path: 'schema', says: 'refers to itself without an end' },
    { schema: { $ref: '#/__proto__' }, path: 'schema.$ref', says: 'is not in this schema' },
  ];
  for (const { schema, path, says } of bad) {
    it(`refuses the schema ${JSON.stringify(schema)}`, async () => {
      const error = await rejection(validate({ a: 1 }, schema), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.to.include(path);
      expect(error.details.issues?.[0]).to.include({ path });
    });
  }

  for (const parameters of [{ data: 1 }, { schema: {} }, { data: 1, schema: 1 }, { data: 1, schema: '1' }, { data: '{}', schema: {} }]) {
    it(`refuses the parameters ${JSON.stringify(parameters)}`, async () => {
      await rejection(shared.toolkit.execute('json_validate', parameters), 'INVALID_PARAMETERS');
    });
  }

  it('stops a pattern that runs without end, and answers another call meanwhile', async () => {
    const schema = { pattern: '^(a|a)*$' };
    await stopsAlone(['json'], 'json_validate', {
      harmless: { data: 'aa', schema },
      endless: { data: `${'a'.repeat(60)}!`, schema },
      meanwhile: async () => expect(await validate('aa', schema)).to.deep.equal({ valid: true, errors: [] }),
    });
  });
});
