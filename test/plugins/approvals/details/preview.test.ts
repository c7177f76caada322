import { expect } from 'chai';
import {
  type ApprovalDetails,
  type ApprovalInbox,
  apiVersion,
  ask,
  type CallContext,
  type CallToHold,
  definePlugin,
  formatProblem,
  type Kernel,
  type PluginEntry,
} from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { definePreviews, type PreviewedCall, type ReadPreview } from '../../../../plugins/approvals/details/preview.ts';
import { unfitPreviews } from '../../../../plugins/approvals/details/preview-definition.ts';
import { policyRules } from '../../../../plugins/policy-rules/index.ts';
import { testKernel } from '../../../support/test-kernel.ts';

type Handler = (parameters: Readonly<Record<string, unknown>>, context: CallContext) => unknown;

const look: Handler = (parameters, { caller }) => ({ looked: parameters, caller });

interface World {
  readonly kernel: Kernel;
  /** Calls of `hold`: questions to a person. */
  readonly held: string[];
  /** The calls of tools, before they run. */
  readonly calls: Readonly<Record<string, unknown>>[];
  preview(more?: Partial<PreviewedCall>, tool?: string): Promise<ApprovalDetails['preview']>;
}

interface Setting {
  /** Members of the reading tool. */
  readonly reader?: Readonly<Record<string, unknown>>;
  readonly handler?: Handler;
  readonly preview?: unknown;
  readonly plugins?: readonly PluginEntry[];
  readonly timeoutMs?: number;
}

const closed = { tool: 'thing_get', parameters: { id: '{id}', title: 'the {id} of {kind}', kind: '{kind}' } };

/** A tool that deletes, with a preview by one that reads. */
async function world({ reader = {}, handler = look, preview = closed, plugins = [], timeoutMs }: Setting = {}): Promise<World> {
  const held: string[] = [];
  const calls: World['calls'] = [];
  let read: ReadPreview | undefined;
  const inbox = definePlugin({
    name: 'approvals',
    apiVersion,
    apply(kernel) {
      read = definePreviews(kernel, timeoutMs);
      kernel.extend.approvalInbox(() => ({ hold: ({ call }: CallToHold) => void held.push(call.tool.name) }) as unknown as ApprovalInbox);
      kernel.maskAlso('DOOR', 'hunter2-hunter2');
      kernel.hooks.beforeExecute.tap('calls', ({ tool, origin, caller }, { tenant, accountTenant }) => {
        calls.push({ tool: tool.name, origin, caller, tenant, accountTenant });
        return undefined;
      });
    },
  });
  const parameters = { id: { type: 'integer' }, kind: { type: 'string' }, password: { type: 'string', auth: true } };
  const kernel = await testKernel({
    tools: [
      {
        name: 'thing_get',
        description: 'Reads a thing.',
        parameters: { id: { type: 'integer' }, kind: { type: 'string' }, title: { type: 'string' } },
        execution: { type: 'function', handler },
        risk: 'low',
        annotations: { readOnlyHint: true },
        ...reader,
      },
      {
        name: 'thing_delete',
        description: 'Deletes.',
        parameters,
        execution: { type: 'function', handler: () => 'never' },
        risk: 'high',
        preview,
      },
      { name: 'plain', description: 'Has no preview.', execution: { type: 'function', handler: () => 'never' }, risk: 'high' },
    ],
    plugins: [inbox(), ...plugins],
  });
  return {
    kernel,
    held,
    calls,
    preview: async (more = {}, tool = 'thing_delete') =>
      read?.({ tool: kernel.registry.get(tool), parameters: { id: 7 }, caller: 'ann', tenant: 'acme', ...more }),
  };
}

