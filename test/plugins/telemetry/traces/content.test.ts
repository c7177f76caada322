import { AlwaysOffSampler } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';
import type { Kernel, ToolkitError } from '../../../../kernel/index.ts';
import { telemetry } from '../../../../plugins/telemetry/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { spansInMemory } from '../../../support/telemetry/spans-in-memory.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

const secret = 'sk-planted-secret-1';
const argumentsName = 'gen_ai.tool.call.arguments';
const resultName = 'gen_ai.tool.call.result';

const plain = { type: 'object', additionalProperties: true };

function tracedKernel(contentCharacters: number | undefined, more: Readonly<Record<string, unknown>> = {}): Promise<Kernel> {
  return testKernel({
    plugins: [telemetry({ metrics: false, ...(contentCharacters === undefined ? {} : { contentCharacters }) })],
    secrets: { TOKEN: secret },
    tools: [
      echoTool({ parameters: { text: { type: 'string' }, own: plain }, ...more }),
      echoTool({ name: 'token', secrets: ['TOKEN'], execution: { type: 'function', handler: (_: object, { secrets }: never) => secrets } }),
    ],
  });
}

describe('arguments and results in spans', () => {
  it('are absent by default, and then no stage has a tap for them', async () => {
    const { span } = spansInMemory();
    const kernel = await tracedKernel(undefined);
    await kernel.execute('echo', { text: 'hello' });
    expect(span('execute_tool echo').attributes).to.deep.equal({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'echo' });
    expect(kernel.tapsOf('beforeExecute').filter(({ plugin }) => plugin === 'telemetry')).to.deep.equal([]);
    expect(kernel.tapsOf('validateOutput').filter(({ plugin }) => plugin === 'telemetry')).to.deep.equal([]);
  });

  it('are JSON on the span of the call when switched on', async () => {
    const { span } = spansInMemory();
    await (await tracedKernel(1000)).execute('echo', { text: 'größer "a"', own: { deep: [1] } });
    expect(span('execute_tool echo').attributes).to.include({
      [argumentsName]: '{"text":"größer \\"a\\"","own":{"deep":[1]}}',
      [resultName]: '{"text":"größer \\"a\\"","own":{"deep":[1]}}',
    });
  });

  it('are cut to the given number of characters', async () => {
    const { span } = spansInMemory();
    await (await tracedKernel(10)).execute('echo', { text: 'x'.repeat(100) });
    expect(span('execute_tool echo').attributes).to.include({ [argumentsName]: '{"text":"…', [resultName]: '{"text":"…' });
  });

  it('are masked before they are cut, in every member and name', async () => {
    const { span } = spansInMemory();
    const kernel = await tracedKernel(20);
    await kernel.resolveSecrets(['TOKEN']);
    await kernel.execute('echo', { text: `12345${secret}`, own: { [secret]: secret } });
    expect(JSON.stringify(span('execute_tool echo').attributes)).to.not.match(/sk-/);
  });

  it('are masked with the secrets that a call was given itself', async () => {
    const { span } = spansInMemory();
    const kernel = await tracedKernel(1000);
    await kernel.call({ tool: 'token', parameters: { text: 'given-with-the-call-1' }, credentials: { TOKEN: 'given-with-the-call-1' } });
    expect(span('execute_tool token').attributes).to.have.property(argumentsName).that.includes('TOKEN');
    expect(JSON.stringify(span('execute_tool token').attributes)).to.not.include('given-with-the-call-1');
  });

  it('are masked for a pure tool too, whose caller sees what it sent', async () => {
    const { span } = spansInMemory();
    const kernel = await tracedKernel(1000, { pure: true, annotations: { readOnlyHint: true, openWorldHint: false } });
    await kernel.resolveSecrets(['TOKEN']);
    const output = await kernel.execute('echo', { text: secret });
    expect(output).to.deep.equal({ text: secret });
    expect(JSON.stringify(span('execute_tool echo').attributes))
      .to.include('TOKEN')
      .and.not.include(secret);
  });

  it('end with the arguments where the tool fails', async () => {
    const { span } = spansInMemory();
    const handler = (): never => {
      throw new Error('broken');
    };
    const kernel = await tracedKernel(1000, { execution: { type: 'function', handler } });
    await rejection(kernel.execute('echo', { text: 'a' }), 'EXECUTION_FAILED');
    expect(span('execute_tool echo').attributes).to.include({ [argumentsName]: '{"text":"a"}', 'error.type': 'EXECUTION_FAILED' });
    expect(span('execute_tool echo').attributes).to.not.have.property(resultName);
  });

  it('never fail a call whose output is no JSON by themselves', async () => {
    spansInMemory();
    const kernel = await tracedKernel(1000, { execution: { type: 'function', handler: () => ({ big: 1n }) } });
    const plainly = await testKernel({ tools: [echoTool({ execution: { type: 'function', handler: () => ({ big: 1n }) } })] });
    const end = (given: Kernel): Promise<unknown> => given.execute('echo').catch(({ code, message }: ToolkitError) => ({ code, message }));
    expect(await end(kernel)).to.deep.equal(await end(plainly));
  });

  it('are not made for a call that is not sampled', async () => {
    spansInMemory({ sampler: new AlwaysOffSampler() });
    expect(await (await tracedKernel(1000)).execute('echo', { text: 'a' })).to.deep.equal({ text: 'a' });
  });
});
