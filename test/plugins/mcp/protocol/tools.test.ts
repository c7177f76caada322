import { expect } from 'chai';
import { formatProblem } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { loopback } from '../../../support/loopback.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { connect, failure, handlerTool, textOf } from '../support/client.ts';

async function listed(tool: Readonly<Record<string, unknown>>) {
  const plugins = [executorHttp(), approvalGate(), confinePaths(), credentialsPlaceholder(), secretsEnv({ env: {} })];
  const kernel = await testKernel({ plugins, tools: [tool] });
  expect(kernel.registry.problems).to.deep.equal([]);
  const { tools } = await (await connect(kernel)).client.listTools();
  expect(tools).to.have.length(1);
  return tools[0];
}

const httpTool = (more: Readonly<Record<string, unknown>>, execution: Readonly<Record<string, unknown>> = {}) => ({
  name: 'it',
  description: 'Does it.',
  ...more,
  execution: { type: 'http', method: 'get', url: 'https://api.example/x', ...execution },
});

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, additionalProperties: false, ...more });

describe('tools/list: the input schema', () => {
  const limits = { minLength: 2, maxLength: 9, pattern: '^a', format: 'date-time' };
  const plain = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];
  const listOf = (items: object) => ({ anyOf: [{ type: 'object' }, { type: 'array', items }, ...plain] });
  const anything = listOf(listOf({ anyOf: [{ type: 'object' }, ...plain] }));
  const shapes = [
    { title: 'no parameters', parameters: {}, schema: object({}) },
    { title: 'a parameter that takes anything', parameters: { value: {} }, schema: object({ value: anything }) },
    {
      title: 'limits of a text',
      parameters: { host: { type: 'string', required: true, description: 'A host.', ...limits } },
      schema: object({ host: { type: 'string', description: 'A host.', ...limits } }, { required: ['host'] }),
    },
    {
      title: 'limits of numbers',
      parameters: { n: { type: 'integer', minimum: 1, exclusiveMaximum: 9, multipleOf: 2 }, m: { type: 'number', maximum: 0.5 } },
      schema: object({ n: { type: 'integer', minimum: 1, exclusiveMaximum: 9, multipleOf: 2 }, m: { type: 'number', maximum: 0.5 } }),
    },
    {
      title: 'choices and a default, and no example',
      parameters: { mode: { type: 'string', enum: ['fast', 'safe'], default: 'safe', example: 'fast' } },
      schema: object({ mode: { type: 'string', enum: ['fast', 'safe'], default: 'safe' } }),
    },
    {
      title: 'nested objects, closed at each level',
      parameters: { f: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'boolean', required: true } } } } } },
      schema: object({ f: object({ a: object({ b: { type: 'boolean' } }, { required: ['b'] }) }) }),
    },
    {
      title: 'an object of any members, and one of numbers',
      parameters: { any: { type: 'object' }, counts: { type: 'object', additionalProperties: { type: 'number', required: true } } },
      schema: object({ any: { type: 'object' }, counts: { type: 'object', additionalProperties: { type: 'number' } } }),
    },
    {
      title: 'lists of objects',
      parameters: {
        rows: { type: 'array', minItems: 1, items: { type: 'object', properties: { id: { type: 'integer', required: true } } } },
      },
      schema: object({ rows: { type: 'array', minItems: 1, items: object({ id: { type: 'integer' } }, { required: ['id'] }) } }),
    },
    {
      title: 'null as a type',
      parameters: { until: { type: ['string', 'null'] } },
      schema: object({ until: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    },
    {
      title: 'in words what not every model API takes',
      parameters: { host: { type: 'string', format: 'hostname' }, version: { type: 'integer', enum: [4, 7], description: 'Which.' } },
      schema: object({
        host: { type: 'string', description: 'Format: hostname.' },
        version: { type: 'integer', description: 'Which. One of 4, 7.' },
      }),
    },
    {
      title: 'none of the keys that are not for callers',
      parameters: { file: { type: 'string', path: 'read', 'x-widget': 'picker' }, page_token: { type: 'string', auth: false } },
      schema: object({ file: { type: 'string' }, page_token: { type: 'string' } }),
    },
  ];
  for (const { title, parameters, schema } of shapes) {
    it(`says ${title}`, async () => {
      expect((await listed(handlerTool(() => null, { parameters })))?.inputSchema).to.deep.equal(schema);
    });
  }

  it('has no credentials, neither declared ones nor required ones', async () => {
    const parameters = {
      API_TOKEN: { type: 'string', required: true, auth: true },
      account: { type: 'string', auth: true },
      city: { type: 'string' },
    };
    const execution = { headers: { authorization: 'Bearer {API_TOKEN}', 'x-account': '{account}' }, query_params: { city: '{city}' } };
    expect((await listed(httpTool({ parameters }, execution)))?.inputSchema).to.deep.equal(object({ city: { type: 'string' } }));
  });

  const written = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://toolkit.example/order',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' } }, required: ['street'], unevaluatedProperties: false } },
    type: 'object',
    properties: { to: { $ref: '#/$defs/address' }, by: { oneOf: [{ const: 'air' }, { type: 'null' }] }, API_TOKEN: { type: 'string' } },
    patternProperties: { '^x-': {} },
    required: ['to', 'API_TOKEN'],
    additionalProperties: false,
  };

  it('is the written JSON Schema unchanged, with references and definitions', async () => {
    const { properties, ...rest } = written;
    const schema = { ...rest, properties: { to: properties.to, by: properties.by }, required: ['to'] };
    expect((await listed(handlerTool(() => null, { input_schema: schema })))?.inputSchema).to.deep.equal(schema);
  });

  it('is the written JSON Schema without the credential, which the call does not need', async () => {
    const { url, requests } = await loopback((_request, response) => response.end('sent'));
    const execution = { type: 'http', method: 'post', url, headers: { authorization: '{API_TOKEN}' }, body: { to: '{to}' } };
    const plugins = [executorHttp(), credentialsPlaceholder(), secretsEnv({ env: { API_TOKEN: 'the-planted-token' } })];
    const tool = { name: 'it', description: 'd', input_schema: written, execution };
    const { client, call } = await connect(await testKernel({ plugins, tools: [tool] }));
    const { properties, ...rest } = written;
    const shown = { ...rest, properties: { to: properties.to, by: properties.by }, required: ['to'] };
    expect((await client.listTools()).tools[0]?.inputSchema).to.deep.equal(shown);
    expect(textOf(await call('it', { to: { street: 'Elm' } }))).to.equal('sent');
    expect(requests.map(({ body, headers }) => [body, headers.authorization])).to.deep.equal([
      ['{"to":{"street":"Elm"}}', 'the-planted-token'],
    ]);
    expect(failure(await call('it', { to: {} }), 'INVALID_PARAMETERS')['issues']).to.deep.equal([
      { path: 'to.street', message: 'is required' },
    ]);
    failure(await call('it', { to: { street: 'Elm' }, API_TOKEN: 'mine' }), 'INVALID_PARAMETERS');
  });

  it('is the written JSON Schema without examples and comments, which the tool keeps', async () => {
    const text = { type: 'string', examples: ['a'], $comment: 'Why.' };
    const input_schema = { type: 'object', properties: { examples: text }, examples: [{ examples: 'a' }] };
    const kernel = await testKernel({ tools: [handlerTool(() => null, { input_schema })] });
    const { tools } = await (await connect(kernel)).client.listTools();
    expect(tools[0]?.inputSchema).to.deep.equal({ type: 'object', properties: { examples: { type: 'string' } } });
    expect(kernel.registry.get('it').inputSchema).to.deep.equal(input_schema);
  });

  it('never offers a name that the written JSON Schema marks as a credential', async () => {
    const input_schema = { type: 'object', properties: { account: { type: 'string', auth: true }, city: { type: 'string' } } };
    const tool = httpTool({ input_schema }, { headers: { 'x-account': '{account}', 'x-city': '{city}' } });
    const { client } = await connect(await testKernel({ plugins: [executorHttp()], tools: [tool] }));
    const { tools } = await client.listTools();
    // Refused, or without the name.
    expect(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).to.not.include('account');
  });

  const gates = [
    { requires_approval: true, shown: true },
    { requires_approval: { mode: 'delete' }, shown: true },
    { requires_approval: false, shown: false },
    { requires_approval: undefined, shown: false },
  ];
  for (const { requires_approval, shown } of gates) {
    it(`has ${shown ? 'a' : 'no'} place for approval with requires_approval ${JSON.stringify(requires_approval)}`, async () => {
      const gated = requires_approval === undefined ? {} : { requires_approval };
      const schema = (await listed(handlerTool(() => null, { parameters: { mode: { type: 'string', required: true } }, ...gated })))
        ?.inputSchema;
      expect(Object.keys(schema?.properties ?? {})).to.deep.equal(shown ? ['mode', '_toolkit_approved'] : ['mode']);
      expect(schema?.required).to.deep.equal(['mode']);
    });
  }

  it('says for which values approval is needed', async () => {
    const parameters = { mode: { type: 'string', enum: ['read', 'move', 'delete'] } };
    const tool = await listed(handlerTool(() => null, { parameters, requires_approval: { mode: ['move', 'delete'] } }));
    const argument = tool?.inputSchema.properties?.['_toolkit_approved'] as { description?: string } | undefined;
    expect(argument?.description).to.match(/^Needed when mode is move or delete\. true only after/);
  });
});

