import { expect } from 'chai';
import { type Gauge, type Kernel, type Source, ToolkitError } from '../../../kernel/index.ts';
import { kernelGauges } from '../../../kernel/taps/kernel-gauges.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { sourcePlugin } from '../source/make-source.ts';

const gaugeOf = ({ gauges }: Kernel, name: string): Gauge => gauges.find((gauge) => gauge.name === name) ?? expect.fail(name);

describe('the gauges of the kernel', () => {
  it('say how many calls have begun and not ended, refused and failed ones not', async () => {
    let go: (result: object) => void = () => {};
    const until = new Promise<object>((resolve) => {
      go = resolve;
    });
    const wait = echoTool({ execution: { type: 'function', handler: () => until } });
    const kernel = await testKernel({ tools: [wait] });
    const running = gaugeOf(kernel, 'calls.running');
    expect(await running.read()).to.equal(0);
    const calls = [kernel.execute('echo', {}), kernel.execute('echo', {})];
    await kernel.execute('none').catch(() => {});
    expect(await running.read()).to.equal(2);
    go({});
    await Promise.all(calls);
    expect(await running.read()).to.equal(0);
  });

  it('have a row for each source with its present state, and no row for a state that it had', async () => {
    let failure: Error | undefined;
    const made: Source = {
      async list({ sink }) {
        if (failure !== undefined) throw failure;
        sink.addTool({ name: 'find', description: 'Finds a thing.', execution: { type: 'made' } });
      },
    };
    const shutFor: Source = {
      async list() {
        throw new ToolkitError('AUTH_FAILED', 'no.');
      },
    };
    const kernel = await testKernel({ plugins: [sourcePlugin(made), sourcePlugin(shutFor, 'shut')] });
    const sources = gaugeOf(kernel, 'sources');
    const shut = { labels: { source: 'shut', state: 'needs-auth' }, value: 1 };
    expect(await sources.read()).to.deep.equal([{ labels: { source: 'made', state: 'ready' }, value: 1 }, shut]);
    failure = new Error('away');
    await kernel.sources.relist('made');
    expect(await sources.read()).to.deep.equal([{ labels: { source: 'made', state: 'degraded' }, value: 1 }, shut]);
  });

  it('read nothing before they are asked', () => {
    const sources = (): never => expect.fail('read');
    const store = {
      get all(): never {
        return expect.fail('read');
      },
    };
    expect(kernelGauges({ running: { size: 0 }, sources, store })).to.have.length(4);
  });
});
