import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { functionKernel, suiteKernel } from './function-kernel.ts';

const text = `
import { threadId } from 'node:worker_threads';
export const where = () => threadId;
export const loop = (_: unknown, context: any) => { context.progress('looping'); for (;;); };
`;

const worker = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({ code: `./it.ts#${name}`, worker: true, ...more });

describe('an endless loop in a worker thread', () => {
  const suite = suiteKernel({
    files: { 'it.ts': text },
    tools: { where: worker('where'), loop: worker('loop'), short_loop: worker('loop', { timeout_ms: 50 }) },
    executor: { maxThreads: 4 },
  });

  it('ends with TIMEOUT', async () => {
    await suite.kernel.execute('where');
    const error = await rejection(suite.kernel.execute('short_loop'), 'TIMEOUT');
    expect(error.message).to.include('within 50 ms');
  });

  it('does not keep another call waiting, and its thread is replaced once it is cancelled', async () => {
    const controller = new AbortController();
    let looping: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      looping = resolve;
    });
    const ended = rejection(suite.kernel.execute('loop', {}, { signal: controller.signal, onProgress: () => looping() }), 'ABORTED');
    await started;
    const other = await suite.kernel.execute('where');
    controller.abort();
    await ended;
    const both = await Promise.all([suite.kernel.execute('where'), suite.kernel.execute('where')]);
    expect(both).to.include(other);
  });

  it('ends when the kernel closes', async () => {
    const { kernel } = await functionKernel({ files: { 'it.ts': text }, tools: { loop: worker('loop') } });
    let looping: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      looping = resolve;
    });
    const ended = rejection(kernel.execute('loop', {}, { onProgress: () => looping() }), 'ABORTED');
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
