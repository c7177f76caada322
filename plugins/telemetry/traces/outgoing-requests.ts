import { messageOf, type OutboundFetch, type Span, ToolkitError, toUrl } from '../../../kernel/index.ts';
import type { Propagation } from './propagation.ts';

/**
 * Returns a wrapper of `fetch` with a CLIENT span for each request, which has the method, the host and the status, never the path, the query or a
 * header. Hosts of `propagation` get `traceparent`, and nothing else of the trace.
 */
export function tracedFetch(propagation: Propagation): (next: OutboundFetch) => OutboundFetch {
  return (next) => async (input, init, options) => {
    const parent = options?.span;
    if (parent === undefined) return next(input, init, options);
    const url = input instanceof Request ? new URL(input.url) : toUrl(input);
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const span = parent.start(methodName(method), 'client', {
      'http.request.method': methodName(method) === 'HTTP' ? '_OTHER' : method,
      'server.address': url.hostname,
      'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      'url.scheme': url.protocol.slice(0, -1),
    });
    try {
      const response = await span.run(() => next(input, propagation.includes(url) ? withParent(input, init, span) : init, options));
      span.set({ 'http.response.status_code': response.status });
      span.end(response.status >= 400 ? String(response.status) : undefined);
      return response;
    } catch (error) {
      span.end(ToolkitError.is(error) ? error.code : error instanceof Error ? error.name : messageOf(error).slice(0, 50));
      throw error;
    }
  };
}

const knownMethods: ReadonlySet<string> = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE']);

/** Returns the name of the span (semantic conventions for HTTP): `HTTP` for a method that is not known. */
function methodName(method: string): string {
  return knownMethods.has(method) ? method : 'HTTP';
}

function withParent(input: string | URL | Request, init: RequestInit | undefined, span: Span): RequestInit {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('traceparent', span.context.traceparent);
  return { ...init, headers };
}
