import { type CallContext, parseUrl, type Span } from '../../../kernel/index.ts';
import type { ServerSettings } from '../settings.ts';

/** The span of a request to a server, with the `traceparent` that the server gets. */
export interface RequestSpan {
  readonly span: Span;
  readonly traceparent: string | undefined;
}

/** Starts the CLIENT span of a call (semantic conventions for MCP). Undefined where no plugin traces. A program of this machine counts as a worker. */
export function requestSpan(
  { span: parent }: Pick<CallContext, 'span'>,
  { url }: Pick<ServerSettings, 'url'>,
  tool: string,
): RequestSpan | undefined {
  const span = parent?.start(`tools/call ${tool}`, 'client', {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'network.transport': url === undefined ? 'pipe' : 'tcp',
  });
  if (span === undefined) return undefined;
  const receiver = url === undefined ? 'workers' : parseUrl(url);
  return { span, traceparent: receiver === undefined ? undefined : span.traceparentFor(receiver) };
}
