import { expect } from 'chai';
import { type Progress, readJson } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { suiteKernel } from './function-kernel.ts';

const python = `
def told(params, context):
    return {name: [type(value).__name__, repr(value)] for name, value in params.items()}

def gives(params, context):
    return eval(params["text"])

def advances(params, context):
    context.progress(2**60, 2**61)
    return None
`;

const javascript = `
export const run = ({ id, ids }) => ({ id: [typeof id, String(id)], ...(ids === undefined ? {} : { ids }) });
export const bigint = () => ({ a: [{ b: 7960607143101464577n }] });
`;

const parameters = {
  id: { type: 'integer' },
  amount: { type: 'number' },
  text: { type: 'string' },
  either: { type: ['integer', 'string'] },
  ids: { type: 'array', items: { type: 'integer' } },
  nested: { type: 'object', properties: { id: { type: 'integer', minimum: 0 }, text: { type: 'string' } } },
};

const int64 = { id: { type: 'integer', format: 'int64' }, ids: { type: 'array', items: { type: 'integer', format: 'int64' } } };

describe('integers beyond 2^53 and functions in Python', () => {
  const shared = suiteKernel({
    files: { 'tool.py': python },
    tools: { told: './tool.py#told', gives: './tool.py#gives', advances: './tool.py#advances' },
    definition: { parameters },
  });

  const arrivals: readonly { given: string; told: object }[] = [
    { given: '{"id":7960607143101464577}', told: { id: ['int', '7960607143101464577'] } },
    { given: '{"id":-9007199254740993}', told: { id: ['int', '-9007199254740993'] } },
    { given: '{"id":9007199254740991}', told: { id: ['int', '9007199254740991'] } },
    { given: '{"amount":9007199254740993}', told: { amount: ['int', '9007199254740993'] } },
    { given: '{"amount":1e300}', told: { amount: ['float', '1e+300'] } },
    { given: '{"text":"7960607143101464577"}', told: { text: ['str', "'7960607143101464577'"] } },
    { given: '{"either":"7960607143101464577"}', told: { either: ['str', "'7960607143101464577'"] } },
    { given: '{"ids":[1,123456789012345678901234567890]}', told: { ids: ['list', '[1, 123456789012345678901234567890]'] } },
    {
      given: '{"nested":{"id":7960607143101464577,"text":"7960607143101464577"}}',
      told: { nested: ['dict', "{'id': 7960607143101464577, 'text': '7960607143101464577'}"] },
    },
  ];
  for (const { given, told } of arrivals) {
    it(`arrive as they were sent in ${given}`, async () => {
      expect(await shared.kernel.execute('told', readJson(given) as Readonly<Record<string, unknown>>)).to.deep.equal(told);
    });
  }

  it('are refused where they have more digits than Python makes a number of', async () => {
    const error = await rejection(shared.kernel.execute('told', { id: '9'.repeat(5000) }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('id expected at most');
  });

  const outputs: readonly { text: string; output: unknown }[] = [
    { text: '2**63', output: '9223372036854775808' },
    { text: '{"a": [-(2**53) - 1, 2**53 - 1]}', output: { a: ['-9007199254740993', 9007199254740991] } },
    { text: '[1e17, 1.5, True, "9007199254740993"]', output: [1e17, 1.5, true, '9007199254740993'] },
  ];
  for (const { text, output } of outputs) {
    it(`are returned as texts of their digits in ${text}`, async () => {
      expect(await shared.kernel.execute('gives', { text })).to.deep.equal(output);
    });
  }

  it('are doubles in progress, as in the protocol', async () => {
    const told: Progress[] = [];
    await shared.kernel.execute('advances', {}, { onProgress: (progress) => void told.push(progress) });
    expect(told).to.deep.equal([{ progress: 2 ** 60, total: 2 ** 61 }]);
  });

  it('of a host that has rounded them are refused', async () => {
    const error = await rejection(shared.kernel.execute('told', { id: 2 ** 60 }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('was rounded before it came here');
  });
});

describe('integers beyond 2^53 and functions in JavaScript', () => {
  const shared = suiteKernel({
    files: { 'tool.mjs': javascript },
    tools: {
      in_process: { code: './tool.mjs#run' },
      in_thread: { code: './tool.mjs#run', worker: true },
      in_child: { code: './tool.mjs#run', worker: 'process' },
      gives_bigint: { code: './tool.mjs#bigint' },
      gives_bigint_in_thread: { code: './tool.mjs#bigint', worker: true },
      gives_bigint_in_child: { code: './tool.mjs#bigint', worker: 'process' },
    },
    definition: { parameters: int64 },
  });
  const plain = suiteKernel({ files: { 'tool.mjs': javascript }, tools: { plain: './tool.mjs#run' }, definition: { parameters } });

  for (const tool of ['in_process', 'in_thread', 'in_child']) {
    it(`arrive as texts where the parameter says format: int64 (${tool})`, async () => {
      const given = readJson('{"id":7960607143101464577,"ids":[-9007199254740993,9007199254740991]}') as Readonly<Record<string, unknown>>;
      const output = { id: ['string', '7960607143101464577'], ids: ['-9007199254740993', 9007199254740991] };
      expect(await shared.kernel.execute(tool, given)).to.deep.equal(output);
    });
  }

  for (const tool of ['gives_bigint', 'gives_bigint_in_thread', 'gives_bigint_in_child']) {
    it(`are no output as bigints (${tool})`, async () => {
      const error = await rejection(shared.kernel.execute(tool, {}), 'OUTPUT_INVALID');
      expect(error.message).to.include('a[0].b');
    });
  }

  it('are refused beyond 64 bits', async () => {
    const error = await rejection(shared.kernel.execute('in_process', { id: '9223372036854775808' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('id expected an int64');
  });

  for (const given of [
    '{"id":7960607143101464577}',
    '{"ids":[1,-9007199254740993]}',
    '{"nested":{"id":7960607143101464577}}',
    '{"amount":9007199254740993}',
  ])
    it(`are refused in words where the parameter does not: ${given}`, async () => {
      const error = await rejection(
        plain.kernel.execute('plain', readJson(given) as Readonly<Record<string, unknown>>),
        'INVALID_PARAMETERS',
      );
      expect(error.message).to.include('format: int64');
    });
});
