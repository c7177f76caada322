import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, type CallEnd, definePlugin, deny } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../../plugins/approvals/index.ts';
import { callsOnce } from '../../../../plugins/calls-once/index.ts';
import type { ToolDetails, ToolRow } from '../../../../plugins/console/wire/tools.ts';
import { policyHuman } from '../../../../plugins/policy-human/index.ts';
import { RecordingTracer } from '../../../support/recording-tracer.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool } from '../../../support/test-kernel.ts';
import { Watched } from '../watched.ts';

/** A plugin that keeps the end of each call. */
function recorder() {
  const ends: CallEnd[] = [];
  const plugin = definePlugin({
    name: 'recorder',
    apiVersion,
    apply: ({ hooks }) => hooks.settled.tap('recorder', (end) => void ends.push(end)),
  });
  return { ends, plugin: plugin() };
}

const gated = echoTool({ name: 'gated', requires_approval: true });

describe('GET tools', () => {
  it('gives the tools by name, with risk, provider, gate and place', async () => {
    const fromFile = definePlugin({
      name: 'files',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('files', (sink) => {
          sink.addTool(echoTool({ name: 'b_file' }), { trust: 'operator', file: '/project/tools/b.yaml' });
          sink.addTool(echoTool({ name: 'c_package' }), {
            trust: 'package',
            package: { name: '@scope/mail', secrets: [] },
            file: '/x/c.yaml',
          });
        }),
    });
    const tools = [echoTool({ name: 'a_inline', description: `Long. ${'x'.repeat(1000)}` }), gated];
    const world = await Watched.open({ tools, plugins: [approvalGate(), fromFile()] });
    const rows = (await world.ask('GET', 'tools')) as readonly ToolRow[];
    expect(rows.map(({ name, from, requiresApproval }) => [name, from, requiresApproval])).to.deep.equal([
      ['a_inline', 'test-kit', false],
      ['b_file', '/project/tools/b.yaml', false],
      ['c_package', '@scope/mail', false],
      ['gated', 'test-kit', true],
    ]);
    expect(rows[0]).to.include({ risk: 'low' });
    expect(rows[0]?.description).to.have.length(200);
  });

  it('gives no gate for one that depends on parameters', async () => {
    const world = await Watched.open({ tools: [echoTool({ requires_approval: { text: 'x' } })], plugins: [approvalGate()] });
    expect(((await world.ask('GET', 'tools')) as readonly ToolRow[])[0]).to.include({ requiresApproval: false });
  });
});

describe('GET tools/{name}', () => {
  it('gives the whole schema, without credentials or the proof of an approval', async () => {
    const tool = echoTool({
      name: 'whole',
      description: `Long. ${'x'.repeat(1000)}`,
      parameters: {
        text: { type: 'string', required: true, pattern: '^a', example: 'ab' },
        list: { type: 'array', items: { type: 'number' } },
      },
      secrets: ['TOKEN'],
      requires_approval: true,
      examples: [{ description: 'one', parameters: { text: 'ab' } }, { parameters: { text: 'ac' } }],
      output_schema: Type.Object({ text: Type.String() }),
    });
    const world = await Watched.open({ tools: [tool], plugins: [approvalGate()], secrets: { TOKEN: 'secret-of-test' } });
    const details = (await world.ask('GET', 'tools/{name}', { values: { name: 'whole' } })) as ToolDetails;
    expect(details.inputSchema).to.deep.include({ type: 'object', required: ['text'] });
    expect(Object.keys(details.inputSchema['properties'] as object)).to.deep.equal(['text', 'list']);
    expect((details.inputSchema['properties'] as Record<string, object>)['text']).to.include({ pattern: '^a' });
    expect(details.outputSchema).to.include({ type: 'object' });
    expect(details.examples).to.deep.equal([{ description: 'one', parameters: { text: 'ab' } }, { parameters: { text: 'ac' } }]);
    expect(details.description).to.have.length.above(1000);
  });

  for (const name of ['missing', '', '__proto__', '../echo'])
    it(`answers TOOL_NOT_FOUND for "${name}"`, async () => {
      const world = await Watched.open({ tools: [echoTool()] });
      await rejection(world.ask('GET', 'tools/{name}', { values: { name } }), 'TOOL_NOT_FOUND');
      await rejection(world.form(name, { parameters: {}, as: 'model' }), 'TOOL_NOT_FOUND');
    });
});

