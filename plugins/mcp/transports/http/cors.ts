import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowedHeaders } from './request-headers.ts';

/** How long a browser may keep the answer to its preflight, in seconds. */
const maxAgeSeconds = 600;

/**
 * Lets the page of an origin that has been checked read the answer (Fetch standard, CORS protocol). What answers a POST says by itself that it
 * depends on the origin: headers that are set one by one cost more than those that are written together.
 */
export function allowOrigin({ method, headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (method === 'POST' && origin === undefined) return;
  response.setHeader('vary', 'Origin');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After');
}

/** `more`: headers that pages may send beside those that are read here. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, more: readonly string[]): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': [...allowedHeaders(request), ...more].join(', '),
      'access-control-max-age': String(maxAgeSeconds),
    })
    .end();
}
