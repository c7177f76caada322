import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';
import { otlpCollector } from './otlp-collector.ts';

describe('the collector of the tests', () => {
  it('decodes the spans that the exporter of OpenTelemetry sends', async () => {
    const collector = await otlpCollector();
    const provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'tested' }),
      spanProcessors: [
        new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${collector.url}/v1/traces`, headers: { key: 'of the test' } })),
      ],
    });
    const tracer = provider.getTracer('a tracer');
    const parent = tracer.startSpan('parent', { kind: 1 });
    const span = tracer.startSpan(
      'child',
      { kind: 2, attributes: { text: 'größer', int: -7, long: 2 ** 40, double: 0.25, yes: true, no: false, list: ['a', 'b'] } },
      trace.setSpan(ROOT_CONTEXT, parent),
    );
    span.addEvent('event', { at: 1 });
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'why' });
    span.end();
    parent.end();
    await provider.shutdown();
    const { durationNs, ...child } = await collector.span('child');
    expect(child).to.deep.equal({
      name: 'child',
      kind: 'client',
      traceId: parent.spanContext().traceId,
      spanId: span.spanContext().spanId,
      parentSpanId: parent.spanContext().spanId,
      attributes: { text: 'größer', int: -7, long: 2 ** 40, double: 0.25, yes: true, no: false, list: ['a', 'b'] },
      events: [{ name: 'event', attributes: { at: 1 } }],
      status: { code: 'error', message: 'why' },
      resource: { 'service.name': 'tested' },
      scope: 'a tracer',
    });
    expect(durationNs > 0n).to.equal(true);
    expect(await collector.span(({ parentSpanId }) => parentSpanId === undefined)).to.include({ name: 'parent', kind: 'server' });
    expect(collector.requests[0]).to.include({ url: '/v1/traces' });
    expect(collector.requests[0]?.headers).to.include({ key: 'of the test' });
    expect([collector.holds('größer'), collector.holds('smaller')]).to.deep.equal([true, false]);
  });
});
