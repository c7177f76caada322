import { expect } from 'chai';
import { type ContentPart, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

const pixel: ContentPart = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

function inlineTool(handler: unknown, execution: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { name: 'it', description: 'Runs a function.', parameters: { value: {} }, execution: { type: 'function', handler, ...execution } };
}

describe('an inline handler', () => {
  const given = [
    { what: 'a string', value: 'text' },
    { what: 'an empty string', value: '' },
    { what: 'zero', value: 0 },
    { what: 'false', value: false },
    { what: 'null', value: null },
    { what: 'an empty list', value: [] },
    { what: 'a nested value', value: { list: [{ é: '漢' }, 1.5, null] } },
  ];
  for (const { what, value } of given) {
    it(`that returns ${what} gives that`, async () => {
      const kernel = await testKernel({ tools: [inlineTool(() => value)] });
      expect(await kernel.execute('it')).to.deep.equal(value);
    });
    it(`that resolves to ${what} gives that`, async () => {
      const kernel = await testKernel({ tools: [inlineTool(async () => value)] });
      expect(await kernel.execute('it')).to.deep.equal(value);
    });
  }

  it('that returns dates and members that are undefined gives what JSON makes of them', async () => {
    const kernel = await testKernel({
      tools: [inlineTool(() => ({ at: new Date(0), gone: undefined, url: new URL('http://a.example/b') }))],
    });
    expect(await kernel.execute('it')).to.deep.equal({ at: '1970-01-01T00:00:00.000Z', url: 'http://a.example/b' });
  });

  const circular: Record<string, unknown> = { name: 'loop' };
  circular['self'] = { back: circular };
  const unusable = [
    { what: 'nothing', value: undefined, says: 'returned nothing' },
    { what: 'a bigint', value: 10n, says: 'received bigint 10' },
    { what: 'a function', value: () => 1, says: 'received function' },
    { what: 'a symbol', value: Symbol('s'), says: 'received symbol' },
    { what: 'a circular value', value: circular, says: 'The output at "self.back" cannot be written as JSON' },
    { what: 'NaN', value: { deep: [1, Number.NaN] }, says: 'The output at "deep[1]"' },
    { what: 'an infinite number', value: Number.POSITIVE_INFINITY, says: 'Infinity' },
    { what: 'a bigint inside an object', value: { count: 1n }, says: 'The output at "count"' },
  ];
  for (const { what, value, says } of unusable) {
    it(`that returns ${what} fails with OUTPUT_INVALID`, async () => {
      const kernel = await testKernel({ tools: [inlineTool(() => value)] });
      expect((await rejection(kernel.execute('it'), 'OUTPUT_INVALID')).message).to.include(says);
    });
  }

  const failing = [
    { what: 'throws', handler: () => fail(new RangeError('no such page')), says: 'The function of "it" failed: no such page' },
    { what: 'rejects', handler: async () => fail(new Error('late')), says: 'The function of "it" failed: late' },
    { what: 'throws text', handler: () => fail('just text'), says: 'The function of "it" failed: just text' },
    { what: 'throws nothing', handler: () => fail(undefined), says: 'The function of "it" failed: undefined' },
  ];
  for (const { what, handler, says } of failing) {
    it(`that ${what} fails with EXECUTION_FAILED and its message`, async () => {
      const kernel = await testKernel({ tools: [inlineTool(handler)] });
      const error = await rejection(kernel.execute('it'), 'EXECUTION_FAILED');
      expect(error.message).to.equal(says);
      expect(error.details).to.include({ tool: 'it', plugin: 'executor-function', hook: 'execute' });
    });
  }

  it('that throws a ToolkitError passes its code and details', async () => {
    const thrown = new ToolkitError('NOT_FOUND', 'There is no page 7.', { status: 404 });
    const kernel = await testKernel({ tools: [inlineTool(() => fail(thrown))] });
    const error = await rejection(kernel.execute('it'), 'NOT_FOUND');
    expect(error.message).to.equal('There is no page 7.');
    expect(error.details).to.include({ status: 404, tool: 'it' });
  });

  it('that throws a long message is quoted only in part', async () => {
    const kernel = await testKernel({ tools: [inlineTool(() => fail(new Error('x'.repeat(5000))))] });
    expect((await rejection(kernel.execute('it'), 'EXECUTION_FAILED')).message.length).to.be.below(300);
  });

  it('that does not listen to its signal still ends with TIMEOUT, and its signal is aborted', async () => {
    let seen: AbortSignal | undefined;
    const hang = (_: never, { signal }: FunctionContext): Promise<never> => {
      seen = signal;
      return new Promise(() => {});
    };
    const kernel = await testKernel({ tools: [inlineTool(hang, { timeout_ms: 50 })] });
    const error = await rejection(kernel.execute('it'), 'TIMEOUT');
    expect(error.message).to.include('within 50 ms');
    expect(seen?.aborted).to.equal(true);
    expect(seen?.reason).to.have.property('code', 'TIMEOUT');
  });

  it('that fails because its signal was aborted ends with TIMEOUT, not with its own error', async () => {
    const hang = (_: never, { signal }: FunctionContext): Promise<never> =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('socket closed'))));
    const kernel = await testKernel({ tools: [inlineTool(hang, { timeout_ms: 50 })] });
    await rejection(kernel.execute('it'), 'TIMEOUT');
  });

  it('that its caller cancels ends with ABORTED', async () => {
    const controller = new AbortController();
    const hang = (): Promise<never> => {
      controller.abort();
      return new Promise(() => {});
    };
    const kernel = await testKernel({ tools: [inlineTool(hang)] });
    await rejection(kernel.execute('it', {}, { signal: controller.signal }), 'ABORTED');
  });

  it('gets a copy of the parameters', async () => {
    const given = { value: { list: [1, 2], inner: { name: 'kept' } } };
    const ends: unknown[] = [];
    const spoil = (parameters: { value: { list: number[]; inner: { name?: string } }; extra?: number }): unknown => {
      parameters.value.list.push(3);
      delete parameters.value.inner.name;
      parameters.extra = 1;
      return parameters;
    };
    const kernel = await testKernel({ tools: [inlineTool(spoil)] });
    ends.push(await kernel.execute('it', given), await kernel.execute('it', given));
    expect(given).to.deep.equal({ value: { list: [1, 2], inner: { name: 'kept' } } });
    expect(ends[0]).to.deep.equal({ value: { list: [1, 2, 3], inner: {} }, extra: 1 });
    expect(ends[1]).to.deep.equal(ends[0]);
  });

  it('shows content beside its output', async () => {
    const kernel = await testKernel({
      tools: [inlineTool((_: never, context: FunctionContext) => context.withContent({ width: 1 }, [pixel]))],
    });
    const { output, content } = await kernel.call({ tool: 'it' });
    expect(output).to.deep.equal({ width: 1 });
    expect(content).to.deep.equal([pixel]);
  });

  it('that shows content without an output fails with OUTPUT_INVALID', async () => {
    const kernel = await testKernel({
      tools: [inlineTool((_: never, context: FunctionContext) => context.withContent(undefined, [pixel]))],
    });
    await rejection(kernel.execute('it'), 'OUTPUT_INVALID');
  });

  it('logs under the call', async () => {
    const logger = memoryLogger();
    const handler = (_: never, context: FunctionContext): null => {
      context.logger.warn('nearly full', { percent: 97 });
      return null;
    };
    const kernel = await testKernel({ tools: [inlineTool(handler)], logger });
    await kernel.execute('it');
    expect(logger.records).to.deep.include({ level: 'warn', message: 'nearly full', meta: { percent: 97 } });
  });
});

function fail(thrown: unknown): never {
  throw thrown;
}
