import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { stopped } from '../../support/stopped.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { functionKernel, suiteKernel } from './function-kernel.ts';

const text = `
import { threadId } from 'node:worker_threads';
export const where = () => threadId;
export const loop = () => { for (;;); };
// For ever too, and without the work of a loop in the seconds that a thread has to answer before it is ended.
export const block = (_: unknown, context: any) => {
  context.progress('blocked');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
`;

const worker = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({ code: `./it.ts#${name}`, worker: true, ...more });

describe('a call that never ends in a worker thread', () => {
  const suite = suiteKernel({
    files: { 'it.ts': text },
    tools: { where: worker('where'), block: worker('block'), short_loop: worker('loop', { timeout_ms: 50 }) },
    executor: { maxThreads: 4 },
  });

  it('ends with TIMEOUT, also in the middle of a loop', async () => {
    await suite.kernel.execute('where');
    const error = await stopped(
      50,
      () => suite.kernel.execute('short_loop'),
      () => suite.kernel.execute('where'),
    );
    expect(error.message).to.include('within 50 ms');
  });

  it('does not keep another call waiting, and its thread is replaced once it is cancelled', async () => {
    const controller = new AbortController();
    let blocked: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      blocked = resolve;
    });
    const ended = rejection(suite.kernel.execute('block', {}, { signal: controller.signal, onProgress: () => blocked() }), 'ABORTED');
    await started;
    const other = await suite.kernel.execute('where');
    controller.abort();
    await ended;
    const both = await Promise.all([suite.kernel.execute('where'), suite.kernel.execute('where')]);
    expect(both).to.include(other);
  });

  it('ends when the kernel closes', async () => {
    const { kernel } = await functionKernel({ files: { 'it.ts': text }, tools: { block: worker('block') } });
    let blocked: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      blocked = resolve;
    });
    const ended = rejection(kernel.execute('block', {}, { onProgress: () => blocked() }), 'ABORTED');
    await started;
    await kernel.close();
    await ended;
  });
});

describe('worker: true', () => {
  it('is refused for an inline handler, which cannot move into a thread', async () => {
    const execution = { type: 'function', handler: () => 1, worker: true };
    const kernel = await testKernel({ tools: [{ name: 'it', description: 'Runs.', execution }] });
    expect((await rejection(kernel.execute('it'), 'TOOL_INVALID')).message).to.include('needs "code"');
  });
});