describe('POST tools/{name}/call', () => {
  const ways = [
    ['model', { origin: 'model', caller: 'console:ann' }],
    ['operator', { origin: 'host', caller: 'default' }],
  ] as const;
  for (const [as, expected] of ways) {
    it(`calls as ${as}: ${expected.origin}, ${expected.caller}`, async () => {
      const { ends, plugin } = recorder();
      const world = await Watched.open({ tools: [echoTool()], plugins: [plugin] });
      const answer = await world.form('echo', { parameters: { text: 'a' }, as });
      expect(answer).to.deep.include({ as, caller: expected.caller, output: { text: 'a' } });
      expect(answer.callId).to.equal(ends[0]?.id);
      expect(answer.durationMs).to.be.at.least(0);
      expect(ends[0]).to.include(expected);
    });

    it(`is under the policy as ${as}`, async () => {
      const closed = definePlugin({
        name: 'closed',
        apiVersion,
        apply: ({ hooks }) =>
          hooks.beforeExecute.tap('closed', (draft) => deny(draft, { kind: 'closed', message: 'the office is closed' })),
      });
      const world = await Watched.open({ tools: [echoTool()], plugins: [closed()] });
      const { error, output, callId } = await world.form('echo', { parameters: {}, as });
      expect(error?.code).to.equal('POLICY_DENIED');
      expect(error?.message).to.include('the office is closed');
      expect(output).to.equal(undefined);
      expect((await world.call(callId ?? '')).outcome).to.equal('POLICY_DENIED');
    });

    it(`holds a call that every caller needs a person for, as ${as}`, async () => {
      const human = policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low' });
      const world = await Watched.open({ tools: [echoTool()], plugins: [human, callsOnce(), approvals()] });
      const { error } = await world.form('echo', { parameters: { text: 'a' }, as });
      expect(error?.code).to.equal('APPROVAL_REQUIRED');
      const [record] = (await world.kernel.approvals.list()).approvals;
      expect([record?.id, record?.status, record?.caller]).to.deep.equal([error?.approval, 'waiting', expected.caller]);
    });

    it(`takes no claim of an approval as ${as}`, async () => {
      const { ends, plugin } = recorder();
      const world = await Watched.open({ tools: [gated], plugins: [approvalGate({ mode: 'flag' }), plugin] });
      await rejection(world.form('gated', { parameters: { _toolkit_approved: true }, as }), 'INVALID_PARAMETERS');
      expect(ends).to.deep.equal([]);
    });
  }

  it('holds a gated call of a model, which runs after the approval; one of the operator runs as on the command line', async () => {
    const world = await Watched.open({ tools: [gated], plugins: [approvalGate({ mode: 'elicit' }), callsOnce(), approvals()] });
    const form = { parameters: { text: 'a' }, as: 'model' } as const;
    const { callId = '', error } = await world.form('gated', form);
    expect(error?.code).to.equal('APPROVAL_REQUIRED');
    expect((await world.call(callId)).approval).to.equal(error?.approval);
    await world.kernel.approvals.decide(error?.approval ?? '', { approve: true, by: { way: 'console', name: 'bob' } });
    expect((await world.form('gated', form)).output).to.deep.equal({ text: 'a' });
    expect((await world.form('gated', { ...form, as: 'operator' })).output).to.deep.equal({ text: 'a' });
  });

  const failures: readonly (readonly [string, () => unknown, string])[] = [
    ['an error of the tool', () => Promise.reject(new Error('broke with secret-of-test')), 'EXECUTION_FAILED'],
    ['an output that is no JSON', () => () => {}, 'OUTPUT_INVALID'],
  ];
  for (const [name, handler, code] of failures) {
    it(`answers ${name} with its call and without secrets`, async () => {
      const tool = echoTool({ name: 'failing', secrets: ['TOKEN'], execution: { type: 'function', handler } });
      const world = await Watched.open({ tools: [tool], secrets: { TOKEN: 'secret-of-test' } });
      const answer = await world.form('failing', { parameters: {}, as: 'operator' });
      expect(answer.error?.code).to.equal(code);
      expect(answer.callId).to.equal(world.log.ended(1).calls[0]?.callId);
      expect(JSON.stringify(answer)).to.not.include('secret-of-test');
    });
  }

  it('masks secrets in the output', async () => {
    const tool = echoTool({ secrets: ['TOKEN'] });
    const world = await Watched.open({ tools: [tool], secrets: { TOKEN: 'secret-of-test' } });
    const { output } = await world.form('echo', { parameters: { text: 'secret-of-test' }, as: 'operator' });
    expect(output).to.deep.equal({ text: '[secret TOKEN]' });
  });

  it('is found by the id of its trace', async () => {
    const tracer = new RecordingTracer();
    const world = await Watched.open({ tools: [echoTool()], plugins: [tracer.plugin()] });
    const { traceId } = await world.form('echo', { parameters: {}, as: 'model' });
    expect(traceId).to.equal(tracer.spans[0]?.traceId);
  });

  const outputs: readonly (readonly [string, unknown])[] = [
    ['a text', 'x'.repeat(3_000_000)],
    ['a list', Array.from({ length: 30_000 }, (_, index) => `item ${index} ${'x'.repeat(60)}`)],
    ['an object', Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key ${index}`, 'x'.repeat(60)]))],
  ];
  for (const [name, output] of outputs) {
    it(`cuts an output over 1 MB, and says so: ${name}`, async () => {
      const world = await Watched.open({
        tools: [echoTool({ name: 'big', execution: { type: 'function', handler: () => ({ output }) } })],
      });
      const answer = await world.form('big', { parameters: {}, as: 'operator' });
      expect(answer.outputNote).to.include('over 1 MB');
      expect(JSON.stringify(answer.output).length).to.be.within(500_000, 1_100_000);
    });
  }

  it('ends the call when the client is gone', async () => {
    const client = new AbortController();
    const handler = (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<unknown> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        client.abort();
      });
    const world = await Watched.open({ tools: [echoTool({ name: 'slow', execution: { type: 'function', handler } })] });
    expect((await world.form('slow', { parameters: {}, as: 'operator' }, client.signal)).error?.code).to.equal('ABORTED');
    expect(world.log.ended(1).calls[0]?.outcome).to.equal('ABORTED');
  });

  const bodies: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined],
    ['a text', 'model'],
    ['no way', { parameters: {} }],
    ['another way', { parameters: {}, as: 'root' }],
    ['parameters that are a list', { parameters: [], as: 'model' }],
    ['a caller of its own', { parameters: {}, as: 'model', caller: 'admin' }],
    ['an approval of its own', { parameters: {}, as: 'model', approved: true }],
    ['a rounded number', { parameters: { count: 2 ** 60 }, as: 'model' }],
  ];
  for (const [name, body] of bodies) {
    it(`refuses a body with ${name}, and calls nothing`, async () => {
      const { ends, plugin } = recorder();
      const world = await Watched.open({ tools: [echoTool({ parameters: { count: { type: 'integer' } } })], plugins: [plugin] });
      await rejection(world.ask('POST', 'tools/{name}/call', { values: { name: 'echo' }, body }), 'INVALID_PARAMETERS');
      expect(ends).to.deep.equal([]);
    });
  }
});
