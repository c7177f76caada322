import { inspect } from 'node:util';
import { expect } from 'chai';
import { type JsonValue, ToolkitError } from '../../../../kernel/index.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { authTool, environment } from '../auth-tool.ts';

const { SHOP_USER, SHOP_PASSWORD, SHOP_TOKEN, SHOP_KEY } = environment;
const basic = { type: 'basic', username: '{USER}', password: '{SHOP_PASSWORD}' };
const inHeaders = [basic, { type: 'header', name: 'X-Api-Key', value: 'k {SHOP_KEY}' }];

/** A server that sends /start on to `location`. */
function redirecting(status: number, location: string): Promise<{ url: string; requests: SeenRequest[] }> {
  return loopback((request, response) => {
    if (request.url.startsWith('/start')) response.writeHead(status, { location }).end();
    else json(response, {});
  });
}

describe('executor-http: auth and redirects', () => {
  const styles: readonly { title: string; auth: unknown; method: string }[] = [
    { title: 'basic and a header', auth: inHeaders, method: 'get' },
    { title: 'bearer', auth: { type: 'bearer', token: '{SHOP_TOKEN}' }, method: 'put' },
    { title: 'a header under a common name', auth: { type: 'header', name: 'Accept-Language', value: '{SHOP_TOKEN}' }, method: 'get' },
    { title: 'query', auth: { type: 'query', name: 'key', value: '{SHOP_TOKEN}' }, method: 'get' },
    { title: 'form', auth: { type: 'form', name: 'key', value: '{SHOP_TOKEN}' }, method: 'post' },
  ];
  for (const { title, auth, method } of styles) {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`brings ${title} to no other origin after ${status}`, async () => {
        const elsewhere = await loopback((_request, response) => json(response, {}));
        const { url } = await redirecting(status, `${elsewhere.url}/end`);
        const { call } = await authTool({ execution: { method, url: `${url}/start`, auth } });
        const isKept = method === 'post' && status > 303;
        if (isKept) expect((await rejection(call(), 'OUTBOUND_BLOCKED')).message).to.include('the body holds a credential');
        else await call();
        expect(elsewhere.requests).to.have.lengthOf(isKept ? 0 : 1);
        const seen = decodeURIComponent(JSON.stringify(elsewhere.requests).replaceAll('+', ' '));
        for (const secret of Object.values(environment)) expect(seen).to.not.include(secret);
        expect(elsewhere.requests[0]?.headers ?? {}).to.not.have.any.keys('authorization', 'x-api-key');
      });
    }
  }

  it('brings it along inside the origin', async () => {
    const { url, requests } = await redirecting(307, '/end');
    const { call } = await authTool({ execution: { method: 'post', url: `${url}/start`, auth: inHeaders, body: { a: 1 } } });
    await call();
    expect(requests[1]?.url).to.equal('/end');
    expect(requests[1]?.headers).to.include({ authorization: requests[0]?.headers.authorization, 'x-api-key': `k ${SHOP_KEY}` });
  });

  it('does not bring it back from another origin', async () => {
    const back = { url: '' };
    const elsewhere = await loopback((_request, response) => void response.writeHead(302, { location: `${back.url}/end` }).end());
    const { url, requests } = await redirecting(302, `${elsewhere.url}/x`);
    back.url = url;
    const { call } = await authTool({ execution: { url: `${url}/start`, auth: inHeaders } });
    await call();
    expect(requests.map((request) => request.url)).to.deep.equal(['/start', '/end']);
    expect(requests[1]?.headers).to.not.have.any.keys('authorization', 'x-api-key');
  });
});

describe('executor-http: auth in answers', () => {
  const pair = `${SHOP_USER}:${SHOP_PASSWORD}`;
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  /** Forms in which a service may echo a Basic authorization. */
  const shown: Readonly<Record<string, (authorization: string) => string>> = {
    'the header': (authorization) => authorization,
    'the header without padding': (authorization) => authorization.replace(/=+$/, ''),
    'the pair': () => pair,
    'the pair in a sentence': () => `no user <${pair}> here`,
    'the password': () => SHOP_PASSWORD,
    'the user name': () => SHOP_USER,
    'the pair in a URL': () => `https://${encodeURIComponent(SHOP_USER)}:${encodeURIComponent(SHOP_PASSWORD)}@shop.example/`,
    'the pair, form-encoded': () => new URLSearchParams({ pair }).toString(),
    'the pair, in base64url': () => Buffer.from(pair).toString('base64url'),
    'the pair in JSON': () => JSON.stringify({ pair }),
    'the header, URL-encoded': (authorization) => encodeURIComponent(authorization),
    'the pair in a longer base64': () => encode(`[${pair}] and more`),
  };
  const parts = [SHOP_USER, SHOP_PASSWORD, 'wörd', encodeURIComponent('wörd'), encode(pair).slice(8, 24)];

  /** Everything that is shown of a call. */
  async function everything(call: () => Promise<unknown>, records: unknown): Promise<string> {
    const result = await call().catch((error: unknown) => error);
    const { message = '', stack = '', cause } = result as Error;
    const text = ToolkitError.is(result) ? JSON.stringify(result) : '';
    return [message, stack, text, inspect(cause), JSON.stringify(result), JSON.stringify(records)].join('\n');
  }

  for (const [title, show] of Object.entries(shown)) {
    for (const status of [200, 401, 500]) {
      it(`is masked when an answer with ${status} shows ${title}`, async () => {
        const { url, requests } = await loopback(({ headers }, response) => {
          const text = show(headers.authorization ?? '');
          json(response, { message: text, nested: [{ [text]: text }] }, status);
        });
        const { call, records } = await authTool({ execution: { url, auth: basic } });
        const text = await everything(call, records);
        expect(requests[0]?.headers.authorization).to.equal(`Basic ${encode(pair)}`);
        expect(text).to.include('[secret ');
        for (const part of parts) expect(text).to.not.include(part);
      });
    }
  }

  it('is masked, also when the answer tries to hide it behind the name of a prototype', async () => {
    const { url } = await loopback(
      (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ pair, password: SHOP_PASSWORD }).replace('{', '{"__proto__":{},')),
    );
    const { call } = await authTool({ execution: { url, auth: basic } });
    const { output } = await call();
    expect(JSON.stringify(output)).to.equal('{"__proto__":{},"pair":"[secret credentials]","password":"[secret SHOP_PASSWORD]"}');
  });

  it('is masked under the names of credentials that were given with the call', async () => {
    const { url } = await loopback(({ headers }, response) => json(response, { echo: headers.authorization, pair: 'bob:of-bob-alone' }));
    const { call } = await authTool({ execution: { url, auth: basic } });
    const { output } = await call({ credentials: { USER: 'bob', SHOP_PASSWORD: 'of-bob-alone' } });
    expect(output as JsonValue).to.deep.equal({ echo: 'Basic [secret credentials]', pair: '[secret credentials]' });
  });

  it('of the other styles is masked as well', async () => {
    const { url } = await loopback((request, response) => json(response, { ...request, message: 'echo' }));
    const auth = [
      { type: 'bearer', token: '{SHOP_TOKEN}' },
      { type: 'query', name: 'key', value: '{SHOP_KEY}' },
      { type: 'form', name: 'password', value: '{SHOP_PASSWORD}' },
    ];
    const { call, records } = await authTool({ execution: { method: 'post', url, auth } });
    const text = await everything(call, records);
    for (const secret of [SHOP_TOKEN, SHOP_KEY, SHOP_PASSWORD]) {
      for (const form of [secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)])
        expect(text).to.not.include(form);
    }
  });
});
