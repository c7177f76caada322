import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AlwaysOffSampler, ParentBasedSampler } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';
import { ApiTracer } from '../../../../plugins/telemetry/traces/api-tracer.ts';
import { Propagation } from '../../../../plugins/telemetry/traces/propagation.ts';
import { spansInMemory } from '../../../support/telemetry/spans-in-memory.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

function tracer(hosts: readonly string[] = ['loopback', 'workers']): ApiTracer {
  return new ApiTracer(new Propagation(hosts));
}

describe('the tracer over the API of OpenTelemetry', () => {
  it('starts a span in the trace of a parent elsewhere, whose tracestate stays', () => {
    const { span } = spansInMemory();
    tracer()
      .start('call', 'server', { parent: { traceparent, tracestate: 'vendor=1,other=2' }, attributes: () => ({ a: 'b' }) })
      ?.end();
    expect(span('call')).to.deep.include({
      kind: 'server',
      traceId,
      parentSpanId: spanId,
      traceState: 'vendor=1,other=2',
      attributes: { a: 'b' },
    });
    expect(span('call').scope).to.equal('toolkit');
  });

  for (const [title, text] of [
    ['of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['in capitals', traceparent.toUpperCase()],
    ['of an invalid version', traceparent.replace(/^00/, 'ff')],
    ['that is no traceparent', 'SELECT 1'],
  ] as const) {
    it(`begins a new trace for a traceparent ${title}`, () => {
      const { span } = spansInMemory();
      tracer()
        .start('call', 'server', { parent: { traceparent: text } })
        ?.end();
      expect(span('call')).to.not.have.property('parentSpanId');
      expect(span('call').traceId)
        .to.match(/^[0-9a-f]{32}$/)
        .and.not.equal(traceId);
    });
  }

  it('starts a span within the active one without a parent, and within none where nothing is active', () => {
    const { span } = spansInMemory();
    const host = trace.getTracer('host').startSpan('host');
    context.with(trace.setSpan(ROOT_CONTEXT, host), () => {
      expect(tracer().active()?.traceparent).to.equal(`00-${host.spanContext().traceId}-${host.spanContext().spanId}-01`);
      tracer().start('within', 'internal')?.end();
    });
    tracer().start('alone', 'internal')?.end();
    expect(span('within')).to.deep.include({ kind: 'internal', parentSpanId: host.spanContext().spanId });
    expect(span('alone')).to.not.have.property('parentSpanId');
    expect(tracer().active()).to.equal(undefined);
  });

  it('makes its span the active one of the work that it runs, also behind an await', async () => {
    const { span } = spansInMemory();
    const call = tracer().start('call', 'internal');
    await call?.run(async () => {
      await Promise.resolve();
      trace.getTracer('library').startSpan('query').end();
    });
    call?.end();
    expect(span('query').parentSpanId).to.equal(span('call').spanId);
  });

  it('has no span without an SDK, and passes the place of a parent on', () => {
    expect(tracer().start('call', 'internal')).to.equal(undefined);
    const span = tracer().start('call', 'internal', { parent: { traceparent, tracestate: 'vendor=1' } });
    expect(span?.context).to.deep.equal({ traceparent, tracestate: 'vendor=1' });
    const child = span?.start('stage', 'internal');
    expect([child?.traceId, child?.traceparentFor('workers')]).to.deep.equal([traceId, traceparent]);
    child?.set({ a: 1 });
    child?.end('TIMEOUT');
  });

  it('says in the traceparent that a trace is not sampled, and sends nothing of it', () => {
    const { spans } = spansInMemory({ sampler: new ParentBasedSampler({ root: new AlwaysOffSampler() }) });
    const span = tracer().start('call', 'internal');
    span?.start('stage', 'internal').end();
    span?.end();
    expect(span?.context.traceparent).to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(spans()).to.deep.equal([]);
  });

  it('gives the traceparent alone, and only to receivers of `propagate`', () => {
    spansInMemory();
    const span = tracer(['api.corp.example']).start('call', 'internal', { parent: { traceparent, tracestate: 'vendor=1' } });
    expect(span?.traceparentFor(new URL('https://api.corp.example/'))).to.equal(span?.context.traceparent);
    expect(span?.traceparentFor(new URL('https://evil.example/'))).to.equal(undefined);
    expect(span?.traceparentFor('workers')).to.equal(undefined);
  });

  it('ends a span once, with the code of the error, never with its message', () => {
    const { spans } = spansInMemory();
    const span = tracer().start('call', 'internal');
    span?.end('TIMEOUT');
    span?.end();
    span?.set({ late: true });
    expect(spans()).to.have.lengthOf(1);
    expect(spans()[0]).to.deep.include({ status: { code: 'error' }, attributes: { 'error.type': 'TIMEOUT' }, events: [] });
  });
});
