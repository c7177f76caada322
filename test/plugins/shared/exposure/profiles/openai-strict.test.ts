import { expect } from 'chai';
import type { JsonSchema } from '../../../../../kernel/index.ts';
import { openaiStrict } from '../../../../../plugins/shared/exposure/profiles/openai-strict.ts';
import { collectInput, refusalsBy } from '../../../../../plugins/shared/exposure/profiles/profile.ts';

const text = { type: 'string' };

describe('the profile of strict mode', () => {
  const closed = (properties: JsonSchema): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const names = (count: number, size = 1): string[] => Array.from({ length: count }, (_, n) => `${n}`.padStart(size, 'x'));
  let deep: JsonSchema = text;
  for (let level = 0; level < 10; level++) deep = closed({ a: deep });

  const strict: readonly { readonly what: string; readonly schema: JsonSchema; readonly says?: string }[] = [
    { what: 'a closed object', schema: closed({ a: { type: ['string', 'null'] } }) },
    { what: 'ten levels', schema: deep },
    { what: 'eleven levels', schema: closed({ a: deep }), says: 'expected at most 10 levels of objects and lists, received 11' },
    {
      what: 'an open object',
      schema: { type: 'object', properties: { a: text }, required: ['a'] },
      says: 'expected "additionalProperties: false" of an object',
    },
    {
      what: 'an optional member',
      schema: { ...closed({ a: text }), required: [] },
      says: 'expected every member to be required, but "a" is not',
    },
    { what: 'a keyword that it does not know', schema: closed({ a: { ...text, maxLength: 1 } }), says: 'expected no "maxLength"' },
    { what: 'lookahead', schema: closed({ a: { ...text, pattern: '^(?!a)' } }), says: 'expected a pattern without lookaround' },
    { what: 'a group', schema: closed({ a: { ...text, pattern: '^(?:a)' } }) },
    { what: '5,000 members', schema: closed(Object.fromEntries(names(5000).map((name) => [name, text]))) },
    {
      what: '5,001 members',
      schema: closed(Object.fromEntries(names(5001).map((name) => [name, text]))),
      says: 'expected at most 5000 members, received 5001',
    },
    {
      what: '1,001 values',
      schema: closed({ a: { ...text, enum: names(1001) } }),
      says: 'expected at most 1000 values of enums, received 1001',
    },
    {
      what: '251 long values',
      schema: closed({ a: { ...text, enum: names(251, 60) } }),
      says: 'expected at most 15000 characters of a long enum',
    },
    {
      what: 'long names',
      schema: closed(Object.fromEntries(names(1001, 120).map((name) => [name, text]))),
      says: 'expected at most 120000 characters of names and values, received 120120',
    },
  ];
  for (const { what, schema, says } of strict)
    it(`${says === undefined ? 'takes' : 'refuses'} ${what}`, () => {
      const found = refusalsBy(openaiStrict, collectInput({ name: 'tool', inputSchema: schema })).map(({ message }) => message);
      expect(found).to.deep.equal(says === undefined ? [] : [says]);
    });
});
