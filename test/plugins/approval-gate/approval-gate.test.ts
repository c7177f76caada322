import { expect } from 'chai';
import { apiVersion, type CallRequest, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const parameters = {
  mode: { type: 'string', default: 'read' },
  count: { type: 'number' },
  force: { type: 'boolean' },
  filter: { type: 'object', additionalProperties: true },
  to: { type: 'array', items: { type: 'string' } },
};

/** A kernel with one gated tool, and how often that tool has run. */
async function gated(gate: unknown): Promise<{ kernel: Kernel; ran: () => number }> {
  let count = 0;
  const handler = (given: unknown): unknown => {
    count++;
    return given;
  };
  const tool = echoTool({ parameters, requires_approval: gate, execution: { type: 'function', handler } });
  return { kernel: await testKernel({ plugins: [approvalGate()], tools: [tool] }), ran: () => count };
}

const fromModel = (given: Readonly<Record<string, unknown>> = {}, more: Partial<CallRequest> = {}): CallRequest => ({
  tool: 'echo',
  parameters: given,
  origin: 'model',
  ...more,
});

describe('requires_approval: true', () => {
  it('holds a call from a model, and tells it what to do', async () => {
    const { kernel, ran } = await gated(true);
    const error = await rejection(kernel.call(fromModel()), 'APPROVAL_REQUIRED');
    expect(error.message).to.include('"echo" needs approval and was not run').and.include('_toolkit_approved: true');
    expect(error.details['reasons']).to.have.deep.nested.property('[0].kind', 'gate');
    expect(ran()).to.equal(0);
  });

  it('lets a call pass whose caller says that it was approved', async () => {
    const { kernel, ran } = await gated(true);
    await kernel.call(fromModel({}, { approved: true }));
    expect(ran()).to.equal(1);
  });

  it('asks again for the next call', async () => {
    const { kernel, ran } = await gated(true);
    await kernel.call(fromModel({}, { approved: true }));
    await rejection(kernel.call(fromModel()), 'APPROVAL_REQUIRED');
    expect(ran()).to.equal(1);
  });

  it('does not hold a call of the host', async () => {
    const { kernel, ran } = await gated(true);
    await kernel.execute('echo');
    expect(ran()).to.equal(1);
  });

  it('holds a call that a function makes for a model, even when the function itself was approved', async () => {
    const outer = echoTool({
      name: 'outer',
      requires_approval: true,
      execution: {
        type: 'function',
        handler: (_: unknown, { tools }: { tools: { call(name: string, given: object): Promise<unknown> } }) => tools.call('echo', {}),
      },
    });
    const kernel = await testKernel({ plugins: [approvalGate()], tools: [outer, echoTool({ requires_approval: true })] });
    const error = await rejection(kernel.call({ tool: 'outer', origin: 'model', approved: true }), 'APPROVAL_REQUIRED');
    expect(error.details.tool).to.equal('echo');
  });

  it('records who approved', async () => {
    const approvals: unknown[] = [];
    const trail = definePlugin({
      name: 'trail',
      apiVersion,
      apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void approvals.push(...end.approvals)),
    });
    const kernel = await testKernel({ plugins: [approvalGate(), trail()], tools: [echoTool({ requires_approval: true })] });
    await kernel.call(fromModel({}, { approved: true }));
    expect(approvals).to.deep.equal([{ approved: true, by: 'flag', kind: 'gate' }]);
  });
});

describe('an ungated tool', () => {
  for (const gate of [undefined, false]) {
    it(`passes with requires_approval ${gate}, whatever the caller says`, async () => {
      const { kernel, ran } = await gated(gate);
      await kernel.call(fromModel());
      await kernel.call(fromModel({}, { approved: true }));
      expect(ran()).to.equal(2);
    });
  }
});

