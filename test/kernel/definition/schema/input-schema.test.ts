import { expect } from 'chai';
import { apiVersion, definePlugin, formatProblem } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

const { parameters: _parameters, ...plain } = echoTool();

const address = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { street: { type: 'string', minLength: 2 } },
  properties: { street: { $ref: '#/$defs/street' }, kind: { type: 'string', default: 'home' } },
  required: ['street'],
  additionalProperties: false,
};

describe('a tool with a JSON Schema of its own', () => {
  it('publishes the schema as it is written', async () => {
    const kernel = await testKernel({ tools: [{ ...plain, input_schema: address }] });
    expect(kernel.registry.get('echo').inputSchema).to.deep.equal(address);
  });

  it('checks calls against it, references included, and fills in defaults', async () => {
    const kernel = await testKernel({ tools: [{ ...plain, input_schema: address }] });
    expect(await kernel.execute('echo', { street: 'Elm' })).to.deep.equal({ street: 'Elm', kind: 'home' });
    const error = await rejection(kernel.execute('echo', { street: 'E' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('street');
  });

  const refused = [
    {
      title: 'that lacks one of the parameters beside it',
      tool: { ...echoTool(), input_schema: address },
      problem: 'parameters.text: is no property of "input_schema"',
    },
    {
      title: 'that is no object',
      tool: { ...plain, input_schema: { type: 'string' } },
      problem: 'expected "type: object", received string "string"',
    },
    {
      title: 'that declares a path, which only parameters confine',
      tool: { ...plain, input_schema: { type: 'object', properties: { file: { type: 'string', path: 'read' } } } },
      problem: 'confines values under "parameters" only',
    },
    {
      title: 'without the parameter that a gate names',
      tool: { ...plain, input_schema: address, requires_approval: { force: true } },
      problem: 'names "force", which is no parameter',
    },
  ];
  for (const { title, tool, problem } of refused) {
    it(`is refused with a schema ${title}`, async () => {
      const kernel = await testKernel({ tools: [tool] });
      expect(kernel.registry.problems.map(formatProblem).join('\n')).to.include(problem);
      expect(kernel.registry.tools.has('echo')).to.equal(false);
    });
  }
});

describe('a fixed parameter', () => {
  const tool = {
    name: 'keep',
    description: 'Gives its parameters back.',
    parameters: { text: { type: 'string' }, place: { type: 'string', default: 'here', fixed: true } },
    execution: { type: 'function', handler: (parameters: unknown) => parameters },
    risk: 'low',
  };

  it('has its default, and is in no schema', async () => {
    const kernel = await testKernel({ tools: [tool] });
    expect(await kernel.execute('keep', { text: 'a' })).to.deep.equal({ text: 'a', place: 'here' });
    expect(JSON.stringify(kernel.registry.get('keep').inputSchema)).to.not.include('place');
  });

  for (const place of ['here', 'there', null]) {
    it(`cannot be given: ${place}`, async () => {
      const kernel = await testKernel({ tools: [tool] });
      const { message } = await rejection(kernel.execute('keep', { place }), 'INVALID_PARAMETERS');
      expect(message).to.include('place is not known here');
    });
  }

  it('may be changed by a step of the call', async () => {
    const moving = definePlugin({
      name: 'moving',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.beforeExecute.tap('moving', (draft) => ({ ...draft, parameters: { ...draft.parameters, place: 'there' } })),
    });
    const kernel = await testKernel({ tools: [tool], plugins: [moving()] });
    expect(await kernel.execute('keep', {})).to.deep.equal({ place: 'there' });
  });

  it('needs a default', async () => {
    const kernel = await testKernel({ tools: [{ ...tool, parameters: { place: { type: 'string', fixed: true } } }] });
    expect(kernel.registry.problems.map(({ message }) => message).join()).to.include('needs "default"');
  });
});
