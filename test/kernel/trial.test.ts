import { expect } from 'chai';
import { type ApprovalQuestion, apiVersion, type CallEnd, type CallRequest, definePlugin } from '../../kernel/index.ts';
import { approvalGate } from '../../plugins/approval-gate/index.ts';
import { credentialsPlaceholder } from '../../plugins/credentials-placeholder/index.ts';
import { policyHuman } from '../../plugins/policy-human/index.ts';
import { rejection } from '../support/rejection.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';

async function world({ more = {}, plugins = [] as readonly ReturnType<typeof policyHuman>[] } = {}) {
  const ran: unknown[] = [];
  const ends: CallEnd[] = [];
  const trail = definePlugin({ name: 'trail', apiVersion, apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)) });
  const handler = (given: unknown): unknown => {
    ran.push(given);
    return given;
  };
  const kernel = await testKernel({
    plugins: [approvalGate(), trail(), ...plugins],
    tools: [echoTool({ execution: { type: 'function', handler }, ...more })],
  });
  const questions: ApprovalQuestion[] = [];
  const trial = (parameters = {}, request: Partial<CallRequest> = {}) =>
    kernel.call({
      tool: 'echo',
      parameters,
      origin: 'model',
      isTrial: true,
      client: {
        approve: async (question) => {
          questions.push(question);
          return true;
        },
      },
      ...request,
    });
  return { kernel, ran, ends, questions, trial };
}

describe('a trial of a call', () => {
  it('ends where the call would run, and nobody is told of it', async () => {
    const { ran, ends, questions, trial } = await world();
    expect((await rejection(trial(), 'ABORTED')).message).to.equal('"echo" would run now: this was a trial.');
    expect([ran, ends, questions]).to.deep.equal([[], [], []]);
  });

  it('says what would be asked, by a digest that is another one for other parameters, callers and reasons', async () => {
    const { ran, questions, trial } = await world({ more: { requires_approval: true } });
    for (const [parameters, request] of [
      [{ text: 'a' }, {}],
      [{ text: 'a' }, {}],
      [{ text: 'b' }, {}],
      [{ text: 'a' }, { caller: 'ada' }],
    ] as const)
      await rejection(trial(parameters, request), 'ABORTED');
    const [first, same, ...others] = questions.map(({ digest }) => digest);
    expect(first).to.match(/^[0-9a-f]{64}$/);
    expect(same).to.equal(first);
    expect(new Set([first, ...others]).size).to.equal(3);
    expect(questions[0]?.message).to.include('Run "echo"?').and.include('"text": "a"');
    expect(questions[0]?.request).to.deep.include({ tool: 'echo', parameters: { text: 'a' } });
    expect(ran).to.deep.equal([]);
  });

  it('asks no host in its own way', async () => {
    const asked: unknown[] = [];
    const onHITL = (request: unknown): boolean => asked.push(request) > 0;
    const { ran, trial } = await world({ plugins: [policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low', onHITL })] });
    await rejection(trial(), 'ABORTED');
    expect([asked, ran]).to.deep.equal([[], []]);
  });

  it('is told of where the call would be refused', async () => {
    const { ends, trial } = await world();
    await rejection(trial({ nobody: 'knows this' }), 'INVALID_PARAMETERS');
    expect(ends).to.have.length(1);
  });
});

describe('the way of a host to ask a person', () => {
  for (const [answer, code] of [
    [true, undefined],
    [false, 'APPROVAL_DENIED'],
    [undefined, 'APPROVAL_REQUIRED'],
  ] as const)
    it(`is asked in place of the caller's word: ${answer}`, async () => {
      const { kernel, ran } = await world({ more: { requires_approval: true } });
      const call = kernel.call({ tool: 'echo', origin: 'model', approved: true, client: { approve: async () => answer } });
      if (code === undefined) await call;
      else await rejection(call, code);
      expect(ran).to.have.length(code === undefined ? 1 : 0);
    });

  it('is asked about a call inside another one, in which the word of the model stands', async () => {
    const caller = {
      name: 'relay',
      description: 'Calls echo.',
      parameters: {},
      execution: {
        type: 'function',
        handler: async (_: unknown, { tools }: { tools: { call(...given: unknown[]): Promise<{ output: unknown }> } }) =>
          (await tools.call('echo', {}, true)).output,
      },
      risk: 'low',
    };
    const asked: string[] = [];
    const kernel = await testKernel({ plugins: [approvalGate()], tools: [echoTool({ requires_approval: true }), caller] });
    const approve = async ({ request }: ApprovalQuestion): Promise<boolean> => {
      asked.push(String(request['tool']));
      return false;
    };
    const call = kernel.call({ tool: 'relay', origin: 'model', client: { approve } });
    await rejection(call, 'APPROVAL_DENIED');
    expect(asked).to.deep.equal(['echo']);
  });

  it('is not in the hands of a tool', async () => {
    const handler = (_: unknown, { client }: { client: object }): string[] => Object.keys(client);
    const kernel = await testKernel({ tools: [echoTool({ execution: { type: 'function', handler } })] });
    const client = { approve: async () => true, log: () => {} };
    expect(await kernel.execute('echo', {}, { client })).to.deep.equal(['log']);
  });
});

describe('the credentials that a host gives for a call of a model', () => {
  const told = {
    name: 'told',
    description: 'Says what its secret begins with.',
    parameters: {},
    secrets: ['BANK_TOKEN'],
    risk: 'low',
    execution: {
      type: 'function',
      handler: (_: unknown, { secrets }: { secrets: Record<string, string> }) => [...(secrets['BANK_TOKEN'] ?? '')].slice(0, 2),
    },
  };
  const relay = {
    name: 'relay',
    description: 'Calls told.',
    parameters: {},
    risk: 'low',
    execution: {
      type: 'function',
      handler: async (_: unknown, { tools }: { tools: { call(...given: unknown[]): Promise<{ output: unknown }> } }) =>
        (await tools.call('told', {})).output,
    },
  };

  it('are used', async () => {
    const kernel = await testKernel({ plugins: [credentialsPlaceholder()], tools: [told] });
    const credentials = { BANK_TOKEN: 'ab-of-the-host-123456' };
    expect(await kernel.execute('told', {}, { origin: 'model', credentials })).to.deep.equal(['a', 'b']);
  });

  it('go on to calls inside it where a function says them for each tool', async () => {
    const kernel = await testKernel({ plugins: [credentialsPlaceholder()], tools: [told, relay] });
    const values = { BANK_TOKEN: 'cd-of-the-host-123456' };
    const byTool = ({ name }: { name: string }): Record<string, string> => (name === 'told' ? values : {});
    expect(await kernel.execute('relay', {}, { origin: 'model', credentials: byTool })).to.deep.equal(['c', 'd']);
  });

  it('are none of those that the model puts among its parameters', async () => {
    const kernel = await testKernel({ plugins: [credentialsPlaceholder()], tools: [told] });
    const call = kernel.execute('told', { BANK_TOKEN: 'mine' }, { origin: 'model', credentials: { BANK_TOKEN: 'ab-of-the-host-123456' } });
    await rejection(call, 'INVALID_PARAMETERS');
  });
});
