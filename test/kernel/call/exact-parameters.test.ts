import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, type CallOrigin, definePlugin, type JsonSchema, type Kernel } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

const digits = '7960607143101464577';

/** Executors: the type `exact` takes exact integers, the type `other` says nothing of them. */
const executors = definePlugin({
  name: 'executors',
  apiVersion,
  apply(kernel) {
    const schema = Type.Object({}, { additionalProperties: false });
    kernel.extend.execution('exact', { schema, exactIntegers: () => ({ takes: true, gives: true }) });
    kernel.extend.execution('other', { schema });
    for (const type of ['exact', 'other'])
      kernel.hooks.execute.for(type).tap('executors', ({ parameters }) => ({ output: parameters, meta: {} }));
  },
});

async function kernelFor(schema: JsonSchema, type: 'exact' | 'other' = 'exact'): Promise<Kernel> {
  return testKernel({
    plugins: [executors()],
    tools: [
      {
        name: 'things',
        description: 'Gives its parameters back.',
        risk: 'low',
        execution: { type },
        input_schema: { type: 'object', properties: { at: schema }, additionalProperties: false, $defs: { id: { type: 'integer' } } },
      },
    ],
  });
}

async function takenBy(kernel: Kernel, at: unknown, origin: CallOrigin = 'model'): Promise<unknown> {
  const { output } = await kernel.call({ tool: 'things', parameters: { at }, origin });
  return (output as { readonly at?: unknown }).at;
}