describe('the preview of a held call', () => {
  it('is the answer of the reading tool to the parameters of the call, without those that have no value', async () => {
    const { preview } = await world();
    expect(await preview()).to.deep.equal({ tool: 'thing_get', output: { looked: { id: 7 }, caller: 'ann' } });
    expect(await preview({ parameters: { id: 7, kind: 'car' } })).to.deep.equal({
      tool: 'thing_get',
      output: { looked: { id: 7, title: 'the 7 of car', kind: 'car' }, caller: 'ann' },
    });
  });

  it('runs as a call of the model, of the same caller and tenants', async () => {
    const { preview, calls } = await world();
    const call = { tool: 'thing_get', origin: 'model', caller: 'ann', tenant: 'acme' };
    await preview();
    await preview({ accountTenant: 'acme ltd' });
    expect(calls).to.deep.equal([
      { ...call, accountTenant: 'acme' },
      { ...call, accountTenant: 'acme ltd' },
    ]);
  });

  it('is absent for a tool without one', async () => {
    const { preview } = await world();
    expect(await preview({}, 'plain')).to.equal(undefined);
  });

  it('has no secrets', async () => {
    const { preview } = await world({ handler: () => ({ door: 'hunter2-hunter2' }) });
    expect((await preview())?.output).to.deep.equal({ door: '[secret DOOR]' });
  });

  it('is cut after 4,000 characters of JSON, and says so', async () => {
    const { preview } = await world({ handler: () => 'x'.repeat(5000) });
    const output = String((await preview())?.output);
    expect(output).to.match(/^"x{3999} … \(the first 4000 of 5002 characters\)$/);
  });

  it('is not cut in the middle of a character', async () => {
    const { preview } = await world({ handler: () => `x${'\u{1F600}'.repeat(3000)}` });
    expect(String((await preview())?.output).isWellFormed()).to.equal(true);
  });

  it('is whole at 4,000 characters', async () => {
    const { preview } = await world({ handler: () => 'x'.repeat(3998) });
    expect((await preview())?.output).to.equal('x'.repeat(3998));
  });

  const failures: Readonly<Record<string, { setting: Setting; call?: Partial<PreviewedCall>; says: string }>> = {
    'the tool fails': { setting: { handler: () => Promise.reject(new Error('no door for hunter2-hunter2')) }, says: '[secret DOOR]' },
    'there is no such tool': { setting: { preview: { tool: 'thing_got' } }, says: 'There is no tool "thing_got".' },
    'the tool refuses the parameters': { setting: {}, call: { parameters: { id: 'x' } }, says: 'id' },
    'the tool does not answer in time': {
      setting: { handler: () => new Promise(() => {}), timeoutMs: 20 },
      says: '"thing_get" has not answered within 0.02 s.',
    },
    'the call has credentials of its own': { setting: {}, call: { hasOwnCredentials: true }, says: 'credentials of its own' },
    'the tool may change something': { setting: { reader: { annotations: { readOnlyHint: false } } }, says: 'may change something' },
    'the risk of the tool is not low': { setting: { reader: { risk: 'medium' } }, says: 'may change something' },
    'the tool requires approval': {
      setting: { reader: { requires_approval: true }, plugins: [approvalGate()] },
      says: 'requires approval itself',
    },
    'the tool replaces its failures': {
      setting: { handler: () => Promise.reject(new Error('gone')), reader: { failure_output: { ok: false } } },
      says: 'gone',
    },
  };
  for (const [what, { setting, call, says }] of Object.entries(failures))
    it(`is the message of the failure when ${what}`, async () => {
      const { preview, held } = await world(setting);
      const result = await preview(call);
      expect(result?.failure).to.be.a('string').and.to.include(says).and.not.to.include('hunter2');
      expect(result).to.not.have.property('output');
      expect(held).to.deep.equal([]);
    });

  it('asks no person, where a rule asks about the reading tool: no record is made', async () => {
    const { preview, held, kernel } = await world({ plugins: [policyRules({ rules: [{ match: { tool: 'thing_get' }, effect: 'ask' }] })] });
    expect((await preview())?.failure).to.include('a person would have to approve it: the policy asks for approval (rule 1)');
    expect(held).to.deep.equal([]);
    await kernel.call({ tool: 'thing_get', caller: 'ann' }).catch(() => {});
    expect(held, 'another call is asked about').to.deep.equal(['thing_get']);
  });

  it('says which rule denies it', async () => {
    const { preview } = await world({ plugins: [policyRules({ rules: [{ effect: 'deny', reason: 'Nobody looks.' }] })] });
    expect((await preview())?.failure).to.include('Nobody looks.');
  });

  it('calls no other tool', async () => {
    const { preview, held } = await world({ handler: (_parameters, { tools }) => tools.call('plain', {}) });
    expect((await preview())?.failure).to.include('There is no tool "plain"');
    expect(held).to.deep.equal([]);
  });

  it('is not taken for one by a caller that guesses', async () => {
    const asking = definePlugin({
      name: 'asking',
      apiVersion,
      apply: ({ hooks }) => hooks.beforeExecute.tap('asking', (draft) => ask(draft, { kind: 'any', message: 'always' })),
    });
    const { kernel, held } = await world({ plugins: [asking()] });
    await kernel.call({ tool: 'thing_get', approval: 'thing_delete' }).catch(() => {});
    expect(held).to.deep.equal(['thing_get']);
  });
});

describe('the definition key preview', () => {
  const wrong: Readonly<Record<string, { preview: unknown; says: string }>> = {
    'without a tool': { preview: { parameters: {} }, says: 'preview.tool: is required' },
    'with a mistyped member': {
      preview: { tool: 'thing_get', paramters: {} },
      says: 'preview.paramters: is not known here. Did you mean "parameters"?',
    },
    'with a placeholder that is no parameter': {
      preview: { tool: 'thing_get', parameters: { id: '{ids}' } },
      says: 'preview.parameters.id: has the placeholder {ids}, which is no parameter. Did you mean "id"?',
    },
    'with such a placeholder deep inside': {
      preview: { tool: 'thing_get', parameters: { where: { in: ['{one}'] } } },
      says: 'preview.parameters.where: has the placeholder {one}, which is no parameter.',
    },
    'with a credential': {
      preview: { tool: 'thing_get', parameters: { id: '{password}' } },
      says: 'preview.parameters.id: has the placeholder {password}, which is a credential.',
    },
    'that names its own tool': { preview: { tool: 'thing_delete' }, says: 'preview.tool: names the tool itself.' },
  };
  for (const [what, { preview, says }] of Object.entries(wrong))
    it(`refuses a definition ${what}`, async () => {
      const { kernel } = await world({ preview });
      expect(kernel.registry.problems.map(formatProblem).join()).to.include(says);
      expect([...kernel.registry.tools.keys()]).to.not.include('thing_delete');
    });

  it('loads with a warning where no plugin reads it: it only adds to what a person sees', async () => {
    const kernel = await testKernel({
      tools: [{ name: 'thing_delete', description: 'Deletes.', execution: { type: 'function', handler: () => 'done' }, preview: closed }],
    });
    expect(kernel.registry.problems.map(({ severity, path }) => [severity, path])).to.deep.equal([['warning', 'preview']]);
    expect((await kernel.call({ tool: 'thing_delete' })).output).to.equal('done');
  });

  for (const [what, setting, found] of [
    ['has nothing to be found with a tool that reads', {}, []],
    ['that names a missing tool is found', { preview: { tool: 'thing_got' } }, ['there is no tool "thing_got"']],
    [
      'that names a tool which changes something is found',
      { reader: { risk: 'high' } },
      ['"thing_get" may change something: expected a tool that only reads'],
    ],
  ] as const)
    it(`${what}, among all tools`, async () => {
      const { kernel } = await world(setting);
      expect(unfitPreviews(kernel.registry.tools).map(({ message }) => message)).to.deep.equal(found);
    });
});
