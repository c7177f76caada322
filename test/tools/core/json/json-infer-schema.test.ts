import { expect } from 'chai';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { randomJson } from './random-json.ts';

describe('json_infer_schema', () => {
  const shared = sharedToolkit();
  const $schema = 'https://json-schema.org/draft/2020-12/schema';

  async function infer(samples: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<object> {
    return ((await shared.toolkit.execute('json_infer_schema', { samples, ...more })) as { schema: object }).schema;
  }

  const cases: readonly { readonly samples: readonly unknown[]; readonly more?: object; readonly schema: object }[] = [
    { samples: [null], schema: { type: 'null' } },
    { samples: [1, -2, 3.0], schema: { type: 'integer' } },
    { samples: [1, 2.5], schema: { type: 'number' } },
    { samples: ['a', null, true, 1], schema: { type: ['null', 'boolean', 'integer', 'string'] } },
    { samples: [[], []], schema: { type: 'array' } },
    { samples: [[1], ['a', 2]], schema: { type: 'array', items: { type: ['integer', 'string'] } } },
    { samples: [{}], schema: { type: 'object', properties: {} } },
    { samples: [{ 名: 1 }, {}], schema: { type: 'object', properties: { 名: { type: 'integer' } } } },
    {
      samples: [{ a: 1, b: 1 }, { a: 'x' }],
      schema: { type: 'object', properties: { a: { type: ['integer', 'string'] }, b: { type: 'integer' } }, required: ['a'] },
    },
    {
      samples: [{ a: 1 }, { b: 1 }],
      more: { required: 'all' },
      schema: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['a', 'b'] },
    },
    { samples: [{ a: null }, { a: null }], schema: { type: 'object', properties: { a: { type: 'null' } }, required: ['a'] } },
    {
      samples: [{ a: [{ b: 1 }, {}] }],
      schema: {
        type: 'object',
        properties: { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' } } } } },
        required: ['a'],
      },
    },
    {
      samples: [{ a: 1 }, [1]],
      schema: { type: ['array', 'object'], items: { type: 'integer' }, properties: { a: { type: 'integer' } }, required: ['a'] },
    },
    // An integer beyond 2^53 comes as a text of its digits.
    { samples: ['7960607143101464577', 1], schema: { type: 'integer' } },
    { samples: ['7960607143101464577', 1.5], schema: { type: 'number' } },
    { samples: ['7960607143101464577', null], schema: { type: ['null', 'integer', 'string'] } },
    { samples: ['7960607143101464577', 'a', 1], schema: { type: ['integer', 'string'] } },
    { samples: ['2024-02-29T12:00:00Z', '2024-01-01T00:00:00.5+02:00'], schema: { type: 'string', format: 'date-time' } },
    { samples: ['2024-02-29T12:00:00Z', '2023-02-29T12:00:00Z'], schema: { type: 'string' } },
    { samples: ['2024-02-29T12:00:00Z', null], schema: { type: ['null', 'string'], format: 'date-time' } },
    { samples: ['https://example.org/ä?q=1', 'ftp://example.org'], schema: { type: 'string' } },
    { samples: ['https://example.org/a?q=1', 'ftp://example.org'], schema: { type: 'string', format: 'uri' } },
    { samples: ['note:this', 'a:b'], schema: { type: 'string' } },
    { samples: ['ada@example.org'], schema: { type: 'string', format: 'email' } },
    { samples: ['ada@example.org', ''], schema: { type: 'string' } },
    { samples: ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], schema: { type: 'string', format: 'uuid' } },
    { samples: ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8'], schema: { type: 'string' } },
  ];
  for (const { samples, more = {}, schema } of cases) {
    it(`makes ${JSON.stringify(schema)} out of ${JSON.stringify(samples)} with ${JSON.stringify(more)}`, async () => {
      expect(await infer(samples, { ...more })).to.deep.equal({ $schema, ...schema });
    });
  }

  it('makes schemas that every sample fits, for many lists of samples', async () => {
    const random = randomNumbers(2020);
    for (let count = 0; count < inRound({ whole: 200, short: 60 }); count += 1) {
      const samples = Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomJson(random, 4));
      const schema = await infer(samples);
      const items = { type: 'array', items: schema };
      const output = await shared.toolkit.execute('json_validate', { data: samples, schema: items });
      expect(output, JSON.stringify(samples)).to.deep.equal({ valid: true, errors: [] });
    }
  });

  it('takes __proto__ and constructor for names like any other', async () => {
    const sample = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1}') as object;
    expect(JSON.stringify(await infer([sample]))).to.equal(
      `{"$schema":"${$schema}","type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"integer"}},` +
        '"required":["polluted"]},"constructor":{"type":"integer"}},"required":["__proto__","constructor"]}',
    );
  });

  it('refuses samples that are nested too deeply, or of which the schema is too large', async () => {
    const deep = Array.from({ length: 400 }).reduce<unknown>((inner) => ({ a: inner }), 1);
    const error = await rejection(infer([deep]), 'INVALID_PARAMETERS');
    expect(error.message).to.include('nested deeper than 64 levels');
    const wide = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`${'name'.repeat(100)}${index}`, index]));
    await rejection(infer([wide]), 'OUTPUT_TOO_LARGE');
  });

  for (const parameters of [{ samples: [] }, { samples: {} }, { samples: [1], required: 'none' }]) {
    it(`refuses the parameters ${JSON.stringify(parameters)}`, async () => {
      await rejection(shared.toolkit.execute('json_infer_schema', parameters), 'INVALID_PARAMETERS');
    });
  }
});
