import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { type CallTool, httpTool } from '../http-tool.ts';

interface Answer {
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const secret = 't0ken-value';

async function answering({ body, status = 200, headers = {} }: Answer, errorWhen: object): Promise<CallTool> {
  const { url } = await loopback((_request, response) => {
    if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
    else json(response, body, status, headers);
  });
  const execution = { url, headers: { Authorization: 'Bearer {API_TOKEN}' } };
  return httpTool({ execution, env: { API_TOKEN: secret }, definition: { error_when: errorWhen } });
}

describe('executor-http: error_when', () => {
  const conditions: readonly { rule: object; error?: readonly unknown[]; fine?: readonly unknown[] }[] = [
    { rule: { path: 'ok', equals: false }, error: [{ ok: false }], fine: [{ ok: true }, { ok: 'false' }, { ok: 0 }, {}, [], 'ok', null] },
    { rule: { path: 'ok', equals: null }, error: [{ ok: null }], fine: [{ ok: false }, {}] },
    { rule: { path: 'code', equals: 0 }, error: [{ code: 0 }], fine: [{ code: '0' }, { code: false }, { code: null }] },
    { rule: { path: 'code', equals: 2 ** 53 + 2 }, error: [{ code: 2 ** 53 + 2 }], fine: [{ code: 1 }] },
    { rule: { path: 'status', equals: 'error' }, error: [{ status: 'error' }], fine: [{ status: 'errors' }, { status: ['error'] }] },
    { rule: { path: 'a', equals: { b: [1] } }, error: [{ a: { b: [1] } }], fine: [{ a: { b: [1, 2] } }, { a: { b: [1], c: 1 } }] },
    {
      rule: { path: 'data.result.ok', equals: false },
      error: [{ data: { result: { ok: false } } }],
      fine: [{ data: { result: null } }, { data: 'x' }],
    },
    {
      rule: { path: 'results.1.failed', equals: true },
      error: [{ results: [{}, { failed: true }] }],
      fine: [{ results: [{ failed: true }] }],
    },
    { rule: { path: 'constructor', exists: true }, error: [{ constructor: 'x' }], fine: [{}, [], 'text'] },
    {
      rule: { path: 'error', exists: true },
      error: [{ error: 'x' }, { error: 5 }, { error: true }, { error: { a: null } }, { error: [null] }],
      fine: [{}, { error: null }, { error: false }, { error: '' }, { error: 0 }, { error: {} }, { error: [] }],
    },
  ];
  for (const { rule, error = [], fine = [] } of conditions) {
    for (const body of error) {
      it(`takes ${JSON.stringify(body)} for an error where ${JSON.stringify(rule)} says so`, async () => {
        const call = await answering({ body }, rule);
        const { details } = await rejection(call(), 'EXECUTION_FAILED');
        expect(details.status).to.equal(200);
      });
    }
    for (const body of fine) {
      it(`takes ${JSON.stringify(body)} for a result beside ${JSON.stringify(rule)}`, async () => {
        const call = await answering({ body }, rule);
        expect((await call()).output).to.deep.equal(body);
      });
    }
  }

  const slack = {
    path: 'ok',
    equals: false,
    code_path: 'error',
    message_path: 'detail.text',
    codes: {
      invalid_auth: 'AUTH_FAILED',
      missing_scope: 'INSUFFICIENT_SCOPE',
      invalid_arguments: 'BAD_REQUEST',
      channel_not_found: 'NOT_FOUND',
      ratelimited: 'RATE_LIMITED',
      fatal_error: 'UPSTREAM_UNAVAILABLE',
      request_timeout: 'TIMEOUT',
      '42': 'NOT_FOUND',
    },
  };
  const codes: readonly { error: unknown; code: ErrorCode; retryable: boolean; says: string }[] = [
    { error: 'invalid_auth', code: 'AUTH_FAILED', retryable: false, says: 'the token is invalid or expired. Renew API_TOKEN.' },
    { error: 'missing_scope', code: 'INSUFFICIENT_SCOPE', retryable: false, says: 'insufficient scopes' },
    { error: 'invalid_arguments', code: 'BAD_REQUEST', retryable: false, says: 'Correct the parameters' },
    { error: 'channel_not_found', code: 'NOT_FOUND', retryable: false, says: 'does not exist' },
    { error: 'ratelimited', code: 'RATE_LIMITED', retryable: true, says: 'too many requests' },
    { error: 'fatal_error', code: 'UPSTREAM_UNAVAILABLE', retryable: true, says: 'the service failed' },
    { error: 'request_timeout', code: 'TIMEOUT', retryable: true, says: 'too long' },
    { error: 42, code: 'NOT_FOUND', retryable: false, says: 'does not exist' },
    { error: 'something_new', code: 'EXECUTION_FAILED', retryable: false, says: 'could not do it' },
    { error: 'constructor', code: 'EXECUTION_FAILED', retryable: false, says: 'could not do it' },
  ];
  for (const { error, code, retryable, says } of codes) {
    it(`gives ${code} for the service's own code ${JSON.stringify(error)}`, async () => {
      const call = await answering({ body: { ok: false, error } }, slack);
      const thrown = await rejection(call(), code);
      expect(thrown.message).to.include('The service answered 200 to "probe", but the answer is an error: ').and.to.include(says);
      expect(thrown.message).to.include(`It says: ${error}`);
      expect({ ...thrown.details, retryable: thrown.retryable }).to.deep.equal({
        tool: 'probe',
        plugin: 'executor-http',
        hook: 'execute',
        status: 200,
        providerCode: String(error),
        providerMessage: String(error),
        retryable,
      });
    });
  }

  it('says the code of the service and its words', async () => {
    const call = await answering({ body: { ok: false, error: 'not_in_channel', detail: { text: 'Invite the bot first' } } }, slack);
    const { message, details } = await rejection(call(), 'EXECUTION_FAILED');
    expect(message).to.include('It says: not_in_channel: Invite the bot first');
    expect(details).to.include({ providerCode: 'not_in_channel', providerMessage: 'not_in_channel: Invite the bot first' });
  });

  it('says the words that an error usually has where the rule names no place', async () => {
    const call = await answering({ body: { ok: false, code: 7, message: 'Sold out' } }, { path: 'ok', equals: false, code_path: 'code' });
    const { details } = await rejection(call(), 'EXECUTION_FAILED');
    expect(details).to.include({ providerCode: '7', providerMessage: '7: Sold out' });
  });

  it('says nothing of the service where it says nothing', async () => {
    const call = await answering({ body: { ok: false } }, slack);
    const { message, details } = await rejection(call(), 'EXECUTION_FAILED');
    expect(message).to.not.include('It says');
    expect(details).to.not.have.any.keys('providerCode', 'providerMessage');
  });

  it('masks secrets before it cuts the words', async () => {
    const body = { ok: false, error: `${'c'.repeat(95)}${secret}`, detail: { text: `${'w'.repeat(90)}${secret}` } };
    const call = await answering({ body }, slack);
    const error = await rejection(call(), 'EXECUTION_FAILED');
    const shown = JSON.stringify([error.message, error.details]);
    expect(shown).to.include('[sec').and.not.include(secret.slice(0, 4));
    expect(String(error.details['providerCode'])).to.have.lengthOf.at.most(100);
    expect(String(error.details['providerMessage'])).to.have.lengthOf.at.most(200);
  });

  const waits = [
    { at: 7, ms: 7000 },
    { at: '1.5', ms: 1500 },
    { at: 0, ms: 0 },
    { at: -1, ms: undefined },
    { at: 'soon', ms: undefined },
    { at: null, header: '3', ms: 3000 },
    { at: 7, header: '3', ms: 7000 },
  ];
  for (const { at, header, ms } of waits) {
    it(`waits ${ms ?? 'no certain number of'} ms for ${JSON.stringify(at)}${header === undefined ? '' : ` beside Retry-After: ${header}`}`, async () => {
      const body = { ok: false, error: 'ratelimited', wait: { seconds: at } };
      const headers = header === undefined ? {} : { 'retry-after': header };
      const call = await answering({ body, headers }, { ...slack, retry_after_path: 'wait.seconds' });
      expect((await rejection(call(), 'RATE_LIMITED')).details.retryAfterMs).to.equal(ms);
    });
  }

  it('tells what the code of an answer with an error status means', async () => {
    const call = await answering({ status: 403, body: { ok: false, error: 'ratelimited' } }, slack);
    const { details } = await rejection(call(), 'RATE_LIMITED');
    expect(details).to.include({ status: 403, providerCode: 'ratelimited' });
  });

  for (const body of [{ ok: false, error: 'of_no_meaning' }, { ok: false }, 'a page', null]) {
    it(`leaves an answer with an error status and ${JSON.stringify(body)} to the status`, async () => {
      const call = await answering({ status: 404, body }, slack);
      expect((await rejection(call(), 'NOT_FOUND')).details.status).to.equal(404);
    });
  }

  it('joins the words of several places', async () => {
    const body = { ok: false, error: 'missing_scope', needed: 'chat:write', more: { texts: ['one', 'two'] } };
    const call = await answering({ body }, { ...slack, message_path: ['nowhere', 'needed', 'more.texts.1'] });
    const { details } = await rejection(call(), 'INSUFFICIENT_SCOPE');
    expect(details.providerMessage).to.equal('missing_scope: chat:write; two');
  });

  it('says the status that the error came with', async () => {
    const call = await answering({ status: 202, body: { ok: false } }, slack);
    expect((await rejection(call(), 'EXECUTION_FAILED')).message).to.include('answered 202');
  });
});
