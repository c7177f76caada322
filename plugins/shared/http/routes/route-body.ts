import type { IncomingMessage } from 'node:http';
import type { HttpRoute, HttpRouteRequest } from '../../../../kernel/index.ts';
import { strictUtf8 } from '../../text/utf8.ts';
import { readBody } from '../read-body.ts';
import type { RequestRefusal } from '../refusal.ts';

/** The body of a request, as its route takes it. */
export type RouteBody = Pick<HttpRouteRequest, 'form' | 'text'>;

/** Default maximum size of a body. Forms of logins and answers of programs have a few fields. */
const defaultMaxBytes = 64 * 1024;

const kinds = {
  form: { type: /^application\/x-www-form-urlencoded\s*(;|$)/i, noun: 'form', expected: 'application/x-www-form-urlencoded' },
  json: { type: /^application\/json\s*(;|$)/i, noun: 'JSON', expected: 'application/json' },
} as const;

/** Reads the body of a request, empty without one. Returns a refusal for a body that the route does not take. Rejects when the client disconnects. */
export async function readRouteBody(
  request: IncomingMessage,
  { body: kind = 'form', maxBodyBytes = defaultMaxBytes }: Pick<HttpRoute, 'body' | 'maxBodyBytes'>,
): Promise<RouteBody | RequestRefusal> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return bodyOf('', kind);
  const { type, noun, expected } = kinds[kind];
  if (!type.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined)
    return {
      status: 415,
      reason: 'type',
      message: `The body must be ${kind === 'form' ? 'a form' : noun}, sent as it is: expected ${expected}.`,
    };
  const { chunks, size } = await readBody(request, maxBodyBytes);
  if (size > maxBodyBytes) return { status: 413, message: `The ${noun} has ${size} bytes; at most ${maxBodyBytes} are taken.` };
  // A signature covers the mark as well.
  const text = strictUtf8(Buffer.concat(chunks), { keepsMark: kind === 'json' });
  return text === undefined ? { status: 400, reason: 'encoding', message: `The ${noun} is not UTF-8.` } : bodyOf(text, kind);
}

function bodyOf(text: string, kind: NonNullable<HttpRoute['body']>): RouteBody {
  return kind === 'json' ? { form: new URLSearchParams(), text } : { form: new URLSearchParams(text) };
}
