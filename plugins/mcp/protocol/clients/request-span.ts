import { createHash } from 'node:crypto';
import { isPlainObject, type Span, type SpanAttributes, ToolkitError, traceContext } from '../../../../kernel/index.ts';
import type { Request } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';

/** Maximum length of an id or a URI in an attribute. */
const maxText = 200;

/**
 * Runs a request within a SERVER span, where a plugin traces. Names and attributes are those of the semantic conventions for MCP
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/). It has no argument and no result, and of the session a hash alone.
 */
export function withSpan(
  connection: Connection,
  request: Request,
  exchange: Exchange,
  answer: () => object | Promise<object>,
): object | Promise<object> {
  const { kernel } = connection.catalog;
  if (kernel.tracer === undefined) return answer();
  const { params = {} } = request;
  const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
  const parent = traceContext(meta) ?? traceContext(exchange.context.arrival.trace ?? {});
  const target = targetOf(connection, request);
  const span = kernel.tracer.start(target?.isInName === true ? `${request.method} ${target.value}` : request.method, 'server', {
    parent,
    attributes: () => kernel.mask(attributesOf(connection, request, exchange, target)),
  });
  if (span === undefined) return answer();
  exchange.context.span = span;
  try {
    const result = span.run(answer);
    if (!(result instanceof Promise)) return ended(span, exchange, result);
    return result.then(
      (given) => ended(span, exchange, given),
      (error: unknown) => {
        endFailed(span, error);
        throw error;
      },
    );
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
}

/** What a request is about: a known tool or prompt, which is in the name of the span too, or a resource. */
interface Target {
  readonly attribute: string;
  readonly value: string;
  readonly isInName: boolean;
}

function targetOf({ catalog }: Connection, { method, params = {} }: Request): Target | undefined {
  const { name, uri } = params;
  if (method === 'resources/read' || method === 'resources/subscribe' || method === 'resources/unsubscribe')
    return typeof uri === 'string' ? { attribute: 'mcp.resource.uri', value: uri.slice(0, maxText), isInName: false } : undefined;
  if (typeof name !== 'string') return undefined;
  // A name that no tool has is the client's own text.
  if (method === 'tools/call' && catalog.kernel.registry.tools.has(name))
    return { attribute: 'gen_ai.tool.name', value: name, isInName: true };
  if (method === 'prompts/get' && catalog.kernel.registry.prompts.has(name))
    return { attribute: 'gen_ai.prompt.name', value: name, isInName: true };
  return undefined;
}

function attributesOf(
  { revision }: Connection,
  { id, method }: Request,
  { context }: Exchange,
  target: Target | undefined,
): SpanAttributes {
  const { network = 'pipe', session } = context.arrival;
  return {
    'mcp.method.name': method,
    'mcp.protocol.version': revision.version,
    'jsonrpc.request.id': String(id).slice(0, maxText),
    'network.transport': network,
    ...(network === 'tcp' ? { 'network.protocol.name': 'http' } : {}),
    ...(method === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(target === undefined ? {} : { [target.attribute]: target.value }),
    ...(session === undefined ? {} : { 'mcp.session.id': hashed(session) }),
  };
}

/** Whoever has a session id may use the session, so that only its hash is shown: 16 hexadecimal digits of SHA-256. */
function hashed(session: string): string {
  return createHash('sha256').update(session).digest('hex').slice(0, 16);
}

function ended(span: Span, exchange: Exchange, result: object): object {
  const { isError, _meta } = result as { readonly isError?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  const facts = _meta?.['toolkit/error'];
  const code = isPlainObject(facts) ? facts['code'] : undefined;
  if (typeof code === 'string') span.set({ 'toolkit.error.code': code });
  if (exchange.isAborted) span.end('cancelled');
  // The value that the conventions name for a result with `isError`.
  else span.end(isError === true ? 'tool_error' : undefined);
  return result;
}

function endFailed(span: Span, error: unknown): void {
  if (error instanceof RpcError) {
    span.set({ 'rpc.response.status_code': String(error.code) });
    span.end(String(error.code));
  } else span.end(ToolkitError.is(error) ? error.code : '_OTHER');
}
