import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import AjvDraft04 from 'ajv-draft-04';
import { expect } from 'chai';
import type { JsonSchema } from '../../../../kernel/json/json.ts';
import { checkSchema } from '../../../../kernel/schema/check-schema.ts';
import { checkValue } from '../../../../kernel/schema/check-value.ts';
import { normalizeInputSchema, normalizeOutputSchema } from '../../../../plugins/upstreams/schemas/normalize-schema.ts';
import { Random } from '../../../support/random.ts';
import { foreignSchemas } from './foreign-schemas.ts';

const options = { strict: false, validateFormats: false, ownProperties: true } as const;
const ajvOf = { 4: AjvDraft04.default, 7: Ajv, 2019: Ajv2019, 2020: Ajv2020 };

function taken(schema: unknown): { schema: JsonSchema; notes: readonly string[] } {
  const result = normalizeInputSchema(schema);
  if (result.refusal !== undefined) throw new Error(result.refusal);
  return result;
}

const scalars = [0, 1, 2, 3, 5, 1.5, -1, '', 'a', 'ab', 'abc', 'A', true, false, null];

/** Returns an object with members that the schemas of the table name. */
function randomObject(random: Random, depth = 0): unknown {
  const scalar = (): unknown => scalars[random.below(scalars.length)];
  const value = (): unknown => {
    const kind = random.below(depth > 2 ? 6 : 10);
    if (kind < 6) return scalar();
    return kind < 8 ? Array.from({ length: random.below(4) }, scalar) : randomObject(random, depth + 1);
  };
  const names = ['a', 'b', 'c', 'ab', 'a b/c%~'];
  return Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.oneOf(names), value()]));
}

