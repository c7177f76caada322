import { expect } from 'chai';
import type { JsonSchema } from '../../../../../kernel/index.ts';
import { refusalsOf } from '../../../../../plugins/shared/exposure/profiles/refusals.ts';

const withMember = (member: unknown, name = 'a'): JsonSchema => ({ type: 'object', properties: { [name]: member } });
const text = { type: 'string' };

interface Case {
  readonly what: string;
  readonly name?: string;
  readonly schema: JsonSchema;
  /** Where, and who refuses it. */
  readonly refused: Readonly<Record<string, readonly string[]>>;
}

const member = '/inputSchema/properties/a';

const cases: readonly Case[] = [
  { what: 'an ordinary schema', schema: withMember({ ...text, maxLength: 3, examples: ['b'] }), refused: {} },
  { what: 'no parameters', schema: { type: 'object' }, refused: {} },
  { what: 'an object of any members', schema: withMember({ type: 'object', additionalProperties: true }), refused: {} },
  { what: 'a name with a dot', name: 'a.b', schema: withMember(text), refused: { '/name': ['Anthropic', 'OpenAI'] } },
  { what: 'a name that begins with a digit', name: '7z', schema: withMember(text), refused: { '/name': ['Gemini'] } },
  {
    what: 'a long name',
    name: 'a'.repeat(65),
    schema: withMember(text),
    refused: { '/name': ['Anthropic', 'OpenAI', 'Gemini'] },
  },
  {
    what: 'a list for the whole',
    schema: { type: 'array', items: text },
    refused: { '/inputSchema': ['Anthropic', 'OpenAI', 'Gemini', 'the MCP Inspector'] },
  },
  {
    what: 'a choice for the whole',
    schema: { ...withMember(text), oneOf: [{ type: 'object' }] },
    refused: { '/inputSchema/oneOf': ['Anthropic', 'OpenAI', 'Gemini'] },
  },
  { what: 'a negation of the whole', schema: { ...withMember(text), not: text }, refused: { '/inputSchema/not': ['OpenAI', 'Gemini'] } },
  {
    what: 'a parameter with a strange name',
    schema: withMember(text, 'a/b~'),
    refused: { '/inputSchema/properties/a~1b~0': ['Anthropic', 'Gemini'] },
  },
  { what: 'a parameter with a dash', schema: withMember(text, 'a-b'), refused: { '/inputSchema/properties/a-b': ['Gemini'] } },
  { what: 'a member of a parameter with a dash', schema: withMember(withMember(text, 'a-b')), refused: {} },
  {
    what: 'a parameter without a type',
    schema: withMember({ description: 'It.' }),
    refused: { [member]: ['Gemini', 'the MCP Inspector'] },
  },
  { what: 'a parameter that is true', schema: withMember(true), refused: { [member]: ['Gemini', 'the MCP Inspector'] } },
  {
    what: 'several types',
    schema: withMember({ type: ['string', 'null'] }),
    refused: { [`${member}/type`]: ['Gemini', 'the MCP Inspector'] },
  },
  { what: 'a list without items', schema: withMember({ type: 'array' }), refused: { [member]: ['OpenAI', 'Gemini'] } },
  {
    what: 'items without a type',
    schema: withMember({ type: 'array', items: {} }),
    refused: { [`${member}/items`]: ['Gemini', 'the MCP Inspector'] },
  },
  { what: 'an enum of numbers', schema: withMember({ type: 'integer', enum: [1] }), refused: { [`${member}/enum`]: ['Gemini'] } },
  { what: 'a format', schema: withMember({ ...text, format: 'uri' }), refused: { [`${member}/format`]: ['Gemini'] } },
  {
    what: 'a union with a text beside it',
    schema: withMember({ anyOf: [text], description: 'It.' }),
    refused: { [`${member}/anyOf`]: ['Gemini'] },
  },
  {
    what: 'a reference',
    schema: { ...withMember({ $ref: '#/$defs/b' }), $defs: { b: text } },
    refused: { [`${member}/$ref`]: ['Anthropic', 'Gemini'] },
  },
];

describe('the profiles of model APIs', () => {
  for (const { what, name = 'tool', schema, refused } of cases)
    it(`know who takes ${what}`, () => {
      const found: Record<string, string[]> = {};
      for (const { pointer, by } of refusalsOf({ name, inputSchema: schema })) found[pointer] = [...(found[pointer] ?? []), by.name];
      expect(found).to.deep.equal(refused);
    });

  it('look at the first 2,000 schemas, so that a definition with more keeps nobody waiting', () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`a${n}`, { format: 'uri', type: 'string' }]));
    expect(refusalsOf({ name: 'tool', inputSchema: { type: 'object', properties } })).to.have.length(1999);
  });

  it('say what is expected and what to do', () => {
    const messages = refusalsOf({ name: 'tool', inputSchema: withMember({ type: ['string', 'null'] }) }).map(({ message }) => message);
    expect(messages).to.deep.equal(Array(2).fill('expected one type, received a list. Write "anyOf" with one type each'));
  });
});
