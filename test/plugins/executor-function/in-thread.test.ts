import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { functionKernel } from './function-kernel.ts';

const files = {
  'main.mjs': `
    export const ask = ({ value }, { inThread }) => inThread('./work.mjs#double', { n: value });
    export const fail = (_, { inThread }) => inThread('./work.mjs#fail', {});
    export const hang = (_, { inThread }) => inThread('./work.mjs#hang', {});
    export const lost = (_, { inThread }) => inThread('./nowhere.mjs#x', {});
    export const secrets = (_, { inThread }) => inThread('./work.mjs#secrets', {});`,
  'work.mjs': `
    import { isMainThread } from 'node:worker_threads';
    export const double = ({ n }) => ({ twice: 2 * n, isMainThread });
    export const fail = (_, { error }) => { throw error('NOT_FOUND', 'Nothing there.'); };
    export const hang = () => { for (;;); };
    export const secrets = (_, context) => Object.keys(context.secrets);`,
};

describe('work that a function gives to a thread', () => {
  const kernelWith = (name: string, definition: Readonly<Record<string, unknown>> = {}) =>
    functionKernel({ files, tools: { [name]: { code: `./main.mjs#${name}`, ...definition } } });

  it('gets the data and gives its answer', async () => {
    const { kernel } = await kernelWith('ask');
    expect(await kernel.execute('ask', { value: 21 })).to.deep.equal({ twice: 42, isMainThread: false });
  });

  it('fails the call with the error that it throws', async () => {
    const { kernel } = await kernelWith('fail');
    expect((await rejection(kernel.execute('fail'), 'NOT_FOUND')).message).to.equal('Nothing there.');
  });

  it('ends with the call, in the middle of a computation, while other calls are answered', async () => {
    const { kernel } = await kernelWith('hang', { timeout_ms: 300 });
    await rejection(kernel.execute('hang'), 'TIMEOUT');
  });

  it('is refused when the module is not there', async () => {
    const { kernel } = await kernelWith('lost');
    expect((await rejection(kernel.execute('lost'), 'TOOL_INVALID')).message).to.include('nowhere.mjs');
  });

  it('gets no secrets', async () => {
    const { kernel } = await kernelWith('secrets');
    expect(await kernel.execute('secrets')).to.deep.equal([]);
  });
});