describe('tools/list: the output schema', () => {
  const cases = [
    { title: 'an object', output_schema: { type: 'object', properties: { n: { type: 'integer' } } }, output: { n: 1 }, structured: true },
    { title: 'a list', output_schema: { type: 'array', items: { type: 'integer' } }, output: [1], structured: false },
    { title: 'nothing', output_schema: undefined, output: { n: 1 }, structured: false },
  ];
  for (const { title, output_schema, output, structured } of cases) {
    it(`of ${title} is ${structured ? '' : 'not '}shown, with structured content to match`, async () => {
      const schema = output_schema === undefined ? {} : { output_schema };
      const { client, call } = await connect(await testKernel({ tools: [handlerTool(() => output, schema)] }));
      expect((await client.listTools()).tools[0]?.outputSchema).to.deep.equal(structured ? output_schema : undefined);
      const { content, structuredContent } = await call('it');
      expect(structuredContent).to.deep.equal(structured ? output : undefined);
      expect(content).to.deep.equal([{ type: 'text', text: JSON.stringify(output) }]);
    });
  }

  const deep = {
    type: 'object',
    description: 'Rows.',
    properties: { rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } } } },
    required: ['rows'],
    additionalProperties: false,
  };
  const compact = { type: 'object', properties: { rows: { type: 'array' } }, required: ['rows'] };
  const choices = [
    { outputSchemas: undefined, shown: compact, is: 'compact where nothing is said' },
    { outputSchemas: 'compact', shown: compact, is: 'compact' },
    { outputSchemas: 'full', shown: deep, is: 'whole' },
    { outputSchemas: 'none', shown: undefined, is: 'left out' },
  ] as const;
  for (const { outputSchemas, shown, is } of choices) {
    it(`is ${is}${outputSchemas === undefined ? '' : ` with outputSchemas ${outputSchemas}`}, and results are checked and structured all the same`, async () => {
      const tools = [
        handlerTool(() => ({ rows: [{ id: 1 }] }), { output_schema: deep }),
        handlerTool(() => ({ rows: [{ id: 0 }] }), { name: 'wrong', output_schema: deep }),
      ];
      const { client, call } = await connect(await testKernel({ tools }), outputSchemas === undefined ? {} : { outputSchemas });
      const listed = (await client.listTools()).tools.map(({ outputSchema }) => outputSchema);
      expect(listed).to.deep.equal([shown, shown]);
      expect((await call('it')).structuredContent).to.deep.equal({ rows: [{ id: 1 }] });
      failure(await call('wrong'), 'OUTPUT_INVALID');
    });
  }

  it('refuses an output that does not fit, with no structured content', async () => {
    const tool = handlerTool(() => ({ n: 'one' }), { output_schema: { type: 'object', properties: { n: { type: 'integer' } } } });
    const result = await (await connect(await testKernel({ tools: [tool] }))).call('it');
    expect(failure(result, 'OUTPUT_INVALID')['issues']).to.deep.equal([{ path: 'n', message: 'expected integer, received string "one"' }]);
    expect(result).to.not.have.property('structuredContent');
  });
});

