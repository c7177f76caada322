import type { CallTrace, TraceContext } from './span.ts';

/** Version, then ids and flags (W3C Trace Context, 3.2.2): lower case, and no id of zeros. */
const traceparentPattern = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

/** Maximum length of a passed-on `tracestate` (W3C Trace Context, 3.3.1.5). */
const maxTracestate = 512;

const tracestatePattern = /^[\t\x20-\x7e]+$/;

/** Returns the context of these texts, checked, in version 00. Undefined for a malformed `traceparent`: the trace then begins anew. */
export function traceContext({
  traceparent,
  tracestate,
}: {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}): TraceContext | undefined {
  const [, version, place, more] = (typeof traceparent === 'string' && traceparentPattern.exec(traceparent)) || [];
  // Later versions may have more fields (4), version 00 has none.
  if (place === undefined || (version === '00' && more !== undefined)) return undefined;
  const isKept = typeof tracestate === 'string' && tracestate.length <= maxTracestate && tracestatePattern.test(tracestate);
  return { traceparent: `00-${place}`, ...(isKept ? { tracestate } : {}) };
}

/** Returns the place of a call's trace, for work that continues it later. Undefined for a malformed one. */
export function placeOf(trace: CallTrace): TraceContext | undefined {
  return traceContext('start' in trace ? trace.context : 'within' in trace ? trace.within.context : trace);
}
