import { messageOf, type OutboundFetch, ToolkitError, toUrl } from '../../../kernel/index.ts';

/**
 * Returns a wrapper of `fetch` with a CLIENT span for each request, which has the method, the host and the status, never the path, the query or a
 * header. Hosts to which the operator passes traces on get `traceparent`, and nothing else.
 */
export function tracedFetch(mask: <T>(value: T) => T): (next: OutboundFetch) => OutboundFetch {
  return (next) => async (input, init, options) => {
    const parent = options?.span;
    if (parent === undefined) return next(input, init, options);
    const url = input instanceof Request ? new URL(input.url) : toUrl(input);
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const span = parent.start(methodName(method), 'client', {
      'http.request.method': methodName(method) === 'HTTP' ? '_OTHER' : method,
      'server.address': mask(url.hostname),
      'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      'url.scheme': url.protocol.slice(0, -1),
    });
    try {
      const response = await span.run(() => next(input, withParent(input, init, span.traceparentFor(url)), options));
      span.set({ 'http.response.status_code': response.status });
      span.end(response.status >= 400 ? String(response.status) : undefined);
      return response;
    } catch (error) {
      span.end(ToolkitError.is(error) ? error.code : error instanceof Error ? error.name : messageOf(error).slice(0, 50));
      throw error;
    }
  };
}

const knownMethods: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);

/** Returns the name of the span (semantic conventions for HTTP): `HTTP` for a method that is not known. */
function methodName(method: string): string {
  return knownMethods.has(method) ? method : 'HTTP';
}

function withParent(
  input: string | URL | Request,
  init: RequestInit | undefined,
  traceparent: string | undefined,
): RequestInit | undefined {
  if (traceparent === undefined) return init;
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('traceparent', traceparent);
  return { ...init, headers };
}