describe('tools/list: a written schema that is broken', () => {
  const broken: { what: string; schema: Readonly<Record<string, unknown>> }[] = [
    { what: 'properties that are no object', schema: { type: 'object', properties: 5 } },
    { what: 'a property that is no schema', schema: { type: 'object', properties: { a: 5 } } },
    { what: 'an unknown type', schema: { type: 'object', properties: { a: { type: 'strnig' } } } },
    { what: 'a text in place of the list of required names', schema: { type: 'object', properties: { a: {} }, required: 'a' } },
    { what: 'a reference to nothing', schema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } },
    { what: 'a reference to another machine', schema: { type: 'object', properties: { a: { $ref: 'https://127.0.0.1:1/a.json' } } } },
    { what: 'a pattern that is none', schema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
  ];
  for (const key of ['input_schema', 'output_schema']) {
    for (const { what, schema } of broken) {
      it(`is a problem of its own tool and hides no other: ${key} with ${what}`, async () => {
        const tools = [handlerTool(() => ({}), { [key]: schema }), handlerTool(() => 'done', { name: 'good' })];
        const kernel = await testKernel({ tools });
        const { client } = await connect(kernel);
        expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['good']);
        expect(kernel.registry.problems.map(formatProblem).join()).to.include(key);
      });
    }
  }

  const refused = [
    { what: 'another type', more: { input_schema: { type: 'array' } }, says: 'expected "type: object", received string "array"' },
    { what: 'no type', more: { input_schema: {} }, says: 'expected "type: object", received nothing' },
    {
      what: 'a path in it, which nobody would confine',
      more: { input_schema: { type: 'object', properties: { at: { anyOf: [{ type: 'string', path: 'read' }] } } } },
      says: 'declares "path: read", "path: write" or "from: path"',
    },
  ];
  for (const { what, more, says } of refused) {
    it(`is refused: input_schema with ${what}`, async () => {
      const kernel = await testKernel({ tools: [handlerTool(() => null, more)], plugins: [confinePaths()] });
      expect(kernel.registry.problems.map((problem) => `${problem.severity} ${formatProblem(problem)}`).join()).to.match(
        new RegExp(`^error test-kit input_schema: ${says}`),
      );
      expect(kernel.registry.tools.size).to.equal(0);
    });
  }
});

