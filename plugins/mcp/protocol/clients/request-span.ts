import {
  isPlainObject,
  type Span,
  ToolkitError,
  type TraceContext,
  type Tracer,
  errorCodes as toolkitCodes,
  traceContext,
} from '../../../../kernel/index.ts';
import type { Request } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { attributesOf, nameOf, targetOf } from './span-attributes.ts';

interface TracedRequest {
  readonly tracer: Tracer;
  readonly connection: Connection;
  readonly request: Request;
  readonly exchange: Exchange;
}

/** Lasts as long as its client listens. Its span would end with the connection, as a failure. */
const untraced = 'subscriptions/listen';

/**
 * Runs a request within a SERVER span. Names and attributes are those of the semantic conventions for MCP
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/). The span of a call that becomes a task ends with the task. Notifications have none: all they
 * do is seen in the spans of the requests that they belong to.
 */
export function withSpan(
  { tracer, connection, request, exchange }: TracedRequest,
  answer: () => object | Promise<object>,
): object | Promise<object> {
  if (request.method === untraced) return answer();
  const target = targetOf(connection, request);
  const span = tracer.start(nameOf(connection, request, target), 'server', {
    parent: parentOf(tracer, request, exchange),
    attributes: () => attributesOf(connection, request, exchange, target),
  });
  if (span === undefined) return answer();
  exchange.context.span = span;
  const end = new SpanEnd(span, exchange, request.method === 'tools/call');
  try {
    const result = span.run(answer);
    if (!(result instanceof Promise)) return end.completed(result);
    return result.then(
      (given) => end.completed(given),
      (error: unknown) => end.failed(error),
    );
  } catch (error) {
    return end.failed(error);
  }
}

/**
 * Returns the place of the client in its trace: by `_meta`, else by the headers of HTTP. Undefined for the active span, also where a host's own
 * instrumentation of HTTP has made that of the headers.
 */
function parentOf(tracer: Tracer, { params = {} }: Request, { context }: Exchange): TraceContext | undefined {
  const meta = params['_meta'];
  const own = isPlainObject(meta) ? traceContext(meta) : undefined;
  const given = own ?? traceContext(context.arrival.trace ?? {});
  if (given === undefined || own !== undefined) return given;
  return traceIdIn(tracer.active()) === traceIdIn(given) ? undefined : given;
}

function traceIdIn(place: TraceContext | undefined): string | undefined {
  return place?.traceparent.slice(3, 35);
}

/** The end of a request's span. */
class SpanEnd {
  readonly #span: Span;
  readonly #exchange: Exchange;
  readonly #isCall: boolean;

  constructor(span: Span, exchange: Exchange, isCall: boolean) {
    this.#span = span;
    this.#exchange = exchange;
    this.#isCall = isCall;
  }

  completed(result: object): object {
    const { isError, _meta } = result as { readonly isError?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
    const isFailed = this.#isCall && isError === true;
    const facts = isFailed ? _meta?.['toolkit/error'] : undefined;
    const code = isPlainObject(facts) ? facts['code'] : undefined;
    if (typeof code === 'string' && Object.hasOwn(toolkitCodes, code)) this.#span.set({ 'toolkit.error.code': code });
    // The value that the conventions name for a result with `isError`.
    this.#end(isFailed ? 'tool_error' : undefined);
    return result;
  }

  failed(error: unknown): never {
    if (RpcError.is(error)) {
      this.#span.set({ 'rpc.response.status_code': String(error.code) });
      this.#end(String(error.code));
    } else this.#end(ToolkitError.is(error) ? error.code : '_OTHER');
    throw error;
  }

  #end(errorType: string | undefined): void {
    this.#span.end(this.#exchange.isAborted ? 'cancelled' : errorType);
  }
}
