import { context, diag, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterEach } from '../after-each.ts';
import type { Attributes, CollectedSpan } from './otlp-spans.ts';

/** The SDK of a host of this process, which keeps ended spans in memory. It is taken away after the test. */
export interface SpansInMemory {
  /** The ended spans in the order of their ends. */
  readonly spans: () => readonly CollectedSpan[];
  /** Returns the only ended span of this name. Throws for none, and for two. */
  readonly span: (name: string) => CollectedSpan;
}

/** Registers an SDK for this process, as a host does. */
export function spansInMemory({ sampler }: { readonly sampler?: Sampler } = {}): SpansInMemory {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(sampler === undefined ? {} : { sampler }),
  });
  provider.register();
  const spans = (): CollectedSpan[] => exporter.getFinishedSpans().map(collected);
  return {
    spans,
    span: (name) => {
      const named = spans().filter((span) => span.name === name);
      const [found] = named;
      if (found === undefined || named.length > 1) {
        const names = spans().map((span) => span.name);
        throw new Error(`expected one span "${name}"; received ${named.length}, among ${names.join(', ') || 'no spans'}`);
      }
      return found;
    },
  };
}

function collected(span: ReadableSpan): CollectedSpan {
  const { message } = span.status;
  const traceState = span.spanContext().traceState?.serialize() ?? '';
  return {
    name: span.name,
    kind: kinds[span.kind],
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    ...(span.parentSpanContext === undefined ? {} : { parentSpanId: span.parentSpanContext.spanId }),
    ...(traceState === '' ? {} : { traceState }),
    attributes: span.attributes as Attributes,
    events: span.events.map(({ name, attributes = {} }) => ({ name, attributes: attributes as Attributes })),
    status: { code: codes[span.status.code], ...(message === undefined ? {} : { message }) },
    resource: span.resource.attributes as Attributes,
    scope: span.instrumentationScope.name,
    durationNs: BigInt(span.duration[0]) * 1_000_000_000n + BigInt(span.duration[1]),
  };
}

const kinds = {
  [SpanKind.INTERNAL]: 'internal',
  [SpanKind.SERVER]: 'server',
  [SpanKind.CLIENT]: 'client',
  [SpanKind.PRODUCER]: 'producer',
  [SpanKind.CONSUMER]: 'consumer',
} as const;

const codes = { [SpanStatusCode.UNSET]: 'unset', [SpanStatusCode.OK]: 'ok', [SpanStatusCode.ERROR]: 'error' } as const;

/** Takes away what a test, or the program under test, registered for the whole process. */
afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
  diag.disable();
});
