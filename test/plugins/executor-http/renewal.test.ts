import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { CallOutput, CallRequest } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import type { LogRecord } from '../../../plugins/toolkit/testing.ts';
import { type Asked, resolver } from '../../kernel/secrets/chain-kernel.ts';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { authTool } from './auth-tool.ts';

interface Shop {
  /** Values of the store, which a test may change. */
  readonly values: Record<string, string>;
  /** Requests to the store. */
  readonly asked: readonly Asked[];
  /** Tokens that the service takes. */
  readonly accepted: Set<string>;
  readonly requests: readonly SeenRequest[];
  readonly records: readonly LogRecord[];
  /** The tokens that arrived, in order. */
  tokens(): unknown[];
  call(request?: Omit<CallRequest, 'tool'>): Promise<CallOutput>;
}

interface ShopOptions {
  readonly execution?: Readonly<Record<string, unknown>>;
  readonly retry?: Readonly<Record<string, unknown>>;
  readonly providerKeys?: Readonly<Record<string, unknown>>;
  readonly answer?: (token: string | undefined) => unknown;
  /** Status of a refusal. @default 401 */
  readonly status?: number;
}

const old = 'old-token';

/** A service that takes `new-token` only, and a kernel that has resolved `old-token` while its store has `new-token` already. */
async function shop({ execution = {}, retry, providerKeys = {}, answer, status = 401 }: ShopOptions = {}): Promise<Shop> {
  const accepted = new Set([old]);
  const respond = async ({ headers }: SeenRequest, response: ServerResponse): Promise<void> => {
    const token = headers.authorization?.replace('Bearer ', '');
    await answer?.(token);
    if (accepted.has(token ?? '')) json(response, { as: 'accepted' });
    else json(response, { message: `the token ${token} has expired` }, status);
  };
  const { url, requests } = await loopback((request, response) => void respond(request, response));
  const values: Record<string, string> = { SHOP_TOKEN: old };
  const store = resolver(values);
  const { call, records } = await authTool({
    execution: { url, auth: { type: 'bearer', token: '{SHOP_TOKEN}' }, ...execution },
    providerKeys,
    definition: retry === undefined ? {} : { retry: { backoff: { initial_ms: 0 }, ...retry }, idempotency: { header: 'Idempotency-Key' } },
    plugins: [store.plugin, credentialsPlaceholder(), executorHttp()],
  });
  await call();
  accepted.clear();
  accepted.add('new-token');
  values['SHOP_TOKEN'] = 'new-token';
  requests.length = 0;
  const tokens = (): unknown[] => requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
  return { values, asked: store.asked, accepted, requests, records, tokens, call };
}

const fresh = { names: ['SHOP_TOKEN'], isFresh: true };

