import { expect } from 'chai';
import type { DurableOptions, Kernel } from '../../../kernel/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { fileStore } from '../../support/file-store.ts';
import { RecordingTracer } from '../../support/recording-tracer.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const place = { traceparent: `00-${'4'.repeat(32)}-${'7'.repeat(16)}-01`, tracestate: 'vendor=1' };

async function world(more: Parameters<typeof testKernel>[0] = {}): Promise<{ readonly kernel: Kernel; readonly tracer: RecordingTracer }> {
  const tracer = new RecordingTracer();
  const { plugins = [], ...others } = more;
  return {
    kernel: await testKernel({ tools: [echoTool()], plugins: [tracer.plugin(), callsOnce(), engineLocal(), ...plugins], ...others }),
    tracer,
  };
}

async function run(kernel: Kernel, more: Partial<DurableOptions> = {}): Promise<void> {
  await (await kernel.execute('echo', {}, { durable: true, ...more })).result();
}

describe('a durable call in a trace', () => {
  it('goes on in the trace that its caller names', async () => {
    const { kernel, tracer } = await world();
    await run(kernel, { trace: place });
    expect(tracer.only('execute_tool echo').parent).to.deep.equal(place);
  });

  it('goes on in a span of its host, named or active, as a call of its own', async () => {
    const { kernel, tracer } = await world();
    const host = tracer.startWithin(undefined, 'host', 'server');
    await run(kernel, { trace: host });
    await run(kernel, { trace: { within: host } });
    await host.run(() => run(kernel));
    const spans = tracer.spans.filter(({ name }) => name === 'execute_tool echo');
    expect(spans.map(({ parent }) => parent)).to.deep.equal([host.context, host.context, host.context]);
    expect(host.ends).to.deep.equal([]);
  });

  it('begins a trace where its caller is in none, also when an active span has begun the queue', async () => {
    const { kernel, tracer } = await world();
    const host = tracer.startWithin(undefined, 'host', 'server');
    await host.run(() => run(kernel));
    await run(kernel);
    await run(kernel, { trace: { traceparent: 'malformed' } });
    const [inHost, ...others] = tracer.spans.filter(({ name }) => name === 'execute_tool echo');
    expect(inHost?.traceId).to.equal(host.traceId);
    expect(others.map(({ parent }) => parent)).to.deep.equal([undefined, undefined]);
  });

  it('is continued by another process', async () => {
    const store = await fileStore();
    const first = await testKernel({ tools: [echoTool()], plugins: [store(), callsOnce(), engineLocal({ concurrency: 0 })] });
    await first.execute('echo', {}, { durable: true, id: 'one', trace: place });
    await first.close();
    const { kernel, tracer } = await world({ plugins: [store()] });
    await kernel.calls.work({ concurrency: 1 });
    await (await kernel.calls.get('one')).result();
    expect(tracer.only('execute_tool echo').parent).to.deep.equal(place);
  });

  it('is refused for a trace of another form', async () => {
    const { kernel } = await world();
    const error = await rejection(run(kernel, { trace: 'abc' as never }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('The "trace" of the call of "echo" is wrong');
  });
});
