import { expect } from 'chai';
import { bindingsOf } from '../../../kernel/call/identity.ts';
import type { CallIdentity } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const secret = 'secret-of-the-bank';

/** Returns what a person sees of the program of a held call. */
async function programOf(execution: object, parameters: Readonly<Record<string, unknown>> = {}): Promise<CallIdentity['program']> {
  const definition = {
    name: 'pay',
    description: 'Pays.',
    requires_approval: true,
    parameters: { to: { type: 'string' }, sum: { type: 'number' } },
    execution: { type: 'command', command: process.execPath, ...execution },
  };
  const cwd = await temporaryFolder({ 'pay.yaml': JSON.stringify(definition), 'prepare.mjs': 'export default () => ({ args: [] });' });
  const kernel = await bareKernel({
    cwd,
    plugins: [
      toolFiles({ toolPaths: ['.'] }),
      credentialsPlaceholder(),
      approvalGate({ mode: 'elicit' }),
      callsOnce(),
      approvals(),
      executorCommand(),
    ],
  });
  const credentials = JSON.stringify(execution).includes('BANK_TOKEN') ? { BANK_TOKEN: secret } : {};
  const call = { caller: 'agent', origin: 'model', credentials } as const;
  const { details } = await rejection(kernel.execute('pay', parameters, call), 'APPROVAL_REQUIRED');
  return (await kernel.approvals.get(String(details['approval']))).shown.identity.program;
}

describe('the program of a call that a person must approve', () => {
  const args = ['--sum', '{sum}', '--to={to}'];
  const cases: readonly { readonly name: string; readonly execution: object; readonly parameters?: object; readonly shown: unknown }[] = [
    {
      name: 'is shown with its arguments',
      execution: { args },
      parameters: { to: 'ACME GmbH', sum: 12 },
      shown: ['--sum', '12', '--to=ACME GmbH'],
    },
    { name: 'is shown without arguments that are left out', execution: { args }, parameters: { sum: 12 }, shown: ['--sum', '12'] },
    { name: 'is shown with the name of a credential, never its value', execution: { args: ['{BANK_TOKEN}'] }, shown: ['{BANK_TOKEN}'] },
    { name: 'is shown alone when a module makes its arguments', execution: { args, prepare: './prepare.mjs' }, shown: undefined },
    { name: 'is shown alone when the arguments are long', execution: { args }, parameters: { to: 'x'.repeat(20_001) }, shown: undefined },
  ];
  for (const { name, execution, parameters, shown } of cases)
    it(name, async () => {
      expect((await programOf(execution, { ...parameters }))?.args).to.deep.equal(shown);
    });

  it('is bound as it was before arguments were shown: an approval that waits stays valid', () => {
    const program = { shown: '/usr/bin/pay', state: 'a' };
    expect(bindingsOf(undefined, { program: { ...program, args: ['1'] } })).to.deep.equal(bindingsOf(undefined, { program }));
  });
});
