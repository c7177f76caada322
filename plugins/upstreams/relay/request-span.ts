import { type JsonObject, parseUrl, type ReadContext, type Span, type SpanAttributes, ToolkitError } from '../../../kernel/index.ts';
import { connectionError } from '../connect/connection-error.ts';
import type { Connection } from '../connection.ts';
import type { ServerSettings } from '../settings.ts';

/** A request to a server, as its span names it. */
export interface TracedRequest {
  readonly method: string;
  /** The tool or the prompt that it names: a few, as the server lists them. */
  readonly target?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** The server of a request, and the connection on which it goes out. */
export interface TracedServer {
  readonly upstream: {
    readonly settings: Pick<ServerSettings, 'name' | 'url'>;
    mask<T>(value: T): T;
  };
  readonly connection: Pick<Connection, 'version'>;
}

/**
 * Sends a request within a CLIENT span, where a plugin traces. Names and attributes are those of the semantic conventions for MCP
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/). `send` gets the `traceparent` for the `_meta` of the request, where the operator
 * passes traces on to this server.
 */
export async function withRequestSpan(
  { span: parent, signal }: Pick<ReadContext, 'span' | 'signal'>,
  server: TracedServer,
  { method, target, attributes = {} }: TracedRequest,
  send: (traceparent: string | undefined) => Promise<JsonObject>,
): Promise<JsonObject> {
  const name = target === undefined ? method : `${method} ${target}`;
  if (parent === undefined) return send(undefined);
  const { upstream } = server;
  const span = parent.start(name, 'client', upstream.mask({ 'mcp.method.name': method, ...attributes, ...serverAttributes(server) }));
  try {
    const result = await send(traceparentFor(span, upstream.settings));
    // The value that the conventions name for a result with `isError`.
    span.end(result['isError'] === true ? 'tool_error' : undefined);
    return result;
  } catch (error) {
    endFailed(span, signal.aborted ? signal.reason : error, server);
    throw error;
  }
}

function serverAttributes({ upstream, connection: { version } }: TracedServer): SpanAttributes {
  const { url } = upstream.settings;
  const address = url === undefined ? undefined : parseUrl(url);
  return {
    'network.transport': url === undefined ? 'pipe' : 'tcp',
    ...(url === undefined ? {} : { 'network.protocol.name': 'http' }),
    ...(version === undefined ? {} : { 'mcp.protocol.version': version }),
    ...(address === undefined
      ? {}
      : { 'server.address': address.hostname, 'server.port': Number(address.port || (address.protocol === 'https:' ? 443 : 80)) }),
  };
}

/** Returns the `traceparent` for a server: a program of this machine counts as a worker, an address as a service. */
function traceparentFor(span: Span, { url }: Pick<ServerSettings, 'url'>): string | undefined {
  const receiver = url === undefined ? 'workers' : parseUrl(url);
  return receiver === undefined ? undefined : span.traceparentFor(receiver);
}

function endFailed(span: Span, error: unknown, { upstream }: TracedServer): void {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code === 'number' && code < 0) {
    span.set({ 'rpc.response.status_code': String(code) });
    span.end(String(code));
  } else span.end(ToolkitError.is(error) ? error.code : connectionError(error, upstream.settings.name).code);
}
