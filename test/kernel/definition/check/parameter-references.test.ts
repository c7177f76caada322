import { expect } from 'chai';
import { after } from 'mocha';
import type { Kernel } from '../../../../kernel/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { onceForFile, temporaryFolder } from '../../../support/temporary.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

type Definition = Readonly<Record<string, unknown>>;

async function kernelOf(parameters: Definition, more: Definition = {}): Promise<Kernel> {
  return testKernel({ tools: [echoTool({ parameters, ...more })], plugins: [confinePaths()], cwd: await temporaryFolder() });
}

const text = { type: 'string', from: 'path' };
const bySchema = { type: 'string', description: 'File or output:// instead' };

describe('a parameter that says from: path', () => {
  it('is listed with one for the path behind it, and neither is required', async () => {
    const kernel = await kernelOf({
      text: { ...text, required: true, description: 'The text.' },
      count: { type: 'integer', required: true },
    });
    expect(kernel.registry.problems).to.deep.equal([]);
    const { inputSchema, parameters, definition } = kernel.registry.get('echo');
    expect(inputSchema).to.deep.equal({
      type: 'object',
      properties: { text: { type: 'string', description: 'The text.' }, text_path: bySchema, count: { type: 'integer' } },
      required: ['count'],
      additionalProperties: false,
    });
    expect(Object.keys(inputSchema['properties'] as object)).to.deep.equal(['text', 'text_path', 'count']);
    expect(parameters['text_path']).to.deep.include({ path: 'read', reads: 'text' });
    // As it was written: an approval is bound to its hash.
    expect(Object.keys(definition.parameters ?? {})).to.deep.equal(['text', 'count']);
  });

  const allowed: readonly { what: string; parameter: Definition }[] = [
    { what: 'a text', parameter: { type: 'string' } },
    { what: 'an object', parameter: { type: 'object' } },
    { what: 'a list', parameter: { type: 'array', items: { type: 'number' } } },
    { what: 'any JSON value', parameter: {} },
    { what: 'one of several types', parameter: { type: ['object', 'array', 'null'] } },
    { what: 'a text that is streamed to a function in this process', parameter: { type: 'string', streamed: true } },
    { what: 'a value with a default', parameter: { type: 'object', default: {} } },
    { what: 'a parameter that is shared', parameter: { $ref: '#/$defs/shared' } },
  ];
  for (const { what, parameter } of allowed)
    it(`may hold ${what}`, async () => {
      const provider = { provider: { name: 'p' }, $defs: { shared: { type: 'string' } } };
      const tool = echoTool({ provider: 'p', parameters: { value: { ...parameter, from: 'path' } } });
      const kernel = await testKernel({ providers: [provider], tools: [tool], plugins: [confinePaths()] });
      expect(kernel.registry.problems).to.deep.equal([]);
      expect(kernel.registry.get('echo').inputSchema['properties']).to.deep.include({ value_path: bySchema });
    });

  /** `at`: the line in the file below, which has a key on each. */
  const refused: readonly { what: string; lines: readonly string[]; at: number; says: string; more?: readonly string[] }[] = [
    { what: 'a number', lines: ['  a:', '    type: number', '    from: path'], at: 6, says: 'the type is number' },
    { what: 'a boolean', lines: ['  a:', '    type: boolean', '    from: path'], at: 6, says: 'the type is boolean' },
    { what: 'an integer or null', lines: ['  a:', '    type: [integer, "null"]', '    from: path'], at: 6, says: 'integer or null' },
    { what: 'another word', lines: ['  a:', '    type: string', '    from: file'], at: 6, says: 'expected "path"' },
    {
      what: 'a path',
      lines: ['  a:', '    type: string', '    path: read', '    from: path'],
      at: 7,
      says: 'cannot be combined with "path"',
    },
    {
      what: 'a fixed value',
      lines: ['  a:', '    type: string', '    default: x', '    fixed: true', '    from: path'],
      at: 8,
      says: '"fixed"',
    },
    { what: 'a credential', lines: ['  a:', '    type: string', '    auth: true', '    from: path'], at: 7, says: '"auth: true"' },
    {
      what: 'a value that must be no option',
      lines: ['  a:', '    type: string', '    options: false', '    from: path'],
      at: 7,
      says: '"options: false"',
    },
    {
      what: 'a parameter of the name that it adds',
      lines: ['  a:', '    type: string', '    from: path', '  a_path:', '    type: string'],
      at: 7,
      says: 'has the name of the parameter that "from: path" of "a" adds',
    },
    {
      what: 'a member of a value',
      lines: ['  a:', '    type: object', '    properties:', '      b: { type: string, from: path }'],
      at: 4,
      says: 'has "from" inside its value',
    },
    {
      what: 'items of a list',
      lines: ['  a:', '    type: array', '    items: { type: string, from: path }'],
      at: 4,
      says: 'has "from" inside its value',
    },
    {
      what: 'what the gate looks at',
      lines: ['  a:', '    type: string', '    from: path'],
      at: 6,
      says: 'cannot be combined with "requires_approval"',
      more: ['requires_approval: { a: delete }'],
    },
    {
      what: 'a stream of a value',
      lines: ['  a:', '    type: object', '    from: path', '    streamed: true'],
      at: 7,
      says: 'is for a text that says "from: path"',
    },
    {
      what: 'a stream without from',
      lines: ['  a:', '    type: string', '    streamed: true'],
      at: 6,
      says: 'is for a text that says "from: path"',
    },
    {
      what: 'a table for a text',
      lines: ['  a:', '    type: string', '    from: path', '    tables: true'],
      at: 7,
      says: 'may be a list',
    },
    {
      what: 'a table without from',
      lines: ['  a:', '    type: array', '    tables: true'],
      at: 6,
      says: 'is for a value that says "from: path"',
    },
    {
      what: 'a stream to a child process',
      lines: ['  a:', '    type: string', '    from: path', '    streamed: true'],
      at: 7,
      says: 'is for functions that run in this process',
      more: ['  worker: process'],
    },
    {
      what: 'a placeholder of the path',
      lines: ['  a:', '    type: string', '    from: path'],
      at: 7,
      says: 'uses the placeholder {a_path}, which is never filled in',
      more: ['HTTP'],
    },
  ];
  const written = refused.map(({ lines, more = [] }, index) => {
    const execution = more.includes('HTTP')
      ? ['  type: http', '  method: get', '  url: https://example.com/', '  query_params: { q: "{a_path}" }']
      : ['  type: function', '  code: ./it.mjs', ...more.filter((line) => line.startsWith('  '))];
    const rest = more.filter((line) => line !== 'HTTP' && !line.startsWith('  '));
    return [`name: own_${index}`, 'description: It.', 'parameters:', ...lines, 'execution:', ...execution, ...rest, ''].join('\n');
  });
  const all = onceForFile(async () => {
    const module = 'export const run = (given) => given;\n';
    const files = Object.fromEntries(written.map((yaml, index) => [`tools/own_${index}.yaml`, yaml]));
    const cwd = await temporaryFolder({ 'it.mjs': module, 'tools/it.mjs': module, ...files });
    return Toolkit.init({ logger: memoryLogger(), cwd, toolPaths: ['tools'] });
  });
  after(async () => (await all()).close());

  for (const [index, { what, at, says }] of refused.entries())
    it(`is refused for ${what}, by validate and by the load, with its line`, async () => {
      const toolkit = await all();
      const { valid, errors } = (await toolkit.execute('toolkit_validate_tool', { yaml: written[index] ?? '' })) as never as {
        valid: boolean;
        errors: { line: number; message: string }[];
      };
      const found = errors.filter(({ message }) => message.includes(says));
      expect([valid, found.map(({ line }) => line)], JSON.stringify(errors)).to.deep.equal([false, [at]]);
      const loaded = toolkit.kernel.registry.problems.filter(({ tool, message }) => tool === `own_${index}` && message.includes(says));
      expect(loaded.map(({ position, severity }) => [severity, position?.line])).to.deep.equal([['error', at]]);
      expect(toolkit.listTools().map(({ name }) => name)).to.not.include(`own_${index}`);
    });

  it('is refused where no plugin reads it', async () => {
    const kernel = await testKernel({ tools: [echoTool({ parameters: { text } })] });
    expect(kernel.registry.problems.map(({ path, message }) => `${path} ${message}`).join()).to.include(
      'parameters.text.from is declared, but no plugin',
    );
  });

  it('is refused in an input_schema, which confines nothing', async () => {
    const input_schema = { type: 'object', properties: { a: { type: 'string', from: 'path' } } };
    const kernel = await kernelOf({}, { parameters: undefined, input_schema });
    expect(kernel.registry.problems.map(({ message }) => message).join()).to.include('"from: path"');
  });
});
