import { expect } from 'chai';
import sinon from 'sinon';
import type { ErrorCode } from '../../../kernel/index.ts';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { httpTool } from './http-tool.ts';

const atOnce = { initial_ms: 0 };

/** A server that answers with these statuses, one after the other; 0 closes the connection, the last one repeats. */
async function failing(statuses: readonly number[]): Promise<{ url: string; requests: SeenRequest[] }> {
  const { url, requests } = await loopback((_request, response) => {
    const status = statuses[Math.min(requests.length, statuses.length) - 1] ?? 200;
    if (status === 0) response.destroy();
    else json(response, { attempt: requests.length }, status, { 'retry-after': '0' });
  });
  return { url, requests };
}

describe('executor-http: retry', () => {
  afterEach(() => sinon.restore());

  for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
    it(`sends a ${method} again, whole, until it succeeds, where the definition says so`, async () => {
      const { url, requests } = await failing([503, 0, 200]);
      const execution = { method, url: `${url}/x`, ...(method === 'get' ? {} : { body: { a: '{a}' } }) };
      const definition = { retry: { attempts: 3, backoff: atOnce }, idempotency: { header: 'Idempotency-Key' } };
      const call = await httpTool({ execution, parameters: { a: {} }, definition });
      const { output } = await call({ a: 'same' });
      expect(output).to.deep.equal({ attempt: 3 });
      const sent = { method: method.toUpperCase(), url: '/x', body: method === 'get' ? '' : '{"a":"same"}' };
      expect(requests.map(({ method: verb, url: path, body }) => ({ method: verb, url: path, body }))).to.deep.equal([sent, sent, sent]);
    });
  }

  const once: readonly { statuses: number[]; retry?: object; code: ErrorCode; attempts: number; why: string }[] = [
    { why: 'without retry, after a 503', statuses: [503, 200], code: 'UPSTREAM_UNAVAILABLE', attempts: 1 },
    { why: 'without retry, after a closed connection', statuses: [0, 200], code: 'UPSTREAM_UNAVAILABLE', attempts: 1 },
    { why: 'without retry, after a 429', statuses: [429, 200], code: 'RATE_LIMITED', attempts: 1 },
    { why: 'with one attempt', statuses: [503, 200], retry: { attempts: 1 }, code: 'UPSTREAM_UNAVAILABLE', attempts: 1 },
    { why: 'for a status that retrying does not help', statuses: [400, 200], retry: { attempts: 3 }, code: 'BAD_REQUEST', attempts: 1 },
    {
      why: 'for a status that is not in "on"',
      statuses: [503, 200],
      retry: { attempts: 3, on: [429] },
      code: 'UPSTREAM_UNAVAILABLE',
      attempts: 1,
    },
    { why: 'to the last attempt', statuses: [503], retry: { attempts: 4 }, code: 'UPSTREAM_UNAVAILABLE', attempts: 4 },
    { why: 'for the statuses in "on"', statuses: [409, 409, 404], retry: { attempts: 5, on: [409] }, code: 'NOT_FOUND', attempts: 3 },
  ];
  for (const { why, statuses, retry, code, attempts } of once) {
    it(`sends ${attempts === 1 ? 'one request' : `${attempts} requests`} ${why}`, async () => {
      const { url, requests } = await failing(statuses);
      const call = await httpTool({ execution: { url }, definition: retry === undefined ? {} : { retry: { backoff: atOnce, ...retry } } });
      await rejection(call(), code);
      expect(requests).to.have.lengthOf(attempts);
    });
  }

  it('does not repeat what the outbound guard refuses', async () => {
    const { url, requests } = await loopback(
      (_request, response) => void response.writeHead(302, { location: 'http://localhost:49151/' }).end(),
    );
    const call = await httpTool({ execution: { url }, definition: { retry: { attempts: 3, backoff: atOnce } } });
    await rejection(call(), 'OUTBOUND_BLOCKED');
    expect(requests).to.have.lengthOf(1);
  });

  it('ends with the time limit of the call although the service asks to wait for an hour', async () => {
    let arrive: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { url, requests } = await loopback((_request, response) => {
      response.on('finish', arrive);
      json(response, {}, 503, { 'retry-after': '3600' });
    });
    const retry = { attempts: 3, backoff: { initial_ms: 0, maximum_ms: 3_600_000 } };
    const call = await httpTool({ execution: { url, timeout_ms: 5000 }, definition: { retry } });
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = rejection(call(), 'TIMEOUT');
    await arrived;
    clock.tick(5000);
    await running;
    expect(requests).to.have.lengthOf(1);
  });
});
