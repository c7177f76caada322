import { AsyncLocalStorage } from 'node:async_hooks';
import {
  apiVersion,
  definePlugin,
  type Plugin,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type TraceContext,
  type Tracer,
  traceContext,
} from '../../kernel/index.ts';

/** A tracer that keeps every span. Its active span follows asynchronous work, as that of an SDK. */
export class RecordingTracer implements Tracer {
  /** In the order of their start. */
  readonly spans: RecordedSpan[] = [];
  readonly #active = new AsyncLocalStorage<RecordedSpan>();

  /** Returns a plugin that sets this tracer. */
  plugin(): Plugin {
    return definePlugin({ name: 'recording', apiVersion, apply: ({ extend }) => extend.tracer(this) })();
  }

  start(name: string, kind: SpanKind, options: Parameters<Tracer['start']>[2] = {}): Span {
    const given = options.parent === undefined ? this.#active.getStore() : traceContext(options.parent);
    return this.startWithin(given, name, kind, options.attributes?.());
  }

  active(): TraceContext | undefined {
    return this.#active.getStore()?.context;
  }

  startWithin(
    parent: RecordedSpan | TraceContext | undefined,
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes = {},
  ): RecordedSpan {
    const span = new RecordedSpan(this, { parent, name, kind, number: this.spans.length + 1 }, attributes);
    this.spans.push(span);
    return span;
  }

  runWithin<T>(span: RecordedSpan, work: () => T): T {
    return this.#active.run(span, work);
  }

  /** Returns the only span of this name. Throws for none or several. */
  only(name: string): RecordedSpan {
    const [span, ...others] = this.spans.filter((each) => each.name === name);
    if (span === undefined || others.length > 0) throw new Error(`Expected one span "${name}", there are: ${this.tree().join('; ')}.`);
    return span;
  }

  /** Returns a line for each span, `name` or `name !error`, with two spaces more for each span that it is within. `…` at its end: it has not ended. */
  tree(): readonly string[] {
    const linesOf = (parent: RecordedSpan | undefined, depth: number): readonly string[] =>
      this.spans
        .filter((span) => (span.parent instanceof RecordedSpan ? span.parent : undefined) === parent)
        .flatMap((span) => [`${'  '.repeat(depth)}${span.line}`, ...linesOf(span, depth + 1)]);
    return linesOf(undefined, 0);
  }
}

interface SpanFacts {
  /** A span of this tracer, or the place of one elsewhere. */
  readonly parent: RecordedSpan | TraceContext | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** From 1. */
  readonly number: number;
}

/** A span, with all that was said of it. */
export class RecordedSpan implements Span {
  readonly parent: SpanFacts['parent'];
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: TraceContext;
  readonly attributes: Record<string, string | number | boolean>;
  /** The error types of all ends: one for a span that is ended as it should be. */
  readonly ends: (string | undefined)[] = [];
  readonly #tracer: RecordingTracer;

  constructor(tracer: RecordingTracer, { parent, name, kind, number }: SpanFacts, attributes: SpanAttributes) {
    this.#tracer = tracer;
    this.parent = parent;
    this.name = name;
    this.kind = kind;
    this.attributes = { ...attributes };
    const within = parent instanceof RecordedSpan ? parent.context : parent;
    const traceId = within?.traceparent.slice(3, 35) ?? number.toString(16).padStart(32, 'a');
    const traceparent = `00-${traceId}-${number.toString(16).padStart(16, 'b')}-01`;
    this.context = { traceparent, ...(within?.tracestate === undefined ? {} : { tracestate: within.tracestate }) };
  }

  get traceId(): string {
    return this.context.traceparent.slice(3, 35);
  }

  get line(): string {
    const [error] = this.ends;
    return `${this.name}${error === undefined ? '' : ` !${error}`}${this.ends.length === 0 ? ' …' : ''}`;
  }

  start(name: string, kind: SpanKind, attributes?: SpanAttributes): Span {
    return this.#tracer.startWithin(this, name, kind, attributes);
  }

  traceparentFor(): string | undefined {
    return this.context.traceparent;
  }

  set(attributes: SpanAttributes): void {
    Object.assign(this.attributes, attributes);
  }

  run<T>(work: () => T): T {
    return this.#tracer.runWithin(this, work);
  }

  end(errorType?: string): void {
    this.ends.push(errorType);
  }
}
