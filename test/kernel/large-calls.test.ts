import { expect } from 'chai';
import { apiVersion, type CallEnd, definePlugin } from '../../kernel/index.ts';
import { rejection } from '../support/rejection.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';

const secret = 'tok-0123456789abcdef';

const members = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

const tool = (handler: (parameters: never) => unknown) => ({
  ...echoTool(),
  secrets: ['API_TOKEN'],
  parameters: {
    data: { type: 'object', additionalProperties: true },
    mode: { type: 'string', enum: ['plain', 'fancy'], default: 'plain' },
    list: { type: 'array', items: { type: 'number' } },
  },
  execution: { type: 'function', handler },
});

async function kernelWith(handler: (parameters: never) => unknown = (parameters) => parameters) {
  const ends: CallEnd[] = [];
  const watch = definePlugin({
    name: 'watch',
    apiVersion,
    apply: (api) => api.hooks.settled.tap('watch', (end) => void ends.push(end)),
  });
  return { kernel: await testKernel({ tools: [tool(handler)], plugins: [watch()] }), ends };
}

describe('a call with large parameters', () => {
  it('is taken as a small one is: a frozen copy with defaults, without what is null', async () => {
    const data = members(20_000);
    const { kernel, ends } = await kernelWith();
    const { output } = await kernel.call({ tool: 'echo', parameters: { data, list: null } });
    expect(JSON.stringify(output)).to.equal(JSON.stringify({ data, mode: 'plain' }));
    const { parameters = {} } = ends[0] ?? {};
    expect([parameters, parameters['data']].map(Object.isFrozen)).to.deep.equal([true, true]);
  });

  it('is refused with what is wrong, by its place', async () => {
    const { kernel } = await kernelWith();
    const wrong = { data: members(20_000), mode: 'odd', list: ['x'] };
    const error = await rejection(kernel.call({ tool: 'echo', parameters: wrong }), 'INVALID_PARAMETERS');
    expect(error.details.issues?.map(({ path }) => path)).to.have.members(['mode', 'list[0]']);
    const unknown = rejection(kernel.call({ tool: 'echo', parameters: members(5000) }), 'INVALID_PARAMETERS');
    expect((await unknown).message).to.include('5000 names, of which the tool takes 3');
  });

  it('is not made where it is cancelled before it has been taken', async () => {
    let calls = 0;
    const { kernel } = await kernelWith(() => ++calls);
    const cancel = new AbortController();
    const call = kernel.call({ tool: 'echo', parameters: { data: members(50_000) }, signal: cancel.signal });
    cancel.abort();
    await rejection(call, 'ABORTED');
    expect(calls).to.equal(0);
  });

  it('has what stands under the name of a credential masked, behind thousands of others as well', async () => {
    const { kernel, ends } = await kernelWith();
    const data = { ...members(20_000), inner: { API_TOKEN: secret } };
    const { output } = await kernel.call({ tool: 'echo', parameters: { data }, origin: 'model' });
    expect(JSON.stringify(output)).to.include('[secret API_TOKEN]').and.not.include(secret);
    expect(JSON.stringify(ends[0]?.parameters)).to.include('[secret API_TOKEN]').and.not.include(secret);
  });
});

describe('a call with a large output', () => {
  it('fails with the place of what is no JSON', async () => {
    const { kernel } = await kernelWith(() => ({ all: [...Array.from({ length: 9000 }, () => 1), Number.NaN] }));
    const error = await rejection(kernel.call({ tool: 'echo' }), 'OUTPUT_INVALID');
    expect(error.message).to.include('"all[9000]"');
  });

  it('gives what a small one gives', async () => {
    const value = { data: members(20_000), text: 'x'.repeat(600_000), nothing: null };
    const { kernel } = await kernelWith(() => ({ ...value, left: undefined }));
    expect(JSON.stringify((await kernel.call({ tool: 'echo' })).output)).to.equal(JSON.stringify(value));
  });
});
