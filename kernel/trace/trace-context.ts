import type { TraceContext } from './span.ts';

/** Version 00 and later ones, which may have more at the end (W3C Trace Context, 3.2.2 and 4). Ids of zeros are invalid. */
const traceparentPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.{0,100})?$/;

/** Maximum length of a passed-on `tracestate` (W3C Trace Context, 3.3.1.5). */
const maxTracestate = 512;

/** Returns the context of these texts, checked. Undefined for a malformed `traceparent`: the trace then begins anew. */
export function traceContext({
  traceparent,
  tracestate,
}: {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}): TraceContext | undefined {
  if (typeof traceparent !== 'string' || !traceparentPattern.test(traceparent)) return undefined;
  const isKept =
    typeof tracestate === 'string' && tracestate !== '' && tracestate.length <= maxTracestate && /^[\x20-\x7e]*$/.test(tracestate);
  return { traceparent, ...(isKept ? { tracestate } : {}) };
}
