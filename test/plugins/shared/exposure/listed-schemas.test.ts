import { expect } from 'chai';
import { checkValue, type JsonSchema } from '../../../../kernel/index.ts';
import { compactSchema, withoutExamples } from '../../../../plugins/shared/exposure/listed-schemas.ts';

const user = { type: 'object', properties: { id: { type: 'integer' }, name: { $ref: '#/$defs/name' } }, required: ['id'] };
const name = { type: 'string', minLength: 1 };

describe('a compact schema', () => {
  const cases: { what: string; full: object; compact: object; fits: readonly unknown[] }[] = [
    {
      what: 'has names, types and what is required, and nothing below',
      full: {
        type: 'object',
        description: 'A page.',
        properties: {
          url: { type: 'string', format: 'uri', description: 'Where it is.' },
          links: { type: 'array', items: { type: 'object', properties: { to: { type: 'string' } } } },
          until: { type: ['string', 'null'] },
        },
        required: ['url'],
        additionalProperties: false,
      },
      compact: {
        type: 'object',
        properties: { url: { type: 'string' }, links: { type: 'array' }, until: { type: ['string', 'null'] } },
        required: ['url'],
      },
      fits: [{ url: 'https://a.example', links: [{ to: 'x' }], until: null }],
    },
    {
      what: 'has no type where the whole one takes several kinds of values',
      full: {
        type: 'object',
        properties: { a: {}, b: true, c: { const: 1 }, d: { enum: ['x', 2] }, e: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      },
      compact: { type: 'object', properties: { a: {}, b: {}, c: {}, d: {}, e: {} } },
      fits: [
        { a: null, b: 1, c: 1, d: 2, e: null },
        { d: 'x', e: 'y' },
      ],
    },
    {
      what: 'has the names that it takes over by reference, and what it says itself',
      full: { $ref: '#/$defs/user', type: 'object', properties: { age: { type: 'integer' } }, required: ['name'], $defs: { user, name } },
      compact: { type: 'object', properties: { id: {}, name: {}, age: { type: 'integer' } }, required: ['name'] },
      fits: [{ id: 1, name: 'Ann', age: 5 }],
    },
    {
      what: 'follows references to references, and ends where they turn',
      full: {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a' }, round: { $ref: '#/$defs/b' } },
        $defs: { a: { $ref: '#/$defs/name' }, name, b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } },
      },
      compact: { type: 'object', properties: { a: { type: 'string' }, round: {} } },
      fits: [{ a: 'x' }],
    },
    {
      what: 'takes no reference for another that is written in the same way',
      full: {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a~1b' }, b: { $ref: '#/$defs/inner' } },
        $defs: {
          'a~1b': { type: 'string' },
          'a/b': { type: 'integer' },
          inner: { $id: 'https://a.example/inner', $ref: '#/$defs/c', $defs: { c: { type: 'integer' } } },
          c: { type: 'string' },
        },
      },
      compact: { type: 'object', properties: { a: {}, b: {} } },
      fits: [{ a: 1 }],
    },
    {
      what: 'leaves alternatives at the top to the whole one',
      full: {
        type: 'object',
        properties: { ok: { type: 'boolean' } },
        oneOf: [{ required: ['ok'] }, { properties: { why: { type: 'string' } }, required: ['why'] }],
      },
      compact: { type: 'object', properties: { ok: { type: 'boolean' } } },
      fits: [{ ok: true }, { why: 'x' }],
    },
    {
      what: 'has properties that are called like keywords',
      full: { type: 'object', properties: { type: { type: 'string' }, properties: { type: 'object' }, $ref: { type: 'string' } } },
      compact: { type: 'object', properties: { type: { type: 'string' }, properties: { type: 'object' }, $ref: { type: 'string' } } },
      fits: [{ type: 'a', properties: {}, $ref: 'b' }],
    },
  ];
  for (const { what, full, compact, fits } of cases) {
    it(what, () => {
      const schema = full as Readonly<Record<string, unknown>>;
      expect(compactSchema(schema)).to.deep.equal(compact);
      for (const value of fits) {
        expect(checkValue(schema, value), JSON.stringify(value)).to.deep.equal([]);
        expect(checkValue(compactSchema(schema), value), JSON.stringify(value)).to.deep.equal([]);
      }
    });
  }
});

describe('a listed input schema', () => {
  it('has no examples and no comments, at any depth', () => {
    const noise = { examples: ['x'], example: 'x', $comment: 'Why.' };
    const text = { type: 'string', ...noise };
    const schema = {
      type: 'object',
      ...noise,
      properties: {
        a: text,
        b: { type: 'array', items: text, prefixItems: [text], contains: text },
        c: { anyOf: [text, { oneOf: [text], allOf: [text], not: text }], if: text, else: text },
      },
      patternProperties: { '^x': text },
      additionalProperties: { type: 'object', additionalProperties: text, propertyNames: text },
      $defs: { t: text },
      dependentSchemas: { a: { type: 'object', properties: { d: text } } },
    };
    expect(JSON.stringify(withoutExamples(schema))).to.equal(
      JSON.stringify(schema, (key, value) => (Object.hasOwn(noise, key) ? undefined : value)),
    );
  });

  const noises: readonly (readonly [string, object, object])[] = [
    [
      'the pattern of a text that is described and exemplified',
      { pattern: '^a', description: 'An a.', examples: ['a'] },
      { description: 'An a.' },
    ],
    ['one whose error has words', { pattern: '^a', description: 'An a.', pattern_description: 'an a' }, { description: 'An a.' }],
    ['that a text is not empty', { minLength: 1 }, {}],
    ['a limit that no text comes near', { maxLength: 10_000 }, {}],
    ['names that are mistaken for it', { mistaken_names: ['b'] }, {}],
  ];
  for (const [what, said, listed] of noises)
    it(`leaves out ${what}`, () => {
      const of = (members: object): object => ({ type: 'object', properties: { pattern: { type: 'string', ...members } } });
      expect(withoutExamples(of(said) as JsonSchema)).to.deep.equal(of(listed));
    });

  for (const [what, kept] of [
    ['a pattern that alone says what is wanted', { pattern: '^a' }],
    ['one without an example', { pattern: '^a', description: 'An a.' }],
    ['limits that a text may meet', { minLength: 2, maxLength: 1600 }],
    ['parameters of these names', { properties: { pattern: {}, minLength: { type: 'integer' } } }],
  ] as const)
    it(`keeps ${what}`, () => {
      expect(withoutExamples(kept)).to.deep.equal(kept);
    });

  it('keeps what only looks like examples: names, and values', () => {
    const like = { examples: ['x'], $comment: 'y' };
    const schema = {
      type: 'object',
      properties: {
        examples: { type: 'array', items: { type: 'string' } },
        $comment: { type: 'string', default: like },
        example: { const: like },
      },
      patternProperties: { examples: { type: 'object', enum: [like] } },
      $defs: { examples: true },
      required: ['examples'],
      additionalProperties: false,
    };
    expect(withoutExamples(schema)).to.deep.equal(schema);
  });
});