describe('executor-http: a 401', () => {
  for (const method of ['get', 'head', 'options']) {
    it(`makes ${method} go out once more, with the value that the store has now`, async () => {
      const { call, tokens, asked, requests } = await shop({ execution: { method } });
      const { meta } = await call();
      expect(meta['status']).to.equal(200);
      expect(tokens()).to.deep.equal([old, 'new-token']);
      expect(new Set(requests.map((request) => request.method))).to.deep.equal(new Set([method.toUpperCase()]));
      expect(asked.slice(1)).to.deep.equal([fresh]);
      await call();
      expect(tokens()).to.deep.equal([old, 'new-token', 'new-token']);
      expect(asked).to.have.lengthOf(2);
    });
  }

  for (const method of ['post', 'put', 'patch', 'delete']) {
    it(`fails ${method}, which is not sent again, and the next call takes the new value`, async () => {
      const { call, tokens, asked } = await shop({ execution: { method } });
      const error = await rejection(call(), 'AUTH_FAILED');
      expect(error.message).to.include('Renew SHOP_TOKEN').and.to.include('the token [secret SHOP_TOKEN] has expired').and.not.include(old);
      expect(tokens()).to.deep.equal([old]);
      expect(asked.slice(1)).to.deep.equal([fresh]);
      expect((await call()).output).to.deep.equal({ as: 'accepted' });
      expect(tokens()).to.deep.equal([old, 'new-token']);
    });
  }

  for (const method of ['post', 'put', 'patch', 'delete']) {
    it(`makes ${method} go out once more, and not twice, where the provider says repeat_after_401`, async () => {
      const execution = { method, ...(method === 'delete' ? {} : { body: { a: 1 } }) };
      const { call, tokens, accepted, requests } = await shop({ execution, providerKeys: { repeat_after_401: true } });
      expect((await call()).output).to.deep.equal({ as: 'accepted' });
      expect(tokens()).to.deep.equal([old, 'new-token']);
      expect(new Set(requests.map(({ body }) => body)).size).to.equal(1);
      accepted.clear();
      await rejection(call(), 'AUTH_FAILED');
      expect(tokens()).to.deep.equal([old, 'new-token', 'new-token']);
    });
  }

  it('does not make a write go out again where the provider says repeat_after_401 for another status, or denies it', async () => {
    const execution = { method: 'post' };
    const refused = await shop({ execution, status: 403, providerKeys: { repeat_after_401: true } });
    await rejection(refused.call(), 'INSUFFICIENT_SCOPE');
    const denied = await shop({ execution, providerKeys: { repeat_after_401: false } });
    await rejection(denied.call(), 'AUTH_FAILED');
    expect([refused.tokens(), denied.tokens()]).to.deep.equal([[old], [old]]);
  });

  for (const attempts of [1, 2, 5]) {
    it(`makes a post that says so go out once more, whole, with ${attempts} attempts for other failures`, async () => {
      const execution = { method: 'post', body: { a: 1 } };
      const { call, tokens, requests } = await shop({ execution, retry: { attempts, on: [401, 503] } });
      expect((await call()).output).to.deep.equal({ as: 'accepted' });
      expect(tokens()).to.deep.equal([old, 'new-token']);
      expect(requests.map(({ body }) => body)).to.deep.equal(['{"a":1}', '{"a":1}']);
    });
  }

  it('does not make a post go out again whose retry names other statuses', async () => {
    const { call, tokens } = await shop({ execution: { method: 'post' }, retry: { attempts: 3, on: [503] } });
    await rejection(call(), 'AUTH_FAILED');
    expect(tokens()).to.deep.equal([old]);
  });

  it('fails the call when the store has the same value still', async () => {
    const { call, tokens, values, asked } = await shop();
    values['SHOP_TOKEN'] = old;
    await rejection(call(), 'AUTH_FAILED');
    expect(tokens()).to.deep.equal([old]);
    expect(asked.slice(1)).to.deep.equal([fresh]);
  });

  it('fails the call when the new value is refused as well, and the store is left alone for a while', async () => {
    for (const retry of [undefined, { attempts: 3, on: [401] }]) {
      const { call, tokens, accepted, asked } = await shop(retry === undefined ? {} : { retry });
      accepted.clear();
      await rejection(call(), 'AUTH_FAILED');
      expect(tokens()).to.deep.equal([old, 'new-token']);
      await rejection(call(), 'AUTH_FAILED');
      expect(tokens()).to.deep.equal([old, 'new-token', 'new-token']);
      expect(asked.slice(1)).to.deep.equal([fresh]);
    }
  });

  it('never replaces a value that came with the call, and does not ask for one', async () => {
    const { call, tokens, asked } = await shop();
    await rejection(call({ credentials: { SHOP_TOKEN: 'own-token' } }), 'AUTH_FAILED');
    await rejection(call({ parameters: { SHOP_TOKEN: 'own-token' } }), 'AUTH_FAILED');
    await rejection(call({ credentials: { SHOP_TOKEN: old } }), 'AUTH_FAILED');
    expect(tokens()).to.deep.equal(['own-token', 'own-token', old]);
    expect(asked).to.have.lengthOf(1);
  });

  it('asks the store once for 100 calls at the same time, and all of them go out once more', async () => {
    let arrived = 0;
    let open: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { call, tokens, asked } = await shop({
      answer: (token) => {
        if (token !== old) return;
        arrived++;
        // The first one is the call that fetched the old value.
        if (arrived === 101) open();
        return arrived === 1 ? undefined : all;
      },
    });
    const outputs = await Promise.all(Array.from({ length: 100 }, () => call()));
    expect(outputs.map(({ output }) => output)).to.deep.equal(Array(100).fill({ as: 'accepted' }));
    expect(tokens().sort()).to.deep.equal([...Array(100).fill('new-token'), ...Array(100).fill(old)]);
    expect(asked.slice(1)).to.deep.equal([fresh]);
  });

  it('fails the call as such when the store cannot be asked, with a warning that names the resolver', async () => {
    const { call, tokens, values, records } = await shop();
    Object.defineProperty(values, 'SHOP_TOKEN', {
      get: () => {
        throw new Error('the store is down');
      },
    });
    await rejection(call(), 'AUTH_FAILED');
    expect(tokens()).to.deep.equal([old]);
    const warnings = records.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings).to.deep.equal(['credentials could not be renewed: The resolver "store" failed: the store is down']);
  });

  it('fails the call when the store no longer has the value, and the next one before it is sent', async () => {
    const { call, tokens, values } = await shop();
    delete values['SHOP_TOKEN'];
    await rejection(call(), 'AUTH_FAILED');
    await rejection(call(), 'MISSING_PARAMETER');
    expect(tokens()).to.deep.equal([old]);
  });

  for (const status of [400, 403, 500]) {
    it(`is not what a ${status} is: the store is not asked`, async () => {
      const { call, tokens, asked } = await shop({ status });
      expect(await call().catch((error: { details: { status: number } }) => error.details.status)).to.equal(status);
      expect(tokens()).to.deep.equal([old]);
      expect(asked).to.have.lengthOf(1);
    });
  }
});
