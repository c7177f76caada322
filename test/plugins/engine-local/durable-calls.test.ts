import { expect } from 'chai';
import { type CallRequest, type DurableCall, type DurableOptions, type Kernel, type Plugin, ToolkitError } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { callsLong } from '../../../plugins/calls-long/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { fileStore } from '../../support/file-store.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

const durable = { durable: true } as const;

describe('a durable call', () => {
  let effects: unknown[];
  beforeEach(() => {
    effects = [];
  });

  const act = (more: Readonly<Record<string, unknown>> = {}, work: (parameters: object) => unknown = (parameters) => parameters) => ({
    ...echoTool(),
    name: 'act',
    risk: 'medium',
    execution: {
      type: 'function',
      handler: (parameters: object) => {
        effects.push(parameters);
        return work(parameters);
      },
    },
    ...more,
  });
  const kernelOf = (
    tool: object,
    plugins: readonly Plugin[] = [],
    options: Parameters<typeof engineLocal>[0] = {},
    others: readonly object[] = [],
  ): Promise<Kernel> =>
    testKernel({
      tools: [tool, ...others],
      plugins: [callsOnce(), engineLocal(options), ...plugins],
      secrets: { ACT_TOKEN: 'a-secret-of-the-service' },
    });
  const asked = (kernel: Kernel, id: string): Promise<DurableCall> =>
    until(async () => {
      const call = await (await kernel.calls.get(id)).call();
      return call.status === 'asked' ? call : undefined;
    });

  it('gives a handle, and its result', async () => {
    const kernel = await kernelOf(act());
    const handle = await kernel.execute('act', { text: 'a' }, durable);
    expect(handle.id).to.match(/^[\da-f-]{36}$/);
    expect(await handle.result()).to.deep.equal({ text: 'a' });
    expect(await handle.status()).to.equal('completed');
    expect(effects).to.have.length(1);
  });

  it('is found again after a restart, and made then', async () => {
    const store = await fileStore();
    const first = await kernelOf(act(), [store()], { concurrency: 0 });
    await first.execute('act', { text: 'a' }, { ...durable, id: 'order 1', caller: 'ada' });
    await first.close();
    const second = await kernelOf(act(), [store()]);
    const handle = await second.calls.get('order 1', { caller: 'ada' });
    expect(await handle.status()).to.equal('waiting');
    await second.calls.work({ concurrency: 1 });
    expect(await handle.result()).to.deep.equal({ text: 'a' });
    await rejection(second.calls.get('order 1'), 'NOT_FOUND');
  });

  it('is made by a process that serves', async () => {
    const store = await fileStore();
    const first = await kernelOf(act(), [store()], { concurrency: 0 });
    const handle = await first.execute('act', { text: 'a' }, durable);
    await (await kernelOf(act(), [store()])).serve();
    expect(await handle.result()).to.deep.equal({ text: 'a' });
  });

  it('is unknown after an error of its tool, which it tells', async () => {
    const kernel = await kernelOf(
      act({}, () => {
        throw new Error('lost');
      }),
    );
    const handle = await kernel.execute('act', {}, durable);
    expect((await rejection(handle.result(), 'OUTCOME_UNKNOWN')).message).to.include('lost');
    // It may have had its effect before it failed, so calls-once does not make it again.
    await kernel.calls.retry(handle.id);
    await rejection(handle.result(), 'OUTCOME_UNKNOWN');
    expect(effects).to.have.length(1);
    await kernel.calls.retry(handle.id, { repeatEffect: true });
    await rejection(handle.result(), 'OUTCOME_UNKNOWN');
    expect(effects).to.have.length(2);
  });

  it('fails with the error of a tool that only reads', async () => {
    const kernel = await kernelOf(
      act({ risk: 'low', annotations: { readOnlyHint: true } }, () => {
        throw new Error('lost');
      }),
    );
    const handle = await kernel.execute('act', {}, durable);
    expect((await rejection(handle.result(), 'EXECUTION_FAILED')).message).to.include('lost');
  });

  it('runs again by itself after an error that leaves its effect open, where its definition says that twice is like once', async () => {
    const kernel = await kernelOf(
      act({ annotations: { idempotentHint: true } }, () => {
        if (effects.length === 1) throw new ToolkitError('EXECUTION_FAILED', 'The connection broke.', { retryAfterMs: 1 });
        return 'done';
      }),
    );
    const handle = await kernel.execute('act', {}, durable);
    expect(await handle.result()).to.equal('done');
    expect((await handle.call()).attempts).to.equal(2);
  });

  it('is asked for again where it could not be found out for now whether it had its effect', async () => {
    let asked = 0;
    const find = (): unknown => {
      if (++asked === 1) throw new ToolkitError('UPSTREAM_UNAVAILABLE', 'Not now.', { retryAfterMs: 1 });
      return 'found';
    };
    const lost = (): never => {
      throw new ToolkitError('TIMEOUT', 'No answer.', { retryAfterMs: 1 });
    };
    const finder = act({ name: 'find_act', risk: 'low', execution: { type: 'function', handler: find } });
    const kernel = await kernelOf(act({ verify: { tool: 'find_act', after_ms: 0 } }, lost), [], {}, [finder]);
    const handle = await kernel.execute('act', {}, durable);
    expect(await handle.result()).to.equal('found');
    expect([asked, effects.length]).to.deep.equal([2, 1]);
  });

  it('says that its result was too large to be kept', async () => {
    const kernel = await kernelOf(
      act({}, () => 'x'.repeat(2000)),
      [],
      { maxBytes: 1000 },
    );
    const handle = await kernel.execute('act', {}, durable);
    await rejection(handle.result(), 'OUTPUT_TOO_LARGE');
    expect(await handle.status()).to.equal('completed');
  });

  it('is refused where nobody keeps calls', async () => {
    const kernel = await testKernel({ tools: [act()] });
    const error = await rejection(kernel.execute('act', {}, durable), 'PLUGIN_INVALID');
    expect(error.message).to.include('Add engineLocal()');
    await rejection(kernel.calls.list(), 'PLUGIN_INVALID');
  });

  const unstorable: readonly (readonly [string, Partial<Record<keyof CallRequest | 'strange', unknown>>])[] = [
    ['credentials', { credentials: { token: 'x' } }],
    ['signal', { signal: new AbortController().signal }],
    ['client', { client: {} }],
    ['onTap', { onTap: () => {} }],
    ['onProgress', { onProgress: () => {} }],
    ['approved', { approved: true }],
    ['approval', { approval: 'a token' }],
    ['once', { once: 'a' }],
    ['isVisible', { isVisible: () => true }],
    ['strange', { strange: 1 }],
  ];
  for (const [name, options] of unstorable)
    it(`takes no "${name}"`, async () => {
      const kernel = await kernelOf(act());
      const error = await rejection(kernel.execute('act', {}, { ...durable, ...options } as DurableOptions), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`"${name}"`);
      expect(await kernel.calls.list()).to.deep.equal({ calls: [] });
    });

  for (const [what, parameters, more] of [
    ['wrong parameters', { text: 1 }, {}],
    ['no id', {}, { id: '' }],
    ['an id of control characters', {}, { id: 'a\nb' }],
    ['an id that is too long', {}, { id: 'a'.repeat(201) }],
    ['the value of a secret', { text: 'it is a-secret-of-the-service' }, {}],
    ['a credential among the parameters', { ACT_TOKEN: 'another' }, {}],
    ['more than is kept', { text: 'x'.repeat(2000) }, {}],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const kernel = await kernelOf(act({ secrets: ['ACT_TOKEN'] }), [], { maxBytes: 1000 });
      await kernel.resolveSecrets(['ACT_TOKEN']);
      await rejection(kernel.execute('act', parameters, { ...durable, ...more }), 'INVALID_PARAMETERS');
      expect(await kernel.calls.list()).to.deep.equal({ calls: [] });
    });

  it('is one of at most so many of its caller', async () => {
    const kernel = await kernelOf(act(), [], { concurrency: 0, maxCalls: 2 });
    for (const id of ['a', 'b', 'b']) await kernel.execute('act', {}, { ...durable, id });
    expect((await rejection(kernel.execute('act', {}, { ...durable, id: 'c' }), 'RATE_LIMITED')).message).to.include('maxCalls');
    await kernel.execute('act', {}, { ...durable, id: 'c', caller: 'bob' });
    await kernel.calls.cancel('a');
    await kernel.execute('act', {}, { ...durable, id: 'c' });
  });

  it('of a tool that takes long is made where nobody has to take the result later', async () => {
    const kernel = await kernelOf(act({ long: 'required' }), [callsLong()]);
    expect(await (await kernel.execute('act', { text: 'a' }, durable)).result()).to.deep.equal({ text: 'a' });
    const ofModel = await kernel.execute('act', { text: 'a' }, { ...durable, origin: 'model' });
    expect(await ofModel.result().catch((error: unknown) => error)).to.be.an('error');
    expect(effects).to.have.length(1);
  });

  describe('that a person has to approve', () => {
    const gated = { requires_approval: true };
    const gate = (): Plugin => approvalGate({ mode: 'elicit' });

    it('waits for an answer of its host, and runs once with a yes', async () => {
      const kernel = await kernelOf(act(gated), [gate()]);
      const handle = await kernel.execute('act', { text: 'a' }, { ...durable, id: 'a', origin: 'model' });
      const { question } = await asked(kernel, 'a');
      expect(question?.message).to.include('Run "act"?').and.to.include('"text": "a"');
      expect(effects).to.deep.equal([]);
      await kernel.calls.answer('a', { approve: true, by: 'grace', digest: question?.digest ?? '' });
      expect(await handle.result()).to.deep.equal({ text: 'a' });
      expect(effects).to.have.length(1);
    });

    it('fails with a no', async () => {
      const kernel = await kernelOf(act(gated), [gate()]);
      const handle = await kernel.execute('act', { text: 'a' }, { ...durable, id: 'a', origin: 'model' });
      const { question } = await asked(kernel, 'a');
      await kernel.calls.answer('a', { approve: false, by: 'grace', digest: question?.digest ?? '' });
      expect((await rejection(handle.result(), 'APPROVAL_DENIED')).message).to.include('grace');
      expect(effects).to.deep.equal([]);
    });

    it('is asked about again when its definition has changed since', async () => {
      const store = await fileStore();
      const first = await kernelOf(act(gated), [gate(), store()]);
      await first.execute('act', { text: 'a' }, { ...durable, id: 'a', origin: 'model' });
      const { question } = await asked(first, 'a');
      await first.close();
      const second = await kernelOf(act({ ...gated, description: 'Does something else.' }), [gate(), store()]);
      await second.calls.answer('a', { approve: true, by: 'grace', digest: question?.digest ?? '' });
      await second.calls.work({ concurrency: 1 });
      const again = await until(async () => {
        const call = await asked(second, 'a');
        return call.attempts === 2 ? call : undefined;
      });
      expect(again.question?.digest).to.not.equal(question?.digest);
      expect(effects).to.deep.equal([]);
    });
  });
});
