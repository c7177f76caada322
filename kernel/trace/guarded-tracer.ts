import type { Span, SpanAttributes, SpanKind, TraceContext, Tracer } from './span.ts';

/** Receives the errors of a tracer. */
type Report = (error: unknown) => void;

/** A tracer whose members and spans do not throw: a fault of an exporter, or of a host's own span, must neither fail a call nor let it wait forever. */
export class GuardedTracer implements Tracer {
  readonly #tracer: Tracer;
  readonly #report: Report;

  /** `report`: receives what the tracer throws, the first time. */
  constructor(tracer: Tracer, report: Report) {
    this.#tracer = tracer;
    let isReported = false;
    this.#report = (error) => {
      if (isReported) return;
      isReported = true;
      report(error);
    };
  }

  start(...given: Parameters<Tracer['start']>): Span | undefined {
    try {
      const span = this.#tracer.start(...given);
      return span === undefined ? undefined : this.guarded(span);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  active(): TraceContext | undefined {
    try {
      return this.#tracer.active();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Returns a span that does not throw, also of one that a host made itself. */
  guarded(span: Span): Span {
    return span instanceof GuardedSpan ? span : new GuardedSpan(span, this.#report);
  }
}

/** Place of a span that has none: others begin a new trace. */
const noPlace: TraceContext = { traceparent: '' };

class GuardedSpan implements Span {
  /** Undefined for a span that could not be started. */
  readonly #span: Span | undefined;
  readonly #report: Report;

  constructor(span: Span | undefined, report: Report) {
    this.#span = span;
    this.#report = report;
  }

  get context(): TraceContext {
    return this.#tried((span) => span.context) ?? noPlace;
  }

  get traceId(): string {
    return this.#tried((span) => span.traceId) ?? '';
  }

  start(name: string, kind: SpanKind, attributes?: SpanAttributes): Span {
    return new GuardedSpan(
      this.#tried((span) => span.start(name, kind, attributes)),
      this.#report,
    );
  }

  set(attributes: SpanAttributes): void {
    this.#tried((span) => span.set(attributes));
  }

  traceparentFor(receiver: URL | 'workers'): string | undefined {
    return this.#tried((span) => span.traceparentFor(receiver));
  }

  run<T>(work: () => T): T {
    if (this.#span === undefined) return work();
    let hasBegun = false;
    try {
      return this.#span.run(() => {
        hasBegun = true;
        return work();
      });
    } catch (error) {
      if (hasBegun) throw error;
      this.#report(error);
      return work();
    }
  }

  end(errorType?: string): void {
    this.#tried((span) => span.end(errorType));
  }

  #tried<T>(use: (span: Span) => T): T | undefined {
    if (this.#span === undefined) return undefined;
    try {
      return use(this.#span);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }
}
