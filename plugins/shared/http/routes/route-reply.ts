import type { ServerResponse } from 'node:http';
import { describeValue, type HttpRouteResponse } from '../../../../kernel/index.ts';
import type { RequestRefusal } from '../refusal.ts';

/** Headers of every response. Forms of a page with the policy `no-referrer` would come with the Origin `null`. */
const safeHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Sends a response of one text, or of bytes. Throws for one that HTTP does not have, before anything is sent. */
export function sendRouteResponse(response: ServerResponse, { status, headers, body = '' }: HttpRouteResponse): void {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(`Expected a text, bytes or a stream of texts as the body, received ${describeValue(body)}.`);
  const all = headOf({ status, headers });
  response.writeHead(status, { ...all, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Sends the head of a response whose body comes bit by bit. Throws for one that HTTP does not have, before anything is sent. */
export function sendStreamHead(response: ServerResponse, { status, headers }: HttpRouteResponse): void {
  response.writeHead(status, headOf({ status, headers })).flushHeaders();
}

/** Answers with a line for the person who opened the page. */
export function sendRouteRefusal(response: ServerResponse, { status, message, headers = {} }: RequestRefusal): void {
  sendRouteResponse(response, { status, headers, body: `${message}\n` });
}

function headOf({
  status,
  headers = {},
}: Pick<HttpRouteResponse, 'status'> & { readonly headers: HttpRouteResponse['headers'] | undefined }) {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`Expected a status of HTTP from 200 to 599, received ${describeValue(status)}.`);
  return { ...safeHeaders, ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) };
}
