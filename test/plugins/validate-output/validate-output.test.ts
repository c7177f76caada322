import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    state: { enum: ['open', 'closed'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    owner: { type: ['object', 'null'], properties: { name: { type: 'string' } }, required: ['name'] },
  },
  required: ['id'],
};

async function outputOf(output: unknown, outputSchema: unknown): Promise<unknown> {
  const tool = echoTool({ execution: { type: 'function', handler: () => output }, output_schema: outputSchema });
  return (await testKernel({ tools: [tool] })).execute('echo');
}

describe('the output of a tool', () => {
  const fitting = [
    { what: 'has all that is required', output: { id: 1 }, schema },
    { what: 'has everything', output: { id: 2, state: 'open', tags: ['a'], owner: { name: 'Zoë' } }, schema },
    { what: 'has fields that the schema does not know', output: { id: 3, new_field: [1], owner: null }, schema },
    { what: 'is null where null is meant', output: null, schema: { type: 'null' } },
    { what: 'is a bare string', output: 'text', schema: { type: 'string', minLength: 1 } },
    { what: 'is a list', output: [1, 2], schema: { type: 'array', items: { type: 'number' } } },
    { what: 'is anything under an empty schema', output: { a: [null] }, schema: {} },
  ];
  for (const { what, output, schema: given } of fitting) {
    it(`passes when it ${what}`, async () => {
      expect(await outputOf(output, given)).to.deep.equal(output);
    });
  }

  const unfit = [
    { what: 'lacks a field', output: {}, schema, issues: [{ path: 'id', message: 'is required' }] },
    {
      what: 'has a field of another type',
      output: { id: 'one' },
      schema,
      issues: [{ path: 'id', message: 'expected integer, received string "one"' }],
    },
    {
      what: 'has a value that is not listed',
      output: { id: 1, state: 'gone' },
      schema,
      issues: [{ path: 'state', message: 'expected one of "open", "closed", received string "gone"' }],
    },
    {
      what: 'is wrong deep inside',
      output: { id: 1, tags: ['a', 2] },
      schema,
      issues: [{ path: 'tags[1]', message: 'expected string, received number 2' }],
    },
    {
      what: 'is null where an object is meant',
      output: null,
      schema,
      issues: [{ path: '', message: 'expected object, received null' }],
    },
    {
      what: 'is an object where text is meant',
      output: { a: 1 },
      schema: { type: 'string' },
      issues: [{ path: '', message: 'expected string, received object' }],
    },
  ];
  for (const { what, output, schema: given, issues } of unfit) {
    it(`is refused when it ${what}`, async () => {
      const error = await rejection(outputOf(output, given), 'OUTPUT_INVALID');
      expect(error.details.issues).to.deep.equal(issues);
      const [issue] = issues;
      expect(error.message).to.equal(
        `The output of "echo" does not match its output_schema: ${`${issue?.path} ${issue?.message}`.trim()}. Correct the tool or its output_schema.`,
      );
      expect(error.details).to.include({ tool: 'echo', plugin: 'validate-output', hook: 'validateOutput' });
    });
  }

  it('is refused with all problems at once, of which the message names five', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}`, 'text']));
    const numbers = { type: 'object', properties: Object.fromEntries(Object.keys(wrong).map((name) => [name, { type: 'number' }])) };
    const error = await rejection(outputOf(wrong, numbers), 'OUTPUT_INVALID');
    expect(error.details.issues).to.have.length(9);
    expect(error.message).to.include('f4').and.include('(and 4 more)').and.not.include('f5');
  });

  it('is not checked without an output_schema', async () => {
    const tool = echoTool({ execution: { type: 'function', handler: () => [{ any: 'thing' }] } });
    expect(await (await testKernel({ tools: [tool] })).execute('echo')).to.deep.equal([{ any: 'thing' }]);
  });

  it('is checked after other plugins have changed it', async () => {
    const trim = definePlugin({
      name: 'trim',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.validateOutput.tap({ name: 'trim', before: 'validate-output' }, (result) => ({ ...result, output: { id: 0 } })),
    });
    const tool = echoTool({ execution: { type: 'function', handler: () => ({ id: 1 }) }, output_schema: schema });
    const kernel = await testKernel({ tools: [tool], plugins: [trim()] });
    expect((await rejection(kernel.execute('echo'), 'OUTPUT_INVALID')).message).to.include('id expected to be >= 1');
  });

  it('does not show a secret in the error', async () => {
    const tool = echoTool({
      execution: { type: 'function', handler: (_: unknown, context: { secrets: Record<string, string> }) => context.secrets['SHOP_TOKEN'] },
      output_schema: { type: 'number' },
      secrets: ['SHOP_TOKEN'],
    });
    const plugins = [secretsEnv({ env: { SHOP_TOKEN: 'value-of-shop-token' } }), credentialsPlaceholder()];
    const error = await rejection((await testKernel({ tools: [tool], plugins })).execute('echo'), 'OUTPUT_INVALID');
    expect(JSON.stringify([error, error.message, error.stack]))
      .to.include('[secret SHOP_TOKEN]')
      .and.not.include('value-of-shop-token');
  });

  it('is checked by a plugin that keeps the contract', async () => {
    expect(await checkPlugin(validateOutput)).to.deep.equal([]);
  });
});
