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
import { type Span, type SpanAttributes, type SpanKind, type TraceContext, type Tracer, traceContext } from '../../../kernel/index.ts';

const kinds: Readonly<Record<SpanKind, OtelSpanKind>> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

/** Starts spans by the API of OpenTelemetry, so that the SDK of the host, or the one that this plugin starts, exports them. */
export class ApiTracer implements Tracer {
  readonly #tracer: OtelTracer;

  /** `version`: of this program, the version of the instrumentation scope. */
  constructor(version: string) {
    this.#tracer = trace.getTracer('toolkit', version);
  }

  start(
    name: string,
    kind: SpanKind,
    { parent, attributes = {} }: { readonly parent?: TraceContext | undefined; readonly attributes?: SpanAttributes } = {},
  ): Span | undefined {
    const within = parent === undefined ? context.active() : contextOf(parent);
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, within);
    // Without an SDK only the place in the trace of a parent is passed on.
    return isSpanContextValid(span.spanContext()) ? new ApiSpan(this.#tracer, span, within) : undefined;
  }

  active(): TraceContext | undefined {
    const span = trace.getActiveSpan()?.spanContext();
    return span !== undefined && isSpanContextValid(span) ? textsOf(span) : undefined;
  }
}

class ApiSpan implements Span {
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;
  readonly #context: Context;

  constructor(tracer: OtelTracer, span: OtelSpan, within: Context) {
    this.#tracer = tracer;
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
    return new ApiSpan(this.#tracer, this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, this.#context), this.#context);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  run<T>(work: () => T): T {
    return context.with(this.#context, work);
  }

  end(errorType?: string): void {
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
