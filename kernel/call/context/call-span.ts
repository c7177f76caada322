import type { GuardedTracer } from '../../trace/guarded-tracer.ts';
import type { CallTrace, Span, Tracer } from '../../trace/span.ts';
import { placeOf } from '../../trace/trace-context.ts';

/** The span of a call: its host's, or one of its own. */
export interface CallSpan {
  readonly span: Span;
  /** True when it ends with the call. */
  readonly isOwn: boolean;
}

/** Returns the span of a call: that of its host, else a new one in the given trace. The names are those of the semantic conventions for generative AI. */
export function callSpan(tracer: GuardedTracer, tool: string, trace: CallTrace | undefined): CallSpan | undefined {
  if (trace !== undefined && 'start' in trace) return { span: tracer.guarded(trace), isOwn: false };
  const name = `execute_tool ${tool}`;
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool };
  const span =
    trace !== undefined && 'within' in trace
      ? tracer.guarded(trace.within).start(name, 'internal', attributes)
      : tracer.start(name, 'internal', { parent: trace, attributes: () => attributes });
  return span === undefined ? undefined : { span, isOwn: true };
}

/** Returns the id of the trace that a call without a span of its own is in. */
export function traceIdOf(trace: CallTrace | undefined, tracer: Tracer | undefined): string | undefined {
  const place = trace === undefined ? tracer?.active() : placeOf(trace);
  return place?.traceparent.slice(3, 35);
}
