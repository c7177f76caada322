import { expect } from 'chai';
import type { ExecuteOptions } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const provider = {
  provider: { name: 'acme' },
  parameter_mapping: [{ parameter: 'account', env_pattern: 'ACME_ACCOUNT', required: false }],
};

const open = { input_schema: { type: 'object', properties: { ACME_KEY: { type: 'string' } } } };

/** Prints what it is given as its credential, or as its account. */
const printing = { execution: { type: 'command', command: 'echo', args: [['{account}'], ['{ACME_KEY}']] }, provider: 'acme' };

const command = (more: Readonly<Record<string, unknown>> = {}) => ({
  name: 'acme_print',
  description: 'Prints.',
  ...printing,
  ...open,
  ...more,
});

const ofModel: ExecuteOptions = { origin: 'model' };

describe('names that the service supplies', () => {
  const refused: readonly { title: string; tool: Readonly<Record<string, unknown>>; name: string }[] = [
    { title: 'an optional credential that has no value', tool: command(), name: 'ACME_KEY' },
    { title: 'an optional name of the mapping that has no value', tool: command(), name: 'account' },
    {
      title: 'a credential that is declared as a parameter',
      tool: command({ input_schema: undefined, parameters: { ACME_KEY: { type: 'string' } } }),
      name: 'ACME_KEY',
    },
    {
      title: 'a name of the mapping that is declared and not used',
      tool: command({
        execution: { ...printing.execution, args: ['{ACME_KEY}'] },
        input_schema: undefined,
        parameters: { account: {}, ACME_KEY: {} },
      }),
      name: 'account',
    },
  ];
  for (const { title, tool, name } of refused)
    it(`are refused from a model: ${title}`, async () => {
      const kernel = await testKernel({ plugins: [executorCommand()], providers: [provider], tools: [tool] });
      const error = await rejection(kernel.execute('acme_print', { [name]: 'mine' }, ofModel), 'INVALID_PARAMETERS');
      expect(error.details.issues).to.deep.equal([
        { path: name, message: 'is supplied by the service and cannot be given with a call. Leave it out' },
      ]);
      expect(kernel.registry.get('acme_print').inputSchema['properties']).to.not.have.property(name);
    });

  it('are taken from host code', async () => {
    const kernel = await testKernel({ plugins: [executorCommand(), credentialsPlaceholder()], providers: [provider], tools: [command()] });
    expect(await kernel.execute('acme_print', { account: 'mine-0123' })).to.equal('[secret account]\n');
  });

  it('are ordinary where the definition says "auth: false"', async () => {
    const parameters = { account: { type: 'string', auth: false }, ACME_KEY: { type: 'string', auth: false } };
    const tool = command({ input_schema: undefined, parameters });
    const kernel = await testKernel({ plugins: [executorCommand()], providers: [provider], tools: [tool] });
    expect(JSON.stringify(await kernel.execute('acme_print', { account: 'mine', ACME_KEY: 'own' }, ofModel))).to.include('mine own');
  });

  it('are none of a tool that fills in nothing by name, such as a function', async () => {
    const tool = { ...echoTool({ ...open, parameters: undefined, secrets: ['ACME_KEY'] }), provider: 'acme' };
    const kernel = await testKernel({ providers: [provider], tools: [tool] });
    expect(await kernel.execute('echo', { account: 'mine' }, ofModel)).to.deep.equal({ account: 'mine' });
  });
});