describe('an integer beyond 2^53 among the parameters of a call', () => {
  const places: readonly (readonly [string, JsonSchema, unknown])[] = [
    ['integer', { type: 'integer' }, digits],
    ['number', { type: 'number' }, digits],
    ['integer or null', { type: ['integer', 'null'] }, `-${digits}`],
    ['text', { type: 'string' }, digits],
    ['anything', {}, { id: digits }],
    ['items', { type: 'array', items: { type: 'integer' } }, [1, digits]],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }, ['a', digits]],
    ['members', { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } }, { id: digits }],
    ['other members', { type: 'object', additionalProperties: { type: 'integer' } }, { id: digits }],
    ['a definition', { $ref: '#/$defs/id' }, digits],
    ['any of', { anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, digits],
    ['one of integer and text', { oneOf: [{ type: 'integer' }, { type: 'string' }] }, digits],
    [
      'one of integer and text, beside another',
      { type: 'object', properties: { a: { oneOf: [{ type: 'integer' }, { type: 'string' }] }, b: { type: 'integer' } } },
      { a: digits, b: digits },
    ],
    ['enum', { type: 'integer', enum: [1, 2 ** 53] }, '9007199254740992'],
    ['const', { type: 'integer', const: 2 ** 60 }, '1152921504606846976'],
    ['a multiple', { type: 'integer', multipleOf: 10 }, '79606071431014645770'],
    ['a multiple of a fraction', { type: 'number', multipleOf: 0.5 }, digits],
    ['the limit itself', { type: 'integer', maximum: 2 ** 53 }, '9007199254740992'],
    ['the end of int64', { type: 'integer', format: 'int64' }, '9223372036854775807'],
  ];

  for (const [place, schema, value] of places)
    it(`is taken as a text of its digits for ${place}`, async () => {
      expect(await takenBy(await kernelFor(schema), value)).to.deep.equal(value);
    });

  const refused: readonly (readonly [string, JsonSchema, unknown, string])[] = [
    [
      'over the maximum by one',
      { type: 'integer', maximum: 2 ** 53 },
      '9007199254740993',
      'expected at most 9007199254740992, received 9007199254740993',
    ],
    ['over a small maximum', { type: 'integer', maximum: 100 }, digits, `expected at most 100, received ${digits}`],
    ['under the minimum', { type: 'integer', minimum: 0 }, `-${digits}`, `expected at least 0, received -${digits}`],
    ['at an exclusive limit', { type: 'number', exclusiveMaximum: 2 ** 53 }, '9007199254740992', 'expected less than 9007199254740992'],
    ['no multiple', { type: 'integer', multipleOf: 10 }, digits, `expected a multiple of 10, received ${digits}`],
    ['in no enum', { type: 'integer', enum: [1, 2] }, digits, `expected one of 1, 2, received string "${digits}"`],
    ['over int64', { type: 'integer', format: 'int64' }, '9223372036854775808', 'received 9223372036854775808'],
    ['of more than 1000 digits', { type: 'integer' }, '1'.repeat(1001), 'expected at most 1000 digits, received 1111'],
    ['for a boolean', { type: 'boolean' }, digits, 'expected boolean'],
    ['that is none', { type: 'array', items: { type: 'integer' } }, [digits, '12x'], 'at[1] expected integer, received string "12x"'],
    ['with a leading zero', { type: 'integer' }, `0${digits}`, 'expected integer, received string'],
    ['that is small, as a text', { type: 'integer' }, '12', 'expected integer, received string "12"'],
  ];

  for (const [which, schema, value, message] of refused)
    it(`is refused ${which}`, async () => {
      const error = await rejection(takenBy(await kernelFor(schema), value), 'INVALID_PARAMETERS');
      expect(error.message).to.include(message);
    });

  it('is refused over a maximum that stands without a type, beside one that is taken', async () => {
    const kernel = await kernelFor({ type: 'object', properties: { a: { maximum: 100 }, b: { type: 'integer' } } });
    const error = await rejection(takenBy(kernel, { a: digits, b: digits }), 'INVALID_PARAMETERS');
    expect(error.details.issues).to.deep.equal([{ path: 'at.a', message: `expected at most 100, received ${digits}` }]);
  });

  it('is refused where what runs does not say that it takes such integers', async () => {
    const error = await rejection(takenBy(await kernelFor({ type: 'integer' }, 'other'), digits), 'INVALID_PARAMETERS');
    expect(error.message).to.include('format: int64').and.to.include(digits);
  });

  it('is taken there where the parameter says int64', async () => {
    const kernel = await kernelFor({ type: 'array', items: { type: 'integer', format: 'int64' } }, 'other');
    expect(await takenBy(kernel, [digits])).to.deep.equal([digits]);
  });

  it('is taken from a host as a bigint', async () => {
    const kernel = await kernelFor({ type: 'array', items: { type: 'integer' } });
    expect(await takenBy(kernel, [BigInt(digits), 7n], 'host')).to.deep.equal([digits, 7]);
  });

  const rounded: readonly (readonly [string, JsonSchema, unknown, CallOrigin])[] = [
    ['an integer', { type: 'integer' }, 2 ** 53 + 2, 'host'],
    ['an integer of a model, with an exponent', { type: 'integer' }, 8e18, 'model'],
    ['what may be anything', {}, { list: [-(2 ** 53) - 2] }, 'host'],
    ['members that are not declared', { type: 'object' }, { id: 2 ** 60 }, 'host'],
  ];

  for (const [place, schema, value, origin] of rounded)
    it(`is refused as a number that was rounded, for ${place}`, async () => {
      const error = await rejection(takenBy(await kernelFor(schema), value, origin), 'INVALID_PARAMETERS');
      expect(error.message).to.include('was rounded before it came here');
    });

  it('is refused so in large parameters, with its place', async () => {
    const kernel = await kernelFor({ type: 'array', items: {} });
    const list = Array.from({ length: 6000 }, (_, index) => (index === 5000 ? { id: 2 ** 53 + 2 } : index));
    const error = await rejection(takenBy(kernel, list, 'host'), 'INVALID_PARAMETERS');
    expect(error.details.issues?.[0]?.path).to.equal('at[5000].id');
  });

  it('is a double where the schema says number, from a host, and with an exponent anywhere', async () => {
    expect(await takenBy(await kernelFor({ type: 'number' }), 1e17, 'host')).to.equal(1e17);
    expect(await takenBy(await kernelFor({}), { a: 1e20 }, 'model')).to.deep.equal({ a: 1e20 });
  });
});
