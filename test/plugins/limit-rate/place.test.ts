import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { apiVersion, definePlugin, type ErrorCode, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { limited } from './limited.ts';

const one = { concurrency: 1 };

describe('limit-rate: the place of a call', () => {
  const refuse = definePlugin({
    name: 'refuse',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.validateOutput.tap('refuse', (result) => {
        if (result.output === 'bad') throw new ToolkitError('OUTPUT_INVALID', 'bad');
        return undefined;
      }),
  });
  const ends: readonly {
    title: string;
    code?: ErrorCode;
    run: () => unknown;
    end?: (controls: { cancel: AbortController; kernel: Kernel }) => void;
    waitMs?: number;
  }[] = [
    { title: 'succeeds', run: () => null },
    {
      title: 'fails',
      code: 'EXECUTION_FAILED',
      run: () => {
        throw new ToolkitError('EXECUTION_FAILED', 'no');
      },
    },
    { title: 'gives what a check refuses', code: 'OUTPUT_INVALID', run: () => 'bad' },
    { title: 'gives what is no JSON', code: 'OUTPUT_INVALID', run: () => 1n },
    { title: 'is cancelled while it runs', code: 'ABORTED', run: () => new Promise(() => {}), end: ({ cancel }) => cancel.abort() },
    { title: 'takes too long', code: 'TIMEOUT', run: () => new Promise(() => {}), waitMs: 1000 },
  ];
  for (const { title, code, run, end, waitMs = 0 } of ends) {
    it(`is free again when the call ${title}`, async () => {
      const { call, kernel, labels, tick } = await limited({
        tools: [{ rate_limit: one, timeout_ms: 1000, provider: 'shop' }],
        providers: { shop: one },
        run: (label) => (label === 'a' ? run() : null),
        plugins: [refuse()],
      });
      const cancel = new AbortController();
      const first = call('a', 'get', { signal: cancel.signal });
      const ended = code === undefined ? first : rejection(first, code);
      await tick(0);
      end?.({ cancel, kernel });
      await tick(waitMs);
      await ended;
      await call('b');
      expect(labels()).to.deep.equal(['a', 'b']);
    });
  }

  it('is free again even where another plugin never ends the call', async () => {
    const hanging = definePlugin({
      name: 'hanging',
      apiVersion,
      apply: ({ hooks }) => hooks.settled.tapPromise('hanging', ({ toolName }) => (toolName === 'get' ? new Promise(() => {}) : undefined)),
    });
    const { call, labels, tick } = await limited({ tools: [{ rate_limit: one }], plugins: [hanging()] });
    const calls = [call('a'), call('b')];
    await tick(0);
    expect(labels()).to.deep.equal(['a', 'b']);
    await tick(20_000, 10_000);
    await Promise.all(calls);
  });

  it('is not taken by a call that has ended before it comes to the line', async () => {
    const cancel = new AbortController();
    const slow = definePlugin({
      name: 'slow',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute.for('*').tapPromise('slow', async ({ parameters }) => {
          if (parameters['label'] !== 'a') return undefined;
          cancel.abort();
          await setImmediate();
          return undefined;
        }),
    });
    const { call, labels, tick } = await limited({ tools: [{ rate_limit: one }], plugins: [slow()] });
    await rejection(call('a', 'get', { signal: cancel.signal }), 'ABORTED');
    await tick(0);
    await call('b');
    expect(labels()).to.deep.equal(['b']);
  });

  it('is given back once only, also when the call ends in the moment in which it starts', async () => {
    const { call, labels, tick } = await limited({
      tools: [{ rate_limit: one }],
      run: (label) => (label === 'a' ? new Promise(() => {}) : null),
    });
    const cancel = new AbortController();
    const first = rejection(call('a', 'get', { signal: cancel.signal }), 'ABORTED');
    const calls = ['b', 'c', 'd'].map((label) => call(label, 'get', { signal: cancel.signal }).catch((error: ToolkitError) => error.code));
    await tick(0);
    cancel.abort();
    await first;
    expect(await Promise.all(calls)).to.deep.equal(['ABORTED', 'ABORTED', 'ABORTED']);
    await call('e');
    expect(labels()).to.deep.equal(['a', 'e']);
  });
});
