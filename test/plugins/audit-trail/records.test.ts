import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import { apiVersion, ask, definePlugin, deny, ToolkitError } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { type AuditOptions, audited, recordsIn } from './audited.ts';

const failing = (name: string, error: unknown) =>
  echoTool({
    name,
    execution: {
      type: 'function',
      handler: () => {
        throw error;
      },
    },
  });

const tools = [
  failing('breaks', new Error('the wheel is off')),
  failing('rejects', new ToolkitError('INSUFFICIENT_SCOPE', 'no scope', { status: 403 })),
  echoTool({ name: 'denied' }),
  echoTool({ name: 'asked' }),
  echoTool({ name: 'unasked' }),
  echoTool({ name: 'refused' }),
  echoTool({ name: 'needy', parameters: { text: { type: 'string', required: true } } }),
];

/** Decides by the name of the tool. */
const office = definePlugin({
  name: 'office',
  apiVersion,
  apply({ hooks }) {
    hooks.beforeExecute.tap('office', (draft) => {
      if (draft.tool.name === 'denied') return deny(draft, { kind: 'rule', message: 'never on a Sunday' });
      if (!['asked', 'unasked', 'refused'].includes(draft.tool.name)) return undefined;
      return ask(draft, { kind: 'rule', message: 'the office decides' });
    });
    hooks.approve.tap('office', ({ call }) => {
      if (call.tool.name === 'unasked') return undefined;
      return { approved: call.tool.name === 'asked', by: 'Ada', reason: 'as agreed' };
    });
  },
});

