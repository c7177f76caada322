import { expect } from 'chai';
import sinon from 'sinon';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { type CallTool, httpTool } from '../http-tool.ts';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answering(
  { status, body = {}, headers = {} }: Answer,
  definition: Readonly<Record<string, unknown>> = {},
): Promise<CallTool> {
  const { url } = await loopback((_request, response) => {
    if (typeof body === 'string') response.writeHead(status, headers).end(body);
    else json(response, body, status, headers);
  });
  return httpTool({ execution: { url, headers: { Authorization: 'Bearer {API_TOKEN}' } }, env: { API_TOKEN: 't0ken-value' }, definition });
}

describe('executor-http: status of a failed answer', () => {
  afterEach(() => sinon.restore());

  const statuses: readonly { status: number; headers?: Record<string, string>; code: ErrorCode; retryable: boolean; says: string }[] = [
    { status: 400, code: 'BAD_REQUEST', retryable: false, says: 'malformed or refused' },
    { status: 401, code: 'AUTH_FAILED', retryable: false, says: 'the token is invalid or expired. Renew API_TOKEN' },
    { status: 402, code: 'BAD_REQUEST', retryable: false, says: 'malformed or refused' },
    {
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      retryable: false,
      says: 'insufficient scopes; the tool needs scope things:read, things:list',
    },
    { status: 403, headers: { 'retry-after': '30' }, code: 'RATE_LIMITED', retryable: true, says: 'too many requests' },
    { status: 403, headers: { 'x-ratelimit-remaining': '0' }, code: 'RATE_LIMITED', retryable: true, says: 'too many requests' },
    { status: 403, headers: { 'x-ratelimit-remaining': '12' }, code: 'INSUFFICIENT_SCOPE', retryable: false, says: 'insufficient scopes' },
    { status: 404, code: 'NOT_FOUND', retryable: false, says: 'does not exist, or the token may not see it' },
    { status: 405, code: 'BAD_REQUEST', retryable: false, says: 'malformed or refused' },
    { status: 409, code: 'BAD_REQUEST', retryable: false, says: 'conflicts with the current state' },
    { status: 423, code: 'BAD_REQUEST', retryable: false, says: 'locked for the moment' },
    { status: 410, code: 'NOT_FOUND', retryable: false, says: 'does not exist' },
    { status: 422, code: 'BAD_REQUEST', retryable: false, says: 'malformed or refused' },
    { status: 429, code: 'RATE_LIMITED', retryable: true, says: 'too many requests' },
    { status: 500, code: 'UPSTREAM_UNAVAILABLE', retryable: true, says: 'the service failed' },
    { status: 502, code: 'UPSTREAM_UNAVAILABLE', retryable: true, says: 'the service failed' },
    { status: 503, code: 'UPSTREAM_UNAVAILABLE', retryable: true, says: 'the service failed' },
    { status: 599, code: 'UPSTREAM_UNAVAILABLE', retryable: true, says: 'the service failed' },
  ];
  for (const { status, headers = {}, code, retryable, says } of statuses) {
    it(`answers ${status}${JSON.stringify(headers) === '{}' ? '' : ` with ${JSON.stringify(headers)}`} with ${code}`, async () => {
      const call = await answering({ status, headers }, { authentication: { required_scopes: ['things:read', 'things:list'] } });
      const error = await rejection(call(), code);
      expect(error.message).to.include(`answered ${status} to "probe"`).and.to.include(says);
      expect({ status: error.details.status, tool: error.details.tool, retryable: error.retryable }).to.deep.equal({
        status,
        tool: 'probe',
        retryable,
      });
    });
  }

  it('names the scopes that the tool has from its provider', async () => {
    const { url } = await loopback((_request, response) => json(response, {}, 403));
    const call = await httpTool({ execution: { url }, provider: { authentication: { required_scopes: ['things:read'] } } });
    const error = await rejection(call(), 'INSUFFICIENT_SCOPE');
    expect(error.message).to.include('the tool needs scope things:read');
  });

  const now = '2024-02-29T12:00:00Z';
  const waits = [
    { status: 429, headers: { 'retry-after': '7' }, ms: 7000 },
    { status: 503, headers: { 'retry-after': '0' }, ms: 0 },
    { status: 429, headers: { 'retry-after': 'Thu, 29 Feb 2024 12:01:30 GMT' }, ms: 90_000 },
    { status: 429, headers: { 'retry-after': 'Thu, 29 Feb 2024 11:00:00 GMT' }, ms: 0 },
    { status: 429, headers: { 'retry-after': 'soon' }, ms: undefined },
    { status: 429, headers: {}, ms: undefined },
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse(now) / 1000 + 60) }, ms: 60_000 },
    { status: 429, headers: { 'x-ratelimit-reset': '15' }, ms: 15_000 },
    { status: 429, headers: { 'retry-after': '5', 'x-ratelimit-reset': '15' }, ms: 5000 },
    { status: 500, headers: { 'x-ratelimit-reset': '15' }, ms: undefined },
  ];
  for (const { status, headers, ms } of waits) {
    it(`says to wait ${ms === undefined ? 'no certain time' : `${ms} ms`} for ${status} with ${JSON.stringify(headers)}`, async () => {
      const call = await answering({ status, headers });
      sinon.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).to.have.nested.property('details.status', status);
      expect((error as { details: { retryAfterMs?: number } }).details.retryAfterMs).to.equal(ms);
    });
  }
});

