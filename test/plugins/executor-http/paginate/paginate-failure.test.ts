import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { resolver } from '../../../kernel/secrets/chain-kernel.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { authTool } from '../auth-tool.ts';
import { numbers, type PagedTool, type PagedToolOptions, pagedTool } from '../paginate-tool.ts';

const paginate = { items: 'things', size: { parameter: 'per_page', maximum: 10 }, next: { cursor: { path: 'next', parameter: 'cursor' } } };

function thingsFrom(cursor = '1'): unknown {
  return { things: numbers(Number(cursor), 10, 1000), next: String(Number(cursor) + 10) };
}

/** A service without an end, whose request number `at` is answered by `fail`. */
function failingAt(at: number, fail: (response: ServerResponse) => void, options: Partial<PagedToolOptions> = {}): Promise<PagedTool> {
  let requests = 0;
  return pagedTool({
    paginate,
    answer: ({ cursor }, response) => {
      requests++;
      if (requests === at) fail(response);
      else json(response, thingsFrom(cursor));
    },
    ...options,
  });
}

const partial = { partial: true, items: 20, resume: '21' };

describe('executor-http: paginate that fails on the way', () => {
  const failures: readonly { what: string; fail: (response: ServerResponse) => void; code: ErrorCode; details?: object }[] = [
    {
      what: 'a 503',
      fail: (response) => json(response, { message: 'down' }, 503),
      code: 'UPSTREAM_UNAVAILABLE',
      details: { status: 503, providerMessage: 'down' },
    },
    {
      what: 'a 429',
      fail: (response) => json(response, {}, 429, { 'retry-after': '7' }),
      code: 'RATE_LIMITED',
      details: { status: 429, retryAfterMs: 7000 },
    },
    { what: 'a 403', fail: (response) => json(response, {}, 403), code: 'INSUFFICIENT_SCOPE', details: { status: 403 } },
    { what: 'a closed connection', fail: (response) => void response.destroy(), code: 'UPSTREAM_UNAVAILABLE' },
    {
      what: 'JSON that ends early',
      fail: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"things": ['),
      code: 'OUTPUT_INVALID',
    },
    {
      what: 'an error with 200',
      fail: (response) => json(response, { ok: false, error: 'gone' }),
      code: 'NOT_FOUND',
      details: { status: 200, providerCode: 'gone' },
    },
    { what: 'something else than a list', fail: (response) => json(response, { things: 'none' }), code: 'EXECUTION_FAILED' },
    { what: 'a list in place of an object', fail: (response) => json(response, [1]), code: 'EXECUTION_FAILED' },
    {
      what: 'text',
      fail: (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('no'),
      code: 'EXECUTION_FAILED',
    },
    { what: 'a cursor that is an object', fail: (response) => json(response, { things: [1], next: { a: 1 } }), code: 'EXECUTION_FAILED' },
  ];
  const definition = { error_when: { path: 'ok', equals: false, code_path: 'error', codes: { gone: 'NOT_FOUND' } } };
  for (const { what, fail, code, details = {} } of failures) {
    it(`says after ${what} how much was got, and where it failed`, async () => {
      const { call, asked } = await failingAt(3, fail, { definition });
      const error = await rejection(call({ max_items: 100 }), code);
      expect(error.details).to.deep.include({ tool: 'probe', ...partial, ...details });
      expect(error.message).to.include('20 items of 2 pages were read before, and are not returned. Call with "max_items" of at most 20');
      expect(asked).to.have.lengthOf(3);
    });

    it(`is the error of one request after ${what} at once`, async () => {
      const { call, asked } = await failingAt(1, fail, { definition });
      const error = await rejection(call({ max_items: 100 }), code);
      expect(error.details).to.not.have.any.keys('partial', 'items', 'resume');
      expect(asked).to.have.lengthOf(1);
    });
  }

  it('repeats each request as the definition says', async () => {
    const statuses = [200, 503, 429, 200, 503, 503, 200];
    const { call, asked } = await pagedTool({
      paginate,
      definition: { retry: { attempts: 3, backoff: { initial_ms: 0 } } },
      answer: ({ cursor }, response) => {
        const status = statuses[asked.length - 1] ?? 500;
        json(response, thingsFrom(cursor), status, status === 200 ? {} : { 'retry-after': '0' });
      },
    });
    expect((await call({ max_items: 30 })).output).to.deep.equal({ things: numbers(1, 30, 30), next: '31' });
    expect(asked.map(({ cursor = '1' }) => cursor)).to.deep.equal(['1', '11', '11', '11', '21', '21', '21']);
  });

  it('gives each page of a post an idempotency value of its own, the same whenever it is sent again', async () => {
    const values: unknown[] = [];
    const { call } = await pagedTool({
      paginate,
      definition: { idempotency: { header: 'Idempotency-Key' }, retry: { attempts: 2, backoff: { initial_ms: 0 } } },
      execution: { method: 'post', query_params: {}, body: { cursor: '{cursor}', size: '{per_page}' } },
      answer: (_query, response, { headers }) => {
        values.push(headers['idempotency-key']);
        json(response, { things: [1], next: String(values.length) }, values.length === 2 ? 503 : 200, { 'retry-after': '0' });
      },
    });
    await call({ max_items: 2 });
    expect(values).to.have.lengthOf(3);
    expect(values[0]).to.be.a('string').and.not.equal(values[1]);
    expect(values[2]).to.equal(values[1]);
  });

  it('names number and size of the page that failed, where pages are counted', async () => {
    let requests = 0;
    const { call } = await pagedTool({
      paginate: { items: '', size: { parameter: 'per_page', maximum: 10 }, next: { page: { parameter: 'page' } } },
      answer: ({ page }, response) => json(response, numbers(Number(page) * 10 - 9, 10, 1000), ++requests === 3 ? 500 : 200),
    });
    const { details } = await rejection(call({ max_items: 100 }), 'UPSTREAM_UNAVAILABLE');
    expect(details).to.deep.include({ partial: true, items: 20, resume: { page: 3, per_page: 10 } });
  });

  const circles = [
    { what: 'the same cursor again', next: ['a', 'a'], requests: 2 },
    { what: 'a cursor of three pages before', next: ['a', 'b', 'c', 'a'], requests: 4 },
  ];
  for (const { what, next, requests } of circles) {
    it(`ends when the service gives ${what}`, async () => {
      const { call, asked } = await pagedTool({
        paginate,
        answer: (_query, response) => json(response, { things: [1], next: next[asked.length - 1] }),
      });
      const error = await rejection(call({ max_items: 100 }), 'EXECUTION_FAILED');
      expect(error.message).to.include('names an earlier page as the next one');
      expect(error.details).to.deep.include({ partial: true, items: requests, resume: 'a' });
      expect(asked).to.have.lengthOf(requests);
    });
  }

  it('ends when the cursor is the one that the caller gave', async () => {
    const { call, asked } = await pagedTool({ paginate, answer: (_query, response) => json(response, { things: [1], next: 'a' }) });
    await rejection(call({ max_items: 100, cursor: 'a' }), 'EXECUTION_FAILED');
    expect(asked).to.have.lengthOf(1);
  });

  it('holds all answers together to the size limit', async () => {
    const page = JSON.stringify({ things: ['x'.repeat(300)], next: 'a' }).length;
    const answer: PagedToolOptions['answer'] = ({ cursor = '' }, response) =>
      json(response, { things: ['x'.repeat(300)], next: `${cursor}a` });
    const { call } = await pagedTool({ paginate: { ...paginate, items: 'things' }, maxResponseBytes: 3 * page + 3, answer });
    expect((await call({ max_items: 3 })).output)
      .to.have.property('things')
      .with.lengthOf(3);
    const error = await rejection(call({ max_items: 4 }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include(`The answers of this call are together larger than ${3 * page + 3} bytes`);
    expect(error.details).to.deep.include({ status: 200, maxBytes: 3 * page + 3, partial: true, items: 3, resume: 'aaa' });
  });

  it('ends with the call, and asks for no further page', async () => {
    const controller = new AbortController();
    let closed: () => void = () => {};
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { call, asked } = await failingAt(3, (response) => {
      response.on('close', closed);
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"things": [');
      controller.abort();
    });
    await rejection(call({ max_items: 100 }, { signal: controller.signal }), 'ABORTED');
    await hungUp;
    expect(asked).to.have.lengthOf(3);
  });

  it('asks for no further page when it is cancelled between two', async () => {
    const controller = new AbortController();
    const { call, asked } = await failingAt(0, () => {});
    const onProgress = () => controller.abort();
    await rejection(call({ max_items: 100 }, { signal: controller.signal, onProgress }), 'ABORTED');
    expect(asked).to.have.lengthOf(1);
  });

  it('masks a secret in the place where it failed', async () => {
    const { url } = await loopback(({ url: path }, response) => {
      if (path.includes('cursor')) json(response, {}, 500);
      else json(response, { things: [1], next: 'token-0123456789' });
    });
    const { kernel } = await authTool({
      execution: { url, auth: { type: 'bearer', token: '{SHOP_TOKEN}' }, query_params: { cursor: '{cursor}' } },
      parameters: { max_items: { type: 'integer' }, cursor: { type: 'string' } },
      definition: { paginate: { items: 'things', limit: 'max_items', next: paginate.next } },
    });
    const error = await rejection(kernel.call({ tool: 'shop_list', parameters: { max_items: 9 } }), 'UPSTREAM_UNAVAILABLE');
    expect(error.details).to.deep.include({ partial: true, items: 1, resume: '[secret SHOP_TOKEN]' });
  });
});

describe('executor-http: paginate with credentials that expire on the way', () => {
  it('goes on with the value that the store has now, and keeps it', async () => {
    const tokens: string[] = [];
    const values: Record<string, string> = { SHOP_TOKEN: 'old-token' };
    const { url } = await loopback(({ url: path, headers }, response) => {
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      tokens.push(token);
      const number = Number(new URL(path, 'http://127.0.0.1').searchParams.get('cursor') ?? 1);
      if (number > 1) values['SHOP_TOKEN'] = 'new-token';
      if (number > 1 && token === 'old-token') json(response, {}, 401);
      else json(response, { things: [number], next: String(number + 1) });
    });
    const store = resolver(values);
    const { kernel } = await authTool({
      execution: { url, auth: { type: 'bearer', token: '{SHOP_TOKEN}' }, query_params: { cursor: '{cursor}' } },
      parameters: { max_items: { type: 'integer' }, cursor: { type: 'string' } },
      definition: { paginate: { items: 'things', limit: 'max_items', next: paginate.next } },
      plugins: [store.plugin, credentialsPlaceholder(), executorHttp()],
    });
    const { output } = await kernel.call({ tool: 'shop_list', parameters: { max_items: 4 } });
    expect(output).to.deep.equal({ things: [1, 2, 3, 4], next: '5' });
    expect(tokens).to.deep.equal(['old-token', 'old-token', 'new-token', 'new-token', 'new-token']);
  });
});