describe('the records of the audit trail', () => {
  it('keeps the contract of plugins', async () => {
    const path = `${await temporaryFolder()}/audit.jsonl`;
    expect(await checkPlugin(auditTrail, { path })).to.deep.equal([]);
  });

  it('say who called what, what was decided, how it ended and what came before', async () => {
    const before = new Date().toISOString();
    const { kernel, file } = await audited({}, { tools, plugins: [office()] });
    const { callId } = await kernel.call({ tool: 'asked', parameters: { text: 'hello' }, caller: 'ci', origin: 'model' });
    const { time, duration_ms, hash, ...rest } = (await recordsIn(file))[0] ?? expect.fail();
    expect(rest).to.deep.equal({
      seq: 1,
      call_id: callId,
      tool: 'asked',
      definition_hash: kernel.registry.get('asked').hash,
      caller: 'ci',
      origin: 'model',
      risk: 'low',
      verdict: { effect: 'ask', reasons: [{ kind: 'rule', message: 'the office decides' }] },
      approvals: [{ kind: 'rule', approved: true, by: 'Ada', reason: 'as agreed' }],
      executed: true,
      outcome: 'completed',
      parameters: { text: 'hello' },
      previous: '0'.repeat(64),
    });
    expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(String(time) >= before && String(time) <= new Date().toISOString()).to.equal(true);
    expect(duration_ms).to.be.a('number').within(0, 60_000);
    expect(hash).to.match(/^[0-9a-f]{64}$/);
  });

  const ends = [
    { tool: 'echo', outcome: 'completed', executed: true, effect: 'allow' },
    { tool: 'breaks', outcome: 'EXECUTION_FAILED', executed: true, effect: 'allow' },
    { tool: 'rejects', outcome: 'INSUFFICIENT_SCOPE', executed: true, effect: 'allow', status: 403 },
    { tool: 'denied', outcome: 'POLICY_DENIED', executed: false, effect: 'deny' },
    { tool: 'unasked', outcome: 'APPROVAL_REQUIRED', executed: false, effect: 'ask' },
    { tool: 'refused', outcome: 'APPROVAL_DENIED', executed: false, effect: 'ask' },
    { tool: 'needy', outcome: 'INVALID_PARAMETERS', executed: false, effect: 'allow' },
    { tool: 'nowhere', outcome: 'TOOL_NOT_FOUND', executed: false, effect: 'allow' },
  ];
  for (const { tool, outcome, executed, effect, status } of ends) {
    it(`has one for a call that ends with ${outcome}`, async () => {
      const { kernel, file } = await audited({}, { tools, plugins: [office()] });
      await kernel.execute(tool).catch(() => {});
      const records = await recordsIn(file);
      const [record] = records;
      expect(records).to.have.length(1);
      expect(record).to.include({ tool, outcome, executed });
      expect(record?.verdict).to.have.property('effect', effect);
      expect(record?.['status']).to.equal(status);
    });
  }

  it('has one for a call that its caller cancels', async () => {
    const abort = new AbortController();
    const handler = () => new Promise(() => abort.abort());
    const { kernel, file } = await audited({}, { tools: [echoTool({ name: 'waits', execution: { type: 'function', handler } })] });
    await rejection(kernel.execute('waits', {}, { signal: abort.signal }), 'ABORTED');
    expect(await recordsIn(file)).to.have.nested.property('[0].outcome', 'ABORTED');
  });

  it('has one for each call that the kernel ends when it closes', async () => {
    let started = 0;
    let resolve: () => void = () => {};
    const bothRun = new Promise<void>((done) => {
      resolve = done;
    });
    const handler = () => {
      if (++started === 2) resolve();
      return new Promise(() => {});
    };
    const { kernel, file } = await audited({}, { tools: [echoTool({ name: 'waits', execution: { type: 'function', handler } })] });
    const calls = [1, 2].map(() => rejection(kernel.execute('waits'), 'ABORTED'));
    await bothRun;
    await kernel.close();
    await Promise.all(calls);
    expect((await recordsIn(file)).map(({ outcome, executed }) => [outcome, executed])).to.deep.equal([
      ['ABORTED', true],
      ['ABORTED', true],
    ]);
  });

  it('has the name of the provider and the HTTP status of an answer', async () => {
    const file = `${await temporaryFolder()}/audit.jsonl`;
    const answers = definePlugin({
      name: 'answers',
      apiVersion,
      apply: ({ hooks }) => hooks.execute.for('*').tap('answers', () => ({ output: 1, meta: { status: 201 } })),
    });
    const kernel = await testKernel({
      providers: [{ provider: { name: 'acme' } }],
      tools: [echoTool({ name: 'acme_echo', provider: 'acme' })],
      plugins: [auditTrail({ path: file }), answers()],
    });
    await kernel.execute('acme_echo');
    expect((await recordsIn(file))[0]).to.include({ provider: 'acme', status: 201 });
  });

  const shown: { parameters: AuditOptions['parameters']; expected: unknown }[] = [
    { parameters: undefined, expected: { text: 'hello' } },
    { parameters: 'masked', expected: { text: 'hello' } },
    { parameters: 'names', expected: ['text'] },
    { parameters: 'none', expected: undefined },
  ];
  for (const { parameters, expected } of shown) {
    it(`show ${JSON.stringify(expected)} of the parameters with ${parameters ?? 'no option'}`, async () => {
      const { kernel, file } = await audited(parameters === undefined ? {} : { parameters });
      await kernel.execute('echo', { text: 'hello' });
      expect((await recordsIn(file))[0]?.['parameters']).to.deep.equal(expected);
    });
  }

  for (const key of [undefined, 'a key that is long enough']) {
    it(`have the ${key === undefined ? 'SHA-256' : 'HMAC'} of their canonical JSON as hash`, async () => {
      const any = echoTool({ name: 'any', parameters: { z: { type: 'object', additionalProperties: true } } });
      const { kernel, file } = await audited(key === undefined ? {} : { key }, { tools: [any] });
      await kernel.execute('echo', { text: 'é\u2028\u0000"' });
      await kernel.execute('echo', { text: '2' });
      // No object keeps the order that these have in canonical JSON.
      await kernel.execute('any', { z: { 9: 1, 10: { b: 2, a: 3 }, '01': 4, é: 5, $: 6 } });
      const records = await recordsIn(file);
      expect(records[1]?.previous).to.equal(records[0]?.hash);
      for (const { hash, ...rest } of records) {
        const hasher = key === undefined ? createHash('sha256') : createHmac('sha256', key);
        expect(hash).to.equal(hasher.update(canonicalize(rest) ?? '').digest('hex'));
      }
    });
  }

  it('are numbered without gaps when a thousand calls come at once', async () => {
    const { kernel, file } = await audited();
    await Promise.all(Array.from({ length: 1000 }, (_, index) => kernel.execute('echo', { text: String(index) })));
    const records = await recordsIn(file);
    expect(records.map(({ seq }) => seq)).to.deep.equal(Array.from({ length: 1000 }, (_, index) => index + 1));
    expect(new Set(records.map(({ call_id }) => call_id)).size).to.equal(1000);
    for (const [index, record] of records.entries()) if (index > 0) expect(record.previous).to.equal(records[index - 1]?.hash);
  });

  it('are written before other plugins see the end of a call, so that none can hold them up', async () => {
    const late = definePlugin({ name: 'late', apiVersion, apply: ({ hooks }) => hooks.settled.tap('late', () => {}) });
    const { kernel } = await audited({}, { plugins: [late()] });
    expect(kernel.tapsOf('settled').map(({ name }) => name)).to.deep.equal(['audit-trail', 'test-kit', 'late']);
  });

  it('is in the file before the caller has the answer', async () => {
    const { kernel, file } = await audited();
    for (let calls = 1; calls <= 20; calls++) {
      await kernel.execute('echo');
      expect(await recordsIn(file)).to.have.length(calls);
    }
  });
});