describe('requires_approval with values of parameters', () => {
  const cases: readonly { what: string; gate: object; given: Readonly<Record<string, unknown>>; holds: boolean }[] = [
    { what: 'a value that is given', gate: { mode: 'delete' }, given: { mode: 'delete' }, holds: true },
    { what: 'another value', gate: { mode: 'delete' }, given: { mode: 'list' }, holds: false },
    { what: 'a value that is not given', gate: { mode: 'delete' }, given: {}, holds: false },
    { what: 'the default', gate: { mode: 'read' }, given: {}, holds: true },
    { what: 'one of several', gate: { mode: 'delete', force: true }, given: { force: true }, holds: true },
    { what: 'none of several', gate: { mode: 'delete', force: true }, given: { force: false, mode: 'read' }, holds: false },
    { what: 'a number', gate: { count: 0 }, given: { count: 0 }, holds: true },
    { what: 'a negative zero', gate: { count: 0 }, given: { count: -0 }, holds: true },
    { what: 'text that only looks like the value', gate: { count: 1 }, given: { mode: '1' }, holds: false },
    { what: 'the first of several values', gate: { mode: ['delete', 'move'] }, given: { mode: 'delete' }, holds: true },
    { what: 'the last of several values', gate: { mode: ['delete', 'move'] }, given: { mode: 'move' }, holds: true },
    { what: 'none of several values', gate: { mode: ['delete', 'move'] }, given: { mode: 'list' }, holds: false },
    { what: 'the default as one of several values', gate: { mode: ['delete', 'read'] }, given: {}, holds: true },
    { what: 'one of several values of the second parameter', gate: { force: true, count: [1, 2] }, given: { count: 2 }, holds: true },
    { what: 'a list', gate: { to: [['a', 'b']] }, given: { to: ['a', 'b'] }, holds: true },
    { what: 'a list in another order', gate: { to: [['a', 'b']] }, given: { to: ['b', 'a'] }, holds: false },
    { what: 'one of several lists', gate: { to: [['a'], []] }, given: { to: [] }, holds: true },
    { what: 'an object', gate: { filter: { a: 1, b: { c: 2, d: 3 } } }, given: { filter: { a: 1, b: { c: 2, d: 3 } } }, holds: true },
    {
      what: 'an object in another order',
      gate: { filter: { a: 1, b: { c: 2, d: 3 } } },
      given: { filter: { b: { d: 3, c: 2 }, a: 1 } },
      holds: true,
    },
    { what: 'an object with more in it', gate: { filter: { a: 1 } }, given: { filter: { a: 1, b: 2 } }, holds: false },
  ];
  for (const { what, gate, given, holds } of cases) {
    it(`${holds ? 'holds' : 'passes'} a call for ${what}`, async () => {
      const { kernel, ran } = await gated(gate);
      if (holds) await rejection(kernel.call(fromModel(given)), 'APPROVAL_REQUIRED');
      else await kernel.call(fromModel(given));
      expect(ran()).to.equal(holds ? 0 : 1);
      await kernel.call(fromModel(given, { approved: true }));
      await kernel.execute('echo', given);
      expect(ran()).to.equal(holds ? 2 : 3);
    });
  }

  it('looks at the parameters as other plugins have left them', async () => {
    const rewrite = definePlugin({
      name: 'rewrite',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.beforeExecute.tap('rewrite', (draft) => ({ ...draft, parameters: { ...draft.parameters, mode: 'delete' } })),
    });
    const tool = echoTool({ parameters, requires_approval: { mode: 'delete' } });
    const kernel = await testKernel({ plugins: [approvalGate(), rewrite()], tools: [tool] });
    await rejection(kernel.call(fromModel({ mode: 'read' })), 'APPROVAL_REQUIRED');
  });
});

describe('the approval gate', () => {
  it('is a plugin that keeps the contract', async () => {
    expect(await checkPlugin(approvalGate)).to.deep.equal([]);
  });

  it('must be there for a tool that requires approval', async () => {
    const kernel = await testKernel({ tools: [echoTool({ requires_approval: true })] });
    expect((await rejection(kernel.execute('echo'), 'TOOL_INVALID')).message).to.include('requires_approval: is declared, but no plugin');
  });
});