describe('a normalized schema of an upstream', () => {
  for (const { what, draft, schema, notes, differs = false } of foreignSchemas) {
    it(`is one that a kernel takes: ${what}`, () => {
      const result = taken(schema);
      expect(checkSchema(result.schema)).to.deep.equal([]);
      for (const note of notes)
        expect(
          result.notes.some((text) => note.test(text)),
          `${note} in ${result.notes.join('; ')}`,
        ).to.equal(true);
      if (notes.length === 0) expect(result.notes).to.deep.equal([]);
      expect(taken(result.schema)).to.deep.equal({ schema: result.schema, notes: [] });
    });

    if (!differs)
      it(`gives the verdict that Ajv of its draft gives: ${what}`, () => {
        const validate = new ajvOf[draft](options).compile(schema);
        const { schema: normalized } = taken(schema);
        const random = new Random(4800);
        const verdicts = { accepted: 0, refused: 0 };
        for (let round = 0; round < 500; round++) {
          const value = randomObject(random);
          const isAccepted = validate(value) === true;
          verdicts[isAccepted ? 'accepted' : 'refused']++;
          expect(checkValue(normalized, value).length === 0, JSON.stringify(value)).to.equal(isAccepted);
        }
        expect(verdicts.accepted, 'accepted').to.be.greaterThan(0);
      });
  }

  it('stays as it is where nothing has to change, its draft included', () => {
    for (const { schema, notes } of foreignSchemas.slice(0, 2)) {
      expect(notes).to.deep.equal([]);
      expect(taken(schema).schema).to.deep.equal(schema);
    }
  });

  const refused: readonly [what: string, schema: unknown, reason: RegExp][] = [
    [
      'a reference to another document',
      { type: 'object', properties: { a: { $ref: 'https://example.test/x.json#/a' } } },
      /refers to "https:\/\/example.test\/x.json#\/a", which is outside of it/,
    ],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }, /refers to "file:\/\/\/etc\/passwd", which is outside/],
    [
      'a reference to no schema',
      { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
      /refers to "#\/\$defs\/none", where there is no schema/,
    ],
    ['a reference through a prototype', { type: 'object', properties: { a: { $ref: '#/__proto__' } } }, /where there is no schema/],
    ['a reference to itself', { $ref: '#' }, /refers to itself for one value/],
    [
      'references in a circle',
      { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
      /refers to itself for one value/,
    ],
    ['a text', 'object', /is string "object", expected an object/],
    ['one that takes texts', { type: 'string' }, /takes no object/],
    [
      'a constant that would be read as a key',
      { type: 'object', properties: { a: { const: { path: 'read' } } } },
      /has a value in "const"/,
    ],
  ];
  for (const [what, schema, reason] of refused)
    it(`is refused: ${what}`, () => {
      expect(normalizeInputSchema(schema).refusal).to.match(reason);
    });

  it('is any object where there is none', () => {
    expect(taken(undefined).schema).to.deep.equal({ type: 'object' });
  });

  it('of an output describes any value', () => {
    expect(normalizeOutputSchema({ type: 'array', items: [{ type: 'string' }] }).schema).to.deep.equal({
      type: 'array',
      prefixItems: [{ type: 'string' }],
    });
    expect(normalizeOutputSchema(false).schema).to.deep.equal({ not: {} });
  });

  describe('of a hostile server', () => {
    const nested = (levels: number): unknown => {
      let schema: unknown = { type: 'string' };
      for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
      return schema;
    };
    /** Definitions of which each has two references to the next. */
    const doubling = (count: number): unknown => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: count + 1 }, (_, index) => [
          `d${index}`,
          index === count ? {} : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
        ]),
      ),
    });
    const chain = (count: number): unknown => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: count + 1 }, (_, index) => [`d${index}`, index === count ? {} : { $ref: `#/$defs/d${index + 1}` }]),
      ),
    });

    it('is refused when it is nested too deep, in whatever it is nested', () => {
      for (const levels of [40, 10_000]) expect(normalizeInputSchema(nested(levels)).refusal).to.match(/nested deeper than 64 levels/);
    });

    it('is refused when its references double, or are in a long chain', () => {
      expect(normalizeInputSchema(doubling(60)).refusal).to.match(/needs more than 20000 checks for one value/);
      expect(normalizeInputSchema(chain(5000)).refusal).to.match(/has more than 200 schemas inside each other/);
    });

    it('keeps a huge enum, and refuses one beyond the limits of a definition', () => {
      const values = (count: number): unknown => ({
        type: 'object',
        properties: { a: { enum: Array.from({ length: count }, (_, index) => index) } },
      });
      expect(taken(values(50_000)).notes).to.deep.equal([]);
      expect(normalizeInputSchema(values(600_000)).refusal).to.match(/holds more than 500000 items of lists/);
    });

    it('examines patterns up to a limit of their characters together', () => {
      const properties = Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`p${index}`, { type: 'string', pattern: `^${'a'.repeat(1200)}${index}` }]),
      );
      expect(taken({ type: 'object', properties }).notes.join()).to.match(/all together have more than 50000 characters/);
    });

    it('has few notes, however many changes there are', () => {
      const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, { discriminator: index }]));
      expect(taken({ type: 'object', properties }).notes.slice(-1)).to.deep.equal(['4980 more changes']);
    });

    it('visits each part a number of times that does not grow with the size', () => {
      let reads = 0;
      const counted = (count: number): number => {
        reads = 0;
        const properties: Record<string, unknown> = {};
        for (let index = 0; index < count; index++)
          properties[`p${index}`] = new Proxy(
            { $ref: `#/properties/p${(index + 1) % count}/items`, items: { type: 'string' } },
            {
              ownKeys: (target) => {
                reads++;
                return Reflect.ownKeys(target);
              },
            },
          );
        expect(taken({ type: 'object', properties }).notes).to.deep.equal([]);
        return reads / count;
      };
      expect(counted(4000)).to.be.at.most(counted(400) * 1.01);
    });

    it('changes no prototype', () => {
      // Own text: a literal would set the prototype.
      const schema: unknown = JSON.parse(
        '{"type":"object","$defs":{"__proto__":{"polluted":1}},"definitions":{"__proto__":{"polluted":1}},"dependencies":{"__proto__":["a"]}}',
      );
      expect(checkSchema(taken(schema).schema)).to.deep.equal([]);
      expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    });
  });
});
