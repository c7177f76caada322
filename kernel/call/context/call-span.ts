import type { Span, TraceContext, Tracer } from '../../trace/span.ts';

/** The span of a call: its host's, or one of its own. */
export interface CallSpan {
  readonly span: Span;
  /** True when it ends with the call. */
  readonly isOwn: boolean;
}

/** Returns the span of a call: that of its host, else a new one in the given trace. The names are those of the semantic conventions for generative AI. */
export function callSpan(tracer: Tracer, tool: string, trace: Span | TraceContext | undefined): CallSpan | undefined {
  if (trace !== undefined && 'start' in trace) return { span: trace, isOwn: false };
  const attributes = () => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool });
  const span = tracer.start(`execute_tool ${tool}`, 'internal', { parent: trace, attributes });
  return span === undefined ? undefined : { span, isOwn: true };
}
