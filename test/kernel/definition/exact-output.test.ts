import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, definePlugin, isUnsafeInteger, type JsonSchema, readJson, writeJson } from '../../../kernel/index.ts';
import { compactSchema } from '../../../plugins/shared/exposure/listed-schemas.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

const digits = '1915883588174806058';
const pattern = '^-?[1-9]\\d{15,}$';

/** A tool whose output is the parameter `give`, of an executor that gives exact integers or says nothing of them. */
async function toolWith(schema: JsonSchema, gives = true) {
  const executor = definePlugin({
    name: 'executor',
    apiVersion,
    apply(kernel) {
      const exact = gives ? { exactIntegers: () => ({ takes: false, gives: true }) } : {};
      kernel.extend.execution('given', { schema: Type.Object({}, { additionalProperties: false }), ...exact });
      kernel.hooks.execute.for('given').tap('executor', ({ parameters }) => ({ output: parameters['give'], meta: {} }));
    },
  });
  const kernel = await testKernel({
    plugins: [executor(), validateOutput()],
    tools: [
      { name: 'gives', description: 'Gives.', risk: 'low', parameters: { give: {} }, execution: { type: 'given' }, output_schema: schema },
    ],
  });
  const tool = kernel.registry.get('gives');
  return { tool, run: (give: unknown) => kernel.execute('gives', { give }) };
}

const object = (properties: JsonSchema): JsonSchema => ({ type: 'object', properties });

describe('the output schema of a tool that gives exact integers', () => {
  it('names the text of digits beside integer and number, at every depth', async () => {
    const id = { type: 'integer', minimum: 1, description: 'Its id.' };
    const schema = object({
      id,
      list: { type: 'array', items: { type: ['number', 'null'] } },
      name: { type: 'string' },
      ref: { $ref: '#/$defs/id' },
    });
    const { tool } = await toolWith({ ...schema, $defs: { id } });
    const exact = { ...id, type: ['integer', 'string'], pattern };
    expect(tool.outputSchema).to.deep.equal({
      type: 'object',
      properties: {
        id: exact,
        list: { type: 'array', items: { type: ['number', 'null', 'string'], pattern } },
        name: { type: 'string' },
        ref: { $ref: '#/$defs/id' },
      },
      $defs: { id: exact },
    });
    expect(compactSchema(tool.outputSchema as JsonSchema))
      .to.have.nested.property('properties.id.type')
      .deep.equal(['integer', 'string']);
  });

  it('is as it is written where nothing says so, but for int64', async () => {
    const schema = object({ id: { type: 'integer' }, exact: { type: 'integer', format: 'int64' } });
    const { tool } = await toolWith(schema, false);
    expect(tool.outputSchema?.['properties']).to.deep.equal({
      id: { type: 'integer' },
      exact: { type: ['integer', 'string'], format: 'int64', pattern },
    });
  });

  const fitting: readonly (readonly [JsonSchema, unknown])[] = [
    [object({ id: { type: 'integer' } }), { id: digits }],
    [object({ id: { type: 'integer' } }), { id: 7 }],
    [object({ id: { oneOf: [{ type: 'integer' }, { type: 'string' }] } }), { id: digits }],
    [object({ id: { type: 'integer', enum: [1, 2 ** 53] } }), { id: '9007199254740992' }],
    [{ type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } }, [null, `-${digits}`]],
  ];
  for (const [schema, output] of fitting)
    it(`${JSON.stringify(schema)} takes ${JSON.stringify(output)}`, async () => {
      expect(await (await toolWith(schema)).run(output)).to.deep.equal(output);
    });

  for (const wrong of ['12', 'abc', `${digits}0x`, `0${digits}`, ''])
    it(`takes no other text: ${JSON.stringify(wrong)}`, async () => {
      const { run } = await toolWith(object({ id: { type: 'integer' } }));
      await rejection(run({ id: wrong }), 'OUTPUT_INVALID');
    });

  it('takes no such text for an executor that says nothing', async () => {
    const { run } = await toolWith(object({ id: { type: 'integer' } }), false);
    await rejection(run({ id: digits }), 'OUTPUT_INVALID');
  });
});

describe('writeJson', () => {
  it('gives back each text of JSON that readJson has read, where all places are of an integer', () => {
    const text = `{"a":[${digits},-9007199254740993,1],"b":{"9007199254740993":"x ${digits}"}}`;
    expect(writeJson(readJson(text), () => true)).to.equal(text);
    expect(isUnsafeInteger(digits)).to.equal(true);
  });
});
