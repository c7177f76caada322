import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { formatProblem, type Kernel } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

const asModel = { origin: 'model' } as const;

type Definition = Readonly<Record<string, unknown>>;

const schema = {
  type: 'object',
  $defs: {
    File: { type: 'string', description: 'A file of the project.', maxLength: 200 },
    Mode: { enum: ['keep', 'drop'], type: 'string' },
    Circle: { $ref: '#/$defs/Circle' },
  },
  properties: {
    file: { $ref: '#/$defs/File' },
    files: { type: 'array', items: { $ref: '#/$defs/File' } },
    mode: { $ref: '#/$defs/Mode' },
    body: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    count: { type: 'integer', default: 3 },
    any: true,
    round: { $ref: '#/$defs/Circle' },
  },
  required: ['mode'],
  additionalProperties: false,
};

function overlaid(parameters: Definition | undefined, more: Definition = {}, input: Definition = schema): Record<string, unknown> {
  return echoTool({ input_schema: input, parameters, ...more });
}

async function kernelOf(tool: Definition, cwd?: string): Promise<Kernel> {
  const plugins = [confinePaths(), approvalGate(), executorHttp()];
  const kernel = await testKernel({ tools: [tool], plugins, cwd: cwd ?? (await temporaryFolder()) });
  expect(kernel.registry.problems.map(formatProblem)).to.deep.equal([]);
  return kernel;
}

