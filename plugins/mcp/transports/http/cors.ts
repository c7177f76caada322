import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowedHeaders } from './request-headers.ts';

/** Time that a browser may cache a preflight response, in seconds. */
const maxAgeSeconds = 600;

/**
 * Allows the page of a checked origin to read the response (Fetch standard, CORS protocol). Not called for a POST without an origin, whose
 * handler adds `Vary: Origin` itself: headers set one by one cost more than headers written together.
 */
export function allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'Origin');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After');
}

/** Answers a preflight. `more`: headers that pages may send in addition to those that the server reads. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, more: readonly string[]): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': [...allowedHeaders(request), ...more].join(', '),
      'access-control-max-age': String(maxAgeSeconds),
    })
    .end();
}
