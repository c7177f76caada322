import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import {
  type Span,
  type SpanAttributes,
  type SpanKind,
  type SpanOptions,
  type TraceContext,
  type Tracer,
  traceContext,
} from '../../../kernel/index.ts';
import { version } from '../../shared/project/version.ts';
import { hasSdk } from './has-sdk.ts';
import type { Propagation } from './propagation.ts';

const kinds: Readonly<Record<SpanKind, OtelSpanKind>> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

/** Starts spans by the API of OpenTelemetry, so that the SDK of the host, or the one that this plugin starts, exports them. */
export class ApiTracer implements Tracer {
  readonly #services: SpanServices;
  /** Once there is an SDK it stays. */
  #isHeard = false;

  constructor(propagation: Propagation) {
    this.#services = { tracer: trace.getTracer('toolkit', version), propagation };
  }

  start(name: string, kind: SpanKind, { parent, attributes }: SpanOptions = {}): Span | undefined {
    this.#isHeard ||= hasSdk();
    if (!this.#isHeard && parent === undefined) return undefined;
    const within = parent === undefined ? context.active() : contextOf(parent);
    const described = attributes === undefined || !this.#isHeard ? {} : { attributes: attributes() };
    const span = this.#services.tracer.startSpan(name, { kind: kinds[kind], ...described }, within);
    // Without an SDK only the place in the trace of a parent is passed on.
    return isSpanContextValid(span.spanContext()) ? new ApiSpan(this.#services, span, within) : undefined;
  }

  active(): TraceContext | undefined {
    const span = trace.getActiveSpan()?.spanContext();
    return span !== undefined && isSpanContextValid(span) ? textsOf(span) : undefined;
  }
}

interface SpanServices {
  readonly tracer: OtelTracer;
  readonly propagation: Propagation;
}

class ApiSpan implements Span {
  readonly #services: SpanServices;
  readonly #span: OtelSpan;
  readonly #context: Context;

  constructor(services: SpanServices, span: OtelSpan, within: Context) {
    this.#services = services;
    this.#span = span;
    this.#context = trace.setSpan(within, span);
  }

  get context(): TraceContext {
    return textsOf(this.#span.spanContext());
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  start(name: string, kind: SpanKind, attributes: SpanAttributes = {}): Span {
    const span = this.#services.tracer.startSpan(name, { kind: kinds[kind], attributes }, this.#context);
    return new ApiSpan(this.#services, span, this.#context);
  }

  traceparentFor(receiver: URL | 'workers'): string | undefined {
    return this.#services.propagation.includes(receiver) ? this.context.traceparent : undefined;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  run<T>(work: () => T): T {
    return context.with(this.#context, work);
  }

  end(errorType?: string): void {
    // The SDK complains about a second end.
    if (!this.#span.isRecording()) return;
    if (errorType !== undefined) {
      this.#span.setAttribute('error.type', errorType);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** Returns the context of a parent in another program. Malformed texts begin a new trace. */
function contextOf(parent: TraceContext): Context {
  const checked = traceContext(parent);
  if (checked === undefined) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = checked.traceparent.split('-');
  const { tracestate } = checked;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  });
}

function textsOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`;
  const tracestate = traceState?.serialize() ?? '';
  return { traceparent, ...(tracestate === '' ? {} : { tracestate }) };
}