describe('executor-http: what the provider says', () => {
  const bodies = [
    { from: 'message', body: { message: 'No such thing' }, says: 'No such thing' },
    { from: 'error.message', body: { error: { code: 400, message: 'Bad range', status: 'INVALID' } }, says: 'Bad range' },
    { from: 'error', body: { ok: false, error: 'channel_not_found' }, says: 'channel_not_found' },
    {
      from: 'error_description before error',
      body: { error: 'invalid_grant', error_description: 'The grant is used up' },
      says: 'The grant is used up',
    },
    {
      from: 'detail before title (RFC 9457)',
      body: { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'Name is empty' },
      says: 'Name is empty',
    },
    { from: 'title', body: { title: 'Member Exists' }, says: 'Member Exists' },
    { from: 'the first of errors', body: { errors: [{ message: 'first' }, { message: 'second' }] }, says: 'first' },
    { from: 'errors as text', body: { errors: ['only text'] }, says: 'only text' },
    { from: 'errors of JSON:API', body: { errors: [{ status: '422', title: 'Invalid', detail: 'Too long' }] }, says: 'Too long' },
    { from: 'a list', body: [{ errorCode: 'X', message: 'in a list' }], says: 'in a list' },
    { from: 'a list of details', body: { detail: [{ loc: ['body', 'n'], msg: 'not a number' }] }, says: 'not a number' },
    {
      from: 'message and fields',
      body: {
        message: 'Validation Failed',
        errors: [
          { resource: 'Issue', field: 'title', code: 'missing_field' },
          { field: 'body', message: 'is too long' },
        ],
      },
      says: 'Validation Failed; title: missing_field; body: is too long',
    },
    {
      from: 'message and errors without a field',
      body: {
        message: 'Validation Failed',
        errors: [{ code: 'custom', message: 'There is one already' }, 'and it is open', { code: 'x' }],
      },
      says: 'Validation Failed; There is one already; and it is open',
    },
    { from: 'plain text', body: 'upstream connect error', says: 'upstream connect error' },
    {
      from: 'an HTML page',
      body: '<!DOCTYPE html><html><head><style>p{color:red}</style><title>502 Bad Gateway</title></head><body><!-- x --><script>alert(1)</script><h1>Bad\n gateway</h1></body></html>',
      headers: { 'content-type': 'text/html' },
      says: '502 Bad Gateway Bad gateway',
    },
    {
      from: 'JSON that does not parse',
      body: '{"message": "cut',
      headers: { 'content-type': 'application/json' },
      says: '{"message": "cut',
    },
    { from: 'nothing', body: '', says: undefined },
    { from: 'JSON without words', body: { code: 7, data: null }, says: undefined },
    { from: 'an image', body: '\u0089PNG', headers: { 'content-type': 'image/png' }, says: undefined },
  ];
  for (const { from, body, headers, says } of bodies) {
    it(`is found in ${from}`, async () => {
      const call = await answering({ status: 400, body, ...(headers === undefined ? {} : { headers }) });
      const error = await rejection(call(), 'BAD_REQUEST');
      expect(error.details['providerMessage']).to.equal(says);
      if (says === undefined) expect(error.message).to.not.include('It says');
      else
        expect(error.message)
          .to.match(/\. It says: /)
          .and.to.satisfy((message: string) => message.endsWith(says));
    });
  }

  it('is cut at 200 characters and put on one line', async () => {
    const call = await answering({ status: 500, body: { message: 'long\n'.repeat(100) } });
    const error = await rejection(call(), 'UPSTREAM_UNAVAILABLE');
    expect(error.details['providerMessage'])
      .to.have.lengthOf(200)
      .and.to.match(/^long long .*…$/);
  });

  it('does not hide the status when the page is larger than any limit', async () => {
    const { url } = await loopback((_request, response) => void response.writeHead(503).end('x'.repeat(300_000)));
    const call = await httpTool({ execution: { url }, maxResponseBytes: 1000 });
    const error = await rejection(call(), 'UPSTREAM_UNAVAILABLE');
    expect(error.details.status).to.equal(503);
  });

  it('does not hide the status when the page is cut off', async () => {
    const { url } = await loopback((_request, response) => {
      response.writeHead(404, { 'content-length': '100' });
      response.write('half a sen', () => response.destroy());
    });
    const call = await httpTool({ execution: { url } });
    const error = await rejection(call(), 'NOT_FOUND');
    expect(error.details.status).to.equal(404);
  });
});
