import { errorTypeOf, type OutboundFetch, parseUrl } from '../../../kernel/index.ts';

export interface TracedFetchOptions {
  /** Masks the secrets of the kernel. */
  readonly mask: <T>(value: T) => T;
  /** Returns true where a guard takes headers from a request that is redirected to another origin. */
  readonly isGuarded: () => boolean;
}

/**
 * Returns a wrapper of `fetch` with a CLIENT span for each request of a call, which has the method, the host and the status, never the path, the
 * query or a header. Hosts to which the operator passes traces on get `traceparent`, and nothing else.
 */
export function tracedFetch({ mask, isGuarded }: TracedFetchOptions): (next: OutboundFetch) => OutboundFetch {
  return (next) => async (input, init, options) => {
    const url = options?.span === undefined ? undefined : parseUrl(input instanceof Request ? input.url : String(input));
    if (options?.span === undefined || url === undefined) return next(input, init, options);
    const method = knownMethod(String(init?.method ?? (input instanceof Request ? input.method : 'GET')));
    const span = options.span.start(method ?? 'HTTP', 'client', {
      'http.request.method': method ?? '_OTHER',
      'server.address': (options.mask ?? mask)(url.hostname),
      'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      'url.scheme': url.protocol.slice(0, -1),
    });
    const follows = (init?.redirect ?? (input instanceof Request ? input.redirect : 'follow')) === 'follow';
    // fetch itself would pass the header on to whichever host answers with a redirect.
    const traceparent = follows && !isGuarded() ? undefined : span.traceparentFor(url);
    try {
      const sent = traceparent === undefined ? init : withParent(input, init, traceparent);
      const response = await span.run(() => next(input, sent, options));
      span.set({ 'http.response.status_code': response.status });
      span.end(response.status >= 400 ? String(response.status) : undefined);
      return response;
    } catch (error) {
      span.end(errorTypeOf(error));
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

/** Returns a method that the semantic conventions for HTTP know, in capitals. */
function knownMethod(method: string): string | undefined {
  const name = method.toUpperCase();
  return knownMethods.has(name) ? name : undefined;
}

/** Returns the request with our `traceparent`, in place of one that the tool has set, whose `tracestate` would be about another span. */
function withParent(input: string | URL | Request, init: RequestInit | undefined, traceparent: string): RequestInit {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('traceparent', traceparent);
  headers.delete('tracestate');
  return { ...init, headers };
}
