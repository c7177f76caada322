import type { ServerResponse } from 'node:http';
import { describeValue, type HttpRouteResponse } from '../../../../../kernel/index.ts';
import type { HttpRefusal } from '../reply.ts';

/** Headers of every response. Forms of a page with the policy `no-referrer` would come with the Origin `null`. */
const safeHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Sends the response of a route. Throws for one that HTTP does not have, before anything is sent. */
export function sendRouteResponse(response: ServerResponse, { status, headers = {}, body = '' }: HttpRouteResponse): void {
  if (!Number.isInteger(status) || status < 200 || status > 599 || typeof body !== 'string')
    throw new TypeError(
      `The response is not one of HTTP: expected a status from 200 to 599 and a text, received ${describeValue(status)} and ${describeValue(body)}.`,
    );
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  response.writeHead(status, { ...safeHeaders, ...own, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Answers with a line for the person who opened the page. */
export function sendRouteRefusal(response: ServerResponse, { status, message, headers = {} }: HttpRefusal): void {
  sendRouteResponse(response, { status, headers, body: `${message}\n` });
}
