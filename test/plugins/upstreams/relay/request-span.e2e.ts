import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import { telemetry } from '../../../../plugins/telemetry/index.ts';
import { standard } from '../../../../plugins/toolkit/standard.ts';
import { type UpstreamServer, upstreams } from '../../../../plugins/upstreams/index.ts';
import { RecordingTracer } from '../../../support/recording-tracer.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { ModernClient } from '../../mcp/support/modern-client.ts';
import { eventFile, stdioServer } from '../kernel-with.ts';
import { httpServer } from '../servers/over-http.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const trace = { traceparent, tracestate: 'vendor=planted' };

type Plugin = Parameters<typeof bareKernel>[0]['plugins'];

async function kernelOf(server: UpstreamServer, tracing: Plugin): Promise<Kernel> {
  const plugins = [...standard({ includeCore: false, autoDiscover: false }), upstreams({ servers: { shop: server } }), ...(tracing ?? [])];
  return bareKernel({ cwd: await temporaryFolder(), plugins });
}

const overHttp = (url: string): UpstreamServer => ({ url, pin: 'first-use', gate: 'none' });

for (const era of ['legacy', 'modern'] as const)
  describe(`a request to a server (${era})`, () => {
    it('has a CLIENT span within that of its call, whose place the server is told', async () => {
      const { file, read } = await eventFile();
      const tracer = new RecordingTracer();
      const kernel = await kernelOf(stdioServer(era, { env: { EVENTS: file } }), [tracer.plugin()]);
      await kernel.call({ tool: 'shop_echo', parameters: { text: 'planted' }, trace });
      const span = tracer.only('tools/call echo');
      expect([span.kind, span.ends, span.parent]).to.deep.equal(['client', [undefined], tracer.only('execute_tool shop_echo')]);
      expect(span.attributes).to.deep.equal({
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': era === 'modern' ? '2026-07-28' : '2025-11-25',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'echo',
        'network.transport': 'pipe',
      });
      const { meta } = (await read()).find(({ event }) => event === 'called') ?? {};
      expect(meta).to.include({ traceparent: span.context.traceparent }).and.not.have.any.keys('tracestate', 'baggage');
    });

    it('ends its span with the failure', async () => {
      const tracer = new RecordingTracer();
      const kernel = await kernelOf(stdioServer(era), [tracer.plugin()]);
      await rejection(kernel.call({ tool: 'shop_failing' }), 'EXECUTION_FAILED');
      await rejection(kernel.call({ tool: 'shop_refused' }), 'INVALID_PARAMETERS');
      await rejection(kernel.call({ tool: 'shop_die' }), 'OUTCOME_UNKNOWN');
      const ends = ['failing', 'refused', 'die'].map((name) => tracer.only(`tools/call ${name}`).ends);
      expect(ends).to.deep.equal([['tool_error'], ['-32602'], ['UPSTREAM_UNAVAILABLE']]);
      expect(tracer.only('tools/call refused').attributes).to.include({ 'rpc.response.status_code': '-32602' });
    });

    it('ends its span with the end of a call that is given up', async () => {
      const { file, names } = await eventFile();
      const tracer = new RecordingTracer();
      const kernel = await kernelOf(stdioServer(era, { env: { EVENTS: file } }), [tracer.plugin()]);
      const ended = new AbortController();
      const onProgress = (): void => ended.abort();
      await rejection(kernel.call({ tool: 'shop_slow', signal: ended.signal, onProgress }), 'ABORTED');
      expect(tracer.only('tools/call slow').ends).to.deep.equal(['ABORTED']);
      expect(await names()).to.include('called');
    });
  });

describe('a server over HTTP', () => {
  for (const [title, propagate, isTold] of [
    ['is told its place in the trace where its host is', ['127.0.0.1'], true],
    ['is not told where its host is not, though workers are', ['workers', 'mcp.example'], false],
  ] as const)
    it(title, async () => {
      const { url, requests } = await httpServer('modern');
      const kernel = await kernelOf(overHttp(url), [telemetry({ metrics: false, propagate: [...propagate] })]);
      await kernel.call({ tool: 'shop_echo', parameters: { text: 'x' }, trace });
      const { params } = JSON.parse(requests.find(({ body }) => body.includes('"tools/call"'))?.body ?? '{}');
      expect(params._meta.traceparent).to.equal(isTold ? traceparent : undefined);
      // Its header would be one for the requests of several callers.
      expect(requests.map(({ headers }) => headers['traceparent'])).to.deep.equal(requests.map(() => undefined));
      expect(JSON.stringify(requests)).to.not.include('planted');
    });

  it('has an address in its span', async () => {
    const { url } = await httpServer('modern');
    const tracer = new RecordingTracer();
    const kernel = await kernelOf(overHttp(url), [tracer.plugin()]);
    await kernel.call({ tool: 'shop_echo', parameters: { text: 'x' }, trace });
    expect(tracer.only('tools/call echo').attributes).to.include({
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(url).port),
    });
  });
});

describe('what a client says of its trace', () => {
  it('is not relayed: each server is told its own place alone, for tools, resources and prompts', async () => {
    const { file, read } = await eventFile();
    const tracer = new RecordingTracer();
    const kernel = await kernelOf(stdioServer('modern', { env: { EVENTS: file } }), [tracer.plugin()]);
    const client = await ModernClient.connect(kernel, { caller: 'ada' });
    const _meta = { traceparent, tracestate: 'vendor=planted', baggage: 'user=planted', 'example.com/mine': 'planted' };
    await client.result('tools/call', { name: 'shop_echo', arguments: { text: 'x' }, _meta });
    await client.result('resources/read', { uri: 'fixture://one', _meta });
    await client.result('prompts/get', { name: 'shop_greet', arguments: { who: 'ada' }, _meta });
    const spans = ['tools/call echo', 'resources/read', 'prompts/get greet'].map((name) => {
      const [span] = tracer.spans.filter(({ name: other, kind }) => other === name && kind === 'client');
      return span;
    });
    expect(spans.map((span) => span?.traceId)).to.deep.equal([traceId, traceId, traceId]);
    expect(spans[1]?.attributes).to.include({ 'mcp.resource.uri': 'fixture://one' });
    expect(spans[2]?.attributes).to.include({ 'gen_ai.prompt.name': 'greet' });
    const told = (await read()).filter(({ event }) => ['called', 'read', 'prompted'].includes(event)).map(({ meta }) => meta ?? {});
    expect(told.map(({ traceparent: place }) => place)).to.deep.equal(spans.map((span) => span?.context.traceparent));
    expect(JSON.stringify(told)).to.not.include('planted');
  });
});
