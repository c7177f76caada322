import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, type CallOrigin, definePlugin, type JsonSchema, type Kernel, type Parameter } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { testKernel } from '../../../support/test-kernel.ts';

const echo = definePlugin({
  name: 'echo',
  apiVersion,
  apply(kernel) {
    kernel.extend.execution('echo', { schema: Type.Object({}, { additionalProperties: false }) });
    kernel.hooks.execute.for('echo').tap('echo', ({ parameters }) => ({ output: parameters, meta: {} }));
  },
});

const head = { name: 'things', description: 'Gives its parameters back.', risk: 'low', execution: { type: 'echo' } } as const;

function kernelOf(at: JsonSchema): Promise<Kernel> {
  const $defs = { row: { type: 'object', properties: { tags: { type: 'array' } } } };
  const input_schema = { type: 'object', properties: { at }, additionalProperties: false, $defs };
  return testKernel({ plugins: [echo()], tools: [{ ...head, input_schema }] });
}

function kernelWith(at: Parameter): Promise<Kernel> {
  return testKernel({ plugins: [echo()], tools: [{ ...head, parameters: { at } }] });
}

async function takenBy(kernel: Kernel, at: unknown, origin: CallOrigin = 'model'): Promise<unknown> {
  const { output } = await kernel.call({ tool: 'things', parameters: { at }, origin });
  return (output as { readonly at?: unknown }).at;
}

describe('a text that is the JSON of an object or a list', () => {
  const list: JsonSchema = { type: 'array', items: { type: 'string' } };
  const object: JsonSchema = { type: 'object' };
  const rows: JsonSchema = { type: 'array', items: { type: 'object', properties: { tags: { type: 'array' } } } };
  const read: readonly (readonly [string, JsonSchema, unknown, unknown])[] = [
    ['a list', list, '["a","b"]', ['a', 'b']],
    ['an empty list', list, '[]', []],
    ['an object', object, ' {"a": {"b": 1}}\n', { a: { b: 1 } }],
    ['an object or null', { type: ['object', 'null'] }, '{"a":1}', { a: 1 }],
    ['an object or a list', { type: ['object', 'array'] }, '[1]', [1]],
    ['a list or a number', { type: ['array', 'integer'] }, '[1]', [1]],
    ['any of a list and null', { anyOf: [list, { type: 'null' }] }, '["a"]', ['a']],
    [
      'one of two objects',
      {
        oneOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
      },
      '{"a":1}',
      { a: 1 },
    ],
    ['a reference', { $ref: '#/$defs/row' }, '{"tags":"[1]"}', { tags: [1] }],
    ['items', rows, ['{"tags":[]}', { tags: '["x"]' }], [{ tags: [] }, { tags: ['x'] }]],
    ['items of a text', rows, '["{}"]', [{}]],
    ['members', { type: 'object', properties: { a: object } }, { a: '{"b":1}', c: '{"b":1}' }, { a: { b: 1 }, c: '{"b":1}' }],
    ['other members', { type: 'object', additionalProperties: list }, { a: '["b"]' }, { a: ['b'] }],
    ['a long integer in it', { type: 'object' }, '{"id":7960607143101464577}', { id: '7960607143101464577' }],
    ['__proto__ in it', { type: 'object' }, '{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
    [
      '__proto__ of which a text is read',
      { type: 'object', additionalProperties: list },
      JSON.parse('{"__proto__":"[]"}'),
      JSON.parse('{"__proto__":[]}'),
    ],
  ];
  for (const [what, schema, given, taken] of read)
    it(`is read where ${what} is declared`, async () => {
      const kernel = await kernelOf(schema);
      for (const origin of ['model', 'host'] as const) expect(await takenBy(kernel, given, origin), origin).to.deep.equal(taken);
    });

  const kept: readonly (readonly [string, JsonSchema, unknown])[] = [
    ['a text is declared', { type: 'string' }, '{"a":1}'],
    ['a text or a list is declared', { type: ['string', 'array'] }, '["a"]'],
    ['any of a text and an object is declared', { anyOf: [{ type: 'string' }, object] }, '{"a":1}'],
    ['anything is declared', {}, '{"a":1}'],
    ['items are texts', list, ['["a"]', '{}']],
  ];
  for (const [what, schema, given] of kept)
    it(`stays a text where ${what}`, async () => {
      expect(await takenBy(await kernelOf(schema), given)).to.deep.equal(given);
    });

  const refused: readonly (readonly [string, JsonSchema, string])[] = [
    ['no JSON', object, '{a: 1}'],
    ['the JSON of a list for an object', object, '[]'],
    ['the JSON of an object for a list', list, '{}'],
    ['the JSON of a number', list, '1'],
    ['no JSON at the end', list, '["a"] '.concat('x')],
  ];
  for (const [what, schema, given] of refused)
    it(`is refused as a text that is ${what}`, async () => {
      const { message } = await rejection(takenBy(await kernelOf(schema), given), 'INVALID_PARAMETERS');
      expect(message).to.match(/at expected (object|array), received string/);
    });

  it('is not read where it holds more than a call may', async () => {
    const kernel = await kernelOf(object);
    const costly = `{${Array.from({ length: 110_000 }, (_, index) => `"m${index}":1`).join()}}`;
    await rejection(takenBy(kernel, costly), 'INVALID_PARAMETERS');
    await rejection(takenBy(kernel, `{"a":${'['.repeat(70)}${']'.repeat(70)}}`), 'INVALID_PARAMETERS');
  });

  it('is what a person approves and a durable call keeps: the value, not the text', async () => {
    const kernel = await kernelOf(object);
    const { output } = await kernel.call({ tool: 'things', parameters: { at: '{"a":1}' }, origin: 'model' });
    expect(output).to.deep.equal({ at: { a: 1 } });
  });
});

describe('json_text: false', () => {
  const value: Parameter = { json_text: false };
  const refused: readonly (readonly [string, Parameter, unknown, string])[] = [
    ['a parameter', value, '{"a":1}', 'at is the text of an object'],
    ['a list', value, ' [1]', 'at is the text of a list'],
    ['one that admits texts by its type', { type: ['string', 'object'], json_text: false }, '{}', 'at is the text of an object'],
    ['items', { type: 'array', items: value }, ['a', '{"a":1}'], 'at[1] is the text of an object'],
    ['members', { type: 'object', properties: { a: value } }, { a: '[]' }, 'at.a is the text of a list'],
    ['other members', { type: 'object', additionalProperties: value }, { b: '[]' }, 'at.b is the text of a list'],
  ];
  for (const [what, parameter, given, says] of refused)
    it(`refuses the text of a value: ${what}`, async () => {
      const { message } = await rejection(takenBy(await kernelWith(parameter), given), 'INVALID_PARAMETERS');
      expect(message).to.include(`${says} in JSON. Give the value itself, not its text`);
    });

  for (const given of ['', 'a', '{', '[draft] of today', '{{name}}', '"a"', '12', 'null', { a: '{"b":1}' }, ['[1]'], null])
    it(`takes ${JSON.stringify(given)}`, async () => {
      expect(await takenBy(await kernelWith(value), given)).to.deep.equal(given);
    });
});