describe('parameters beside an input_schema', () => {
  it('leave the schema as written when they add nothing that is shown', async () => {
    const kernel = await kernelOf(overlaid({ file: { path: 'read' }, mode: { options: true }, count: { json_text: false } }));
    expect(kernel.registry.get('echo').inputSchema).to.deep.equal(schema);
  });

  it('replace texts and defaults of single properties, in the order of the schema', async () => {
    const kernel = await kernelOf(
      overlaid({ any: { description: 'Anything.', example: 7 }, mode: { description: 'How.', mistaken_names: ['way'], default: 'keep' } }),
    );
    const { inputSchema, parameters } = kernel.registry.get('echo');
    expect(inputSchema).to.deep.equal({
      ...schema,
      properties: {
        ...schema.properties,
        mode: { $ref: '#/$defs/Mode', description: 'How.', mistaken_names: ['way'], default: 'keep' },
        any: { description: 'Anything.', examples: [7] },
      },
    });
    expect(Object.keys(inputSchema['properties'] as object)).to.deep.equal(Object.keys(schema.properties));
    expect(parameters['mode']).to.deep.include({ type: 'string', description: 'How.', default: 'keep', required: true });
    expect(await kernel.execute('echo', {})).to.deep.equal({ mode: 'keep', count: 3 });
    const { message } = await rejection(kernel.execute('echo', { way: 'keep' }), 'INVALID_PARAMETERS');
    expect(message).to.include('give "mode" in its place');
  });

  it('confine a path behind a reference, and a list of paths', async () => {
    const cwd = await realpath(await temporaryFolder({ 'a.txt': 'a', 'b.txt': 'b' }));
    const kernel = await kernelOf(overlaid({ file: { path: 'read' }, files: { path: 'read' } }), cwd);
    const output = await kernel.execute('echo', { mode: 'keep', file: 'a.txt', files: ['a.txt', 'b.txt'] });
    expect(output).to.deep.include({ file: path.join(cwd, 'a.txt'), files: [path.join(cwd, 'a.txt'), path.join(cwd, 'b.txt')] });
    const outside: readonly Definition[] = [{ file: '/etc/hosts' }, { files: ['a.txt', '../x'] }];
    for (const given of outside) {
      const { message } = await rejection(kernel.execute('echo', { mode: 'keep', ...given }), 'INVALID_PARAMETERS');
      expect(message).to.include('expected a path inside');
    }
    const { message } = await rejection(kernel.execute('echo', { mode: 'keep', file: 5 }), 'INVALID_PARAMETERS');
    expect(message).to.include('file expected string');
  });

  it('read a value from a file, checked by the schema like a given one', async () => {
    const cwd = await temporaryFolder({ 'body.json': '{"id": 7}', 'wrong.json': '{"id": "x"}' });
    const kernel = await kernelOf(overlaid({ body: { from: 'path' } }, {}, { ...schema, required: ['mode', 'body'] }), cwd);
    const { inputSchema } = kernel.registry.get('echo');
    expect(inputSchema['properties']).to.deep.include({ body_path: { type: 'string', description: 'File or output:// instead' } });
    expect(inputSchema['required']).to.deep.equal(['mode']);
    expect(await kernel.execute('echo', { mode: 'keep', body_path: 'body.json' })).to.deep.equal({
      mode: 'keep',
      count: 3,
      body: { id: 7 },
    });
    const wrong: readonly [Definition, string][] = [
      [{}, 'give "body", or "body_path"'],
      [{ body_path: 'wrong.json' }, 'body.id expected integer'],
      [{ body: { id: 1 }, body_path: 'body.json' }, 'is given twice'],
      [{ body_path: '/etc/hosts' }, 'expected a path inside'],
    ];
    for (const [given, says] of wrong) {
      const { message } = await rejection(kernel.execute('echo', { mode: 'keep', ...given }), 'INVALID_PARAMETERS');
      expect(message).to.include(says);
    }
  });

  it('fix a value, which is then in no list, no schema and no call', async () => {
    const kernel = await kernelOf(overlaid({ mode: { fixed: true, default: 'drop' }, count: { fixed: true } }));
    const { inputSchema } = kernel.registry.get('echo');
    expect(Object.keys(inputSchema['properties'] as object)).to.deep.equal(['file', 'files', 'body', 'any', 'round']);
    expect(inputSchema['required']).to.deep.equal([]);
    expect(await kernel.execute('echo', {})).to.deep.equal({ mode: 'drop', count: 3 });
    for (const given of ['drop', 'keep', null]) {
      const { message } = await rejection(kernel.execute('echo', { mode: given }), 'INVALID_PARAMETERS');
      expect(message).to.include('mode is not known here');
    }
  });

  it('fix a value also where the schema takes any other name', async () => {
    const open = { type: 'object', properties: { mode: { type: 'string' } } };
    const kernel = await kernelOf(overlaid({ mode: { fixed: true, default: 'drop' } }, {}, open));
    expect(await kernel.execute('echo', { other: 1 })).to.deep.equal({ mode: 'drop', other: 1 });
    await rejection(kernel.execute('echo', { mode: 'keep' }), 'INVALID_PARAMETERS');
  });

  it('count null as absent where the type behind the reference excludes it', async () => {
    const kernel = await kernelOf(overlaid({ file: { path: 'read' } }));
    expect(await kernel.execute('echo', { mode: 'keep', file: null, count: null })).to.deep.equal({ mode: 'keep', count: 3 });
  });

  it('say that a name is a credential, or is none', async () => {
    const execution = { type: 'http', method: 'get', url: 'https://api.example/{page_token}', headers: { 'X-Token': '{access_token}' } };
    const input = { type: 'object', properties: { page_token: { type: 'string' }, access_token: { type: 'string' } } };
    const kernel = await kernelOf(overlaid({ page_token: { auth: false }, access_token: { auth: true } }, { execution }, input));
    const { inputSchema, credentials } = kernel.registry.get('echo');
    expect(Object.keys(inputSchema['properties'] as object)).to.deep.equal(['page_token']);
    expect(credentials.map(({ name }) => name)).to.deep.equal(['access_token']);
  });

  it('decide on an approval by a value, also one that is fixed', async () => {
    const asks = await kernelOf(overlaid({ count: { description: 'How many.' } }, { requires_approval: { mode: ['drop'] } }));
    expect(await asks.execute('echo', { mode: 'keep' })).to.deep.include({ mode: 'keep' });
    await rejection(asks.execute('echo', { mode: 'drop' }, asModel), 'APPROVAL_REQUIRED');
    const fixed = await kernelOf(overlaid({ mode: { fixed: true, default: 'drop' } }, { requires_approval: { mode: 'drop' } }));
    await rejection(fixed.execute('echo', {}, asModel), 'APPROVAL_REQUIRED');
  });

  it('let a text begin with a dash for a program, where they say so', async () => {
    const input = { type: 'object', properties: { word: { type: 'string' } } };
    const execution = { type: 'command', command: process.execPath, args: ['-p', '1', '{word}'] };
    const run = async (parameters?: Definition): Promise<Kernel> =>
      testKernel({ tools: [overlaid(parameters, { execution }, input)], plugins: [executorCommand()], cwd: await temporaryFolder() });
    await rejection((await run()).execute('echo', { word: '--version' }), 'INVALID_PARAMETERS');
    expect(await (await run({ word: { options: true } })).execute('echo', { word: '--version' })).to.equal(`${process.version}\n`);
  });

  it('change the hash of the tool', async () => {
    const [plain, confined] = await Promise.all([kernelOf(overlaid(undefined)), kernelOf(overlaid({ file: { path: 'read' } }))]);
    expect(plain.registry.get('echo').hash).to.not.equal(confined.registry.get('echo').hash);
  });

  it('may be shared by the tools of a provider', async () => {
    const provider = { provider: { name: 'p' }, $defs: { file: { path: 'read' } } };
    const kernel = await testKernel({
      providers: [provider],
      tools: [overlaid({ file: { $ref: '#/$defs/file' } }, { provider: 'p' })],
      plugins: [confinePaths()],
    });
    expect(kernel.registry.problems).to.deep.equal([]);
    expect(kernel.registry.get('echo').parameters['file']).to.deep.include({ path: 'read', type: 'string' });
  });

  const refused: readonly { what: string; parameters: Definition; says: string; input?: Definition; more?: Definition }[] = [
    { what: 'an unknown name', parameters: { fil: { path: 'read' } }, says: 'is no property of "input_schema". Did you mean "file"' },
    {
      what: 'a name of a schema without properties',
      parameters: { a: { path: 'read' } },
      input: { type: 'object' },
      says: 'It has no "properties"',
    },
    { what: 'a name of every object', parameters: { constructor: { path: 'read' } }, says: 'is no property of "input_schema"' },
    ...['type', 'enum', 'properties', 'items', 'additionalProperties', 'pattern', 'minimum', 'maxLength', 'format'].map((key) => ({
      what: `the key ${key}`,
      parameters: { count: { [key]: sampleOf(key) } },
      says: `count.${key}: would be a second schema of "count": write it in "input_schema", under "properties.count"`,
    })),
    { what: 'the key required', parameters: { count: { required: true } }, says: 'list the name in "required" of "input_schema"' },
    { what: 'the key names_secret', parameters: { file: { names_secret: true } }, says: 'cannot be combined with "input_schema"' },
    { what: 'a fixed value without one', parameters: { file: { fixed: true } }, says: 'needs "default"' },
    { what: 'a number that is read from a file', parameters: { count: { from: 'path' } }, says: 'the type is integer' },
    {
      what: 'the name that from: path adds',
      parameters: { a: { from: 'path' } },
      input: { type: 'object', properties: { a: { type: 'string' }, a_path: { type: 'string' } } },
      says: 'has the name of the parameter that "from: path" of "a" adds',
    },
    {
      what: 'mistaken names where any name is taken',
      parameters: { a: { mistaken_names: ['b'] } },
      input: { type: 'object', properties: { a: { type: 'string' } } },
      says: 'Add "additionalProperties: false"',
    },
    {
      what: 'a gate for a value behind a reference that never is',
      parameters: {},
      more: { requires_approval: { mode: 'burn' } },
      says: 'names a value that the parameter never has',
    },
  ];
  for (const { what, parameters, says, input = schema, more = {} } of refused)
    it(`are refused for ${what}`, async () => {
      const kernel = await testKernel({ tools: [overlaid(parameters, more, input)], plugins: [confinePaths(), approvalGate()] });
      expect(kernel.registry.problems.map(formatProblem).join('\n')).to.include(says);
      expect(kernel.registry.tools.has('echo')).to.equal(false);
    });
});

function sampleOf(key: string): unknown {
  const samples: Definition = { enum: [1], properties: {}, items: {}, additionalProperties: true, minimum: 1, maxLength: 1 };
  return samples[key] ?? (key === 'type' ? 'string' : 'x');
}