describe('tools/list: title and annotations', () => {
  const reads = { readOnlyHint: true, destructiveHint: false };
  const writes = { readOnlyHint: false, destructiveHint: false };
  const destroys = { readOnlyHint: false, destructiveHint: true };
  const web = (idempotentHint: boolean) => ({ openWorldHint: true, idempotentHint });
  const rows: { does: string; tool?: object; expected: object }[] = [
    { does: 'get', expected: { ...web(true), ...reads } },
    { does: 'head', expected: { ...web(true), ...reads } },
    { does: 'options', expected: { ...web(true), ...reads } },
    { does: 'get', tool: { risk: 'medium' }, expected: { ...web(true), ...writes } },
    { does: 'get', tool: { risk: 'high' }, expected: { ...web(true), ...destroys } },
    { does: 'get', tool: { requires_approval: true }, expected: { ...web(true), ...reads } },
    { does: 'get', tool: { annotations: { openWorldHint: false } }, expected: { ...web(true), ...reads, openWorldHint: false } },
    { does: 'post', expected: { ...web(false), ...writes } },
    { does: 'post', tool: { risk: 'low' }, expected: { ...web(false), ...writes } },
    { does: 'post', tool: { risk: 'high' }, expected: { ...web(false), ...destroys } },
    { does: 'post', tool: { requires_approval: true }, expected: { ...web(false), ...destroys } },
    { does: 'post', tool: { requires_approval: false }, expected: { ...web(false), ...writes } },
    { does: 'post', tool: { requires_approval: { mode: 'all' } }, expected: { ...web(false), ...writes } },
    { does: 'post', tool: { annotations: { readOnlyHint: true, idempotentHint: true } }, expected: { ...web(true), ...reads } },
    { does: 'put', expected: { ...web(true), ...writes } },
    { does: 'patch', expected: { ...web(false), ...writes } },
    { does: 'delete', expected: { ...web(true), ...destroys } },
    { does: 'delete', tool: { risk: 'low' }, expected: { ...web(true), ...destroys } },
    { does: 'delete', tool: { annotations: { destructiveHint: false } }, expected: { ...web(true), ...writes } },
    { does: 'function', expected: destroys },
    { does: 'function', tool: { risk: 'medium' }, expected: writes },
    { does: 'function', tool: { risk: 'low' }, expected: reads },
    { does: 'function', tool: { risk: 'low', requires_approval: true }, expected: reads },
    { does: 'function', tool: { risk: 'low', annotations: { readOnlyHint: false } }, expected: writes },
    { does: 'function', tool: { risk: 'medium', requires_approval: true }, expected: destroys },
    { does: 'function', tool: { risk: 'high', annotations: { readOnlyHint: true } }, expected: reads },
    { does: 'function', tool: { risk: 'low', annotations: { destructiveHint: true } }, expected: destroys },
    { does: 'get', tool: { annotations: { destructiveHint: true } }, expected: { ...web(true), ...destroys } },
    { does: 'delete', tool: { annotations: { readOnlyHint: true } }, expected: { ...web(true), ...reads } },
    { does: 'post', tool: { requires_approval: true, annotations: { readOnlyHint: true } }, expected: { ...web(false), ...reads } },
  ];
  for (const { does, tool = {}, expected } of rows) {
    it(`of ${does} with ${JSON.stringify(tool)} are ${JSON.stringify(expected)}`, async () => {
      const more = { name: 'shop_list_items', parameters: { mode: {} }, ...tool };
      const found = await listed(does === 'function' ? handlerTool(() => null, more) : httpTool(more, { method: does }));
      expect(found?.annotations).to.deep.equal({ title: 'Shop list items', ...expected });
      expect(found?.title).to.equal('Shop list items');
    });
  }

  it('are no definition where they say that the tool only reads and destroys', async () => {
    const both = handlerTool(() => null, { annotations: { readOnlyHint: true, destructiveHint: true } });
    const kernel = await testKernel({ tools: [both] });
    expect(kernel.registry.tools.size).to.equal(0);
    expect(kernel.registry.problems.map(({ path, message }) => `${path} ${message}`).join()).to.match(
      /^annotations says readOnlyHint: true and destructiveHint: true: expected at most one of them/,
    );
  });

  it('take the title of the definition', async () => {
    const found = await listed(handlerTool(() => null, { annotations: { title: 'Goods' } }));
    expect([found?.title, found?.annotations?.title]).to.deep.equal(['Goods', 'Goods']);
  });
});
