import type { ErrorCode } from '../../../kernel/index.ts';
import type { SeenRequest } from '../../support/loopback.ts';
import type { DescribedTool } from './sources.ts';
import type { Answerer } from './stand-in.ts';
import { vendorError } from './vendor-errors.ts';

/** A way for a call to fail, and what the caller must be told. */
export interface Failure {
  readonly title: string;
  readonly code: ErrorCode;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The message repeats what the vendor says. */
  readonly saysWhy?: boolean;
  readonly answer: Answerer;
}

interface StatusCase {
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
  /** The vendor's own code. */
  readonly reason?: string;
  /** Only what this provider does. */
  readonly only?: string;
}

const statuses: readonly StatusCase[] = [
  { status: 400, code: 'BAD_REQUEST' },
  { status: 401, code: 'AUTH_FAILED' },
  { status: 403, code: 'INSUFFICIENT_SCOPE' },
  { status: 404, code: 'NOT_FOUND' },
  { status: 409, code: 'BAD_REQUEST' },
  { status: 422, code: 'BAD_REQUEST' },
  { status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '7' }, retryAfterMs: 7000 },
  { status: 429, code: 'RATE_LIMITED' },
  { status: 500, code: 'UPSTREAM_UNAVAILABLE' },
  { status: 503, code: 'UPSTREAM_UNAVAILABLE', headers: { 'retry-after': '7' }, retryAfterMs: 7000 },
  { status: 403, code: 'RATE_LIMITED', headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' }, only: 'github' },
  { status: 403, code: 'RATE_LIMITED', headers: { 'retry-after': '60' }, retryAfterMs: 60_000, only: 'github' },
  { status: 403, code: 'RATE_LIMITED', reason: 'userRateLimitExceeded', only: 'gmail' },
];

/** Returns a refusal of the vendor that repeats the credential, as some do. */
export function refusal({ headers }: SeenRequest): string {
  return `No such luck with ${headers.authorization ?? 'nobody'}`;
}

/** Failures that every tool tells apart. */
export function failuresOf({ tool, operation }: DescribedTool): readonly Failure[] {
  const isEmpty = operation.answers.some(({ schema }) => schema === undefined);
  return [
    ...statuses
      .filter(({ only }) => only === undefined || only === tool.provider)
      .map(({ status, code, headers = {}, retryAfterMs, reason }): Failure => {
        const noted = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        return {
          title: [status, reason, ...noted].filter((part) => part !== undefined).join(', '),
          code,
          status,
          saysWhy: true,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
          answer: (request, response) => {
            const { contentType, body } = vendorError(tool.provider, status, refusal(request), reason);
            response.writeHead(status, { ...headers, 'content-type': contentType }).end(JSON.stringify(body));
          },
        };
      }),
    ...brokenAnswers,
    ...(isEmpty
      ? []
      : [{ title: '200 with an empty body', code: 'OUTPUT_INVALID', answer: withBody(200, 'application/json', '') } as const]),
  ];
}

const page = '<!DOCTYPE html><html><head><style>body { color: red }</style></head><body><h1>Bad gateway</h1></body></html>';

const brokenAnswers: readonly Failure[] = [
  {
    title: 'a connection that ends in the middle of the answer',
    code: 'UPSTREAM_UNAVAILABLE',
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4000' });
      response.write('{"ok": true, "id": "12', () => response.destroy());
    },
  },
  {
    title: 'a connection that ends before the answer',
    code: 'UPSTREAM_UNAVAILABLE',
    answer: (_, response) => void response.destroy(),
  },
  { title: '200 with half a JSON text', code: 'OUTPUT_INVALID', answer: withBody(200, 'application/json', '{"ok": true, "id": "12') },
  { title: '200 with a page for people', code: 'OUTPUT_INVALID', answer: withBody(200, 'text/html; charset=utf-8', page) },
  { title: '502 with a page for people', code: 'UPSTREAM_UNAVAILABLE', status: 502, answer: withBody(502, 'text/html', page) },
];

function withBody(status: number, contentType: string, body: string): Answerer {
  return (_, response) => void response.writeHead(status, { 'content-type': contentType }).end(body);
}
