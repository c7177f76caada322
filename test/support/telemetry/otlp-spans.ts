import { Message } from './protobuf.ts';

export type AttributeValue = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>> | undefined;

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly name: string;
  readonly kind: 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the first span of a trace. */
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly status: { readonly code: 'unset' | 'ok' | 'error'; readonly message?: string };
  readonly resource: Attributes;
  /** Name of the tracer. */
  readonly scope: string;
  readonly durationNs: bigint;
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const codes = ['unset', 'ok', 'error'] as const;

/** Returns the spans of an `ExportTraceServiceRequest` (opentelemetry-proto 1.x, `trace.proto` and `common.proto`). */
export function spansOf(body: Uint8Array): CollectedSpan[] {
  return new Message(body).messages(1).flatMap((resourceSpans) => {
    const resource = attributesOf(resourceSpans.messages(1).flatMap((message) => message.messages(1)));
    return resourceSpans.messages(2).flatMap((scopeSpans) => {
      const scope = scopeSpans.messages(1)[0]?.text(1) ?? '';
      return scopeSpans.messages(2).map((span) => spanOf(span, resource, scope));
    });
  });
}

function spanOf(span: Message, resource: Attributes, scope: string): CollectedSpan {
  const status = span.messages(15)[0];
  const message = status?.text(2) ?? '';
  return {
    name: span.text(5),
    kind: kinds[Number(span.number(6))] ?? 'unspecified',
    traceId: span.hex(1),
    spanId: span.hex(2),
    ...(span.hex(4) === '' ? {} : { parentSpanId: span.hex(4) }),
    ...(span.text(3) === '' ? {} : { traceState: span.text(3) }),
    attributes: attributesOf(span.messages(9)),
    events: span.messages(11).map((event) => ({ name: event.text(2), attributes: attributesOf(event.messages(3)) })),
    status: { code: codes[Number(status?.number(3) ?? 0n)] ?? 'unset', ...(message === '' ? {} : { message }) },
    resource,
    scope,
    durationNs: span.number(8) - span.number(7),
  };
}

function attributesOf(pairs: readonly Message[]): Attributes {
  return Object.fromEntries(pairs.map((pair) => [pair.text(1), pair.messages(2).map(anyValue)[0]]));
}

/** Returns an `AnyValue`. Integers are numbers here. */
function anyValue(value: Message): AttributeValue {
  if (value.has(1)) return value.text(1);
  if (value.has(2)) return value.number(2) !== 0n;
  if (value.has(3)) return Number(BigInt.asIntN(64, value.number(3)));
  if (value.has(4)) return value.double(4);
  if (value.has(5)) return value.messages(5).flatMap((list) => list.messages(1).map(anyValue));
  if (value.has(6)) return value.messages(6).map((list) => attributesOf(list.messages(1)))[0];
  return value.has(7) ? value.hex(7) : undefined;
}
