/** The place of a span in its trace, as it is sent to others (W3C Trace Context, https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  readonly tracestate?: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** `server`: handles a request of a client. `client`: sends a request, and waits for the answer. `internal`: anything else. */
export type SpanKind = 'server' | 'client' | 'internal';

/** One piece of work of a trace. Its members do not throw; the kernel makes nothing of what one throws, and logs the first. */
export interface Span {
  readonly context: TraceContext;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Starts a span within this one. */
  start(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** Returns the `traceparent` for who continues the trace: the code of a tool, or the service at a URL. Undefined where the operator does not pass it on. */
  traceparentFor(receiver: URL | 'workers'): string | undefined;
  /** Runs work with this as the active span, for code that is instrumented by itself. */
  run<T>(work: () => T): T;
  /** Ends the span. `errorType`: the code of the error, where the work failed. */
  end(errorType?: string): void;
}

/** The trace of a call: the span of its host, within which its stages are; the span within which the call has one of its own; or the place of its caller. */
export type CallTrace = Span | { readonly within: Span } | TraceContext;

export interface SpanOptions {
  /** Where a client or another process began the trace. @default the active span */
  readonly parent?: TraceContext | undefined;
  /** Runs only where somebody listens. @default no attributes */
  readonly attributes?: () => SpanAttributes;
}

/** Starts spans. A plugin that traces provides it. */
export interface Tracer {
  /** Starts a span. Undefined where nobody listens and nobody gave a parent. */
  start(name: string, kind: SpanKind, options?: SpanOptions): Span | undefined;
  /** Returns the place of the active span, for work that another process continues. */
  active(): TraceContext | undefined;
}
