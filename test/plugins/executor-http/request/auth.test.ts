import { expect } from 'chai';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { type AuthToolOptions, authTool, environment } from '../auth-tool.ts';

const { SHOP_USER, SHOP_PASSWORD, SHOP_TOKEN, SHOP_KEY } = environment;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const basicPair = base64(`${SHOP_USER}:${SHOP_PASSWORD}`);

/** Parts of a request that may authenticate it: headers, URL and body. */
interface Proof {
  readonly authorization?: string;
  readonly key?: string;
  readonly url: string;
  readonly body: string;
}

function proofOf({ headers, url, body }: SeenRequest): Proof {
  const { authorization, 'x-api-key': key } = headers;
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(key === undefined ? {} : { key: String(key) }),
    url,
    body,
  };
}

/** Calls a tool once and gives what arrived. */
async function arrived({ execution = {}, ...options }: Partial<AuthToolOptions>): Promise<Proof> {
  const { url, requests } = await loopback((_request, response) => json(response, {}));
  const { call } = await authTool({ ...options, execution: { url: `${url}/list`, ...execution } });
  await call();
  expect(requests).to.have.lengthOf(1);
  return proofOf(requests[0] as SeenRequest);
}

const plain: Proof = { url: '/list', body: '' };
const bearer = { type: 'bearer', token: '{SHOP_TOKEN}' };
const key = { type: 'header', name: 'X-Api-Key', value: '{SHOP_TOKEN}' };
const post = { method: 'post' };

interface Style {
  readonly title: string;
  readonly auth: unknown;
  readonly execution?: Readonly<Record<string, unknown>>;
  readonly proof: Partial<Proof>;
}

const styles: readonly Style[] = [
  {
    title: 'basic',
    auth: { type: 'basic', username: '{USER}', password: '{SHOP_PASSWORD}' },
    proof: { authorization: `Basic ${basicPair}` },
  },
  {
    title: 'basic without a password',
    auth: { type: 'basic', username: '{SHOP_KEY}' },
    proof: { authorization: `Basic ${base64(`${SHOP_KEY}:`)}` },
  },
  {
    title: 'basic with a fixed user name',
    auth: { type: 'basic', username: 'api', password: 'live_{SHOP_KEY}' },
    proof: { authorization: `Basic ${base64(`api:live_${SHOP_KEY}`)}` },
  },
  { title: 'bearer', auth: bearer, proof: { authorization: `Bearer ${SHOP_TOKEN}` } },
  { title: 'header', auth: { ...key, value: 'Token token={SHOP_KEY}' }, proof: { key: `Token token=${SHOP_KEY}` } },
  { title: 'query', auth: { type: 'query', name: 'api key', value: '{SHOP_KEY}' }, proof: { url: '/list?api+key=key%2B%2F%3D%26%251' } },
  {
    title: 'query beside the parameters of the tool',
    auth: { type: 'query', name: 'key', value: '{SHOP_KEY}' },
    execution: { query_params: { page: 2, key: 'own' } },
    proof: { url: '/list?page=2&key=own&key=key%2B%2F%3D%26%251' },
  },
  {
    title: 'form',
    auth: { type: 'form', name: 'key', value: '{SHOP_KEY}' },
    execution: post,
    proof: { body: 'key=key%2B%2F%3D%26%251' },
  },
  {
    title: 'form beside the fields of the tool',
    auth: { type: 'form', name: 'key', value: '{SHOP_KEY}' },
    execution: { method: 'put', form: { page: 2, list: ['a', 'b'] } },
    proof: { body: 'page=2&list=a&list=b&key=key%2B%2F%3D%26%251' },
  },
  { title: 'none', auth: { type: 'none' }, proof: {} },
  {
    title: 'several at once',
    auth: [key, { type: 'query', name: 'account', value: '{ACCOUNT}' }, { type: 'basic', username: '{USER}' }],
    proof: { authorization: `Basic ${base64(`${SHOP_USER}:`)}`, key: SHOP_TOKEN, url: '/list?account=account-7' },
  },
];

describe('executor-http: auth', () => {
  for (const { title, auth, execution = {}, proof } of styles) {
    it(`sends ${title}, from the tool and from the provider`, async () => {
      expect(await arrived({ execution: { ...execution, auth } })).to.deep.equal({ ...plain, ...proof });
      expect(await arrived({ execution, provider: auth })).to.deep.equal({ ...plain, ...proof });
    });
  }

  it('sends a form as a form', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const { call } = await authTool({ execution: { url, method: 'post', auth: { type: 'form', name: 'key', value: '{SHOP_KEY}' } } });
    await call();
    expect(requests[0]?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
  });

  const replaced: readonly { title: string; auth: unknown; proof: Partial<Proof> }[] = [
    { title: 'another style', auth: key, proof: { key: SHOP_TOKEN } },
    { title: 'the same style', auth: { type: 'bearer', token: '{SHOP_KEY}' }, proof: { authorization: `Bearer ${SHOP_KEY}` } },
    { title: 'a list', auth: [key], proof: { key: SHOP_TOKEN } },
    { title: '"none"', auth: { type: 'none' }, proof: {} },
  ];
  for (const { title, auth, proof } of replaced) {
    it(`takes ${title} of the tool in place of all that the provider says`, async () => {
      const provider = [bearer, { type: 'query', name: 'key', value: '{SHOP_KEY}' }];
      expect(await arrived({ provider, execution: { auth } })).to.deep.equal({ ...plain, ...proof });
    });
  }

  it('wins over a header of the same name, whatever its case', async () => {
    const headers = { AUTHORIZATION: 'Custom {SHOP_KEY}', 'x-api-key': 'fixed' };
    expect(await arrived({ execution: { headers, auth: [bearer, key] } })).to.deep.equal({
      ...plain,
      authorization: `Bearer ${SHOP_TOKEN}`,
      key: SHOP_TOKEN,
    });
  });

  it('sends the credentials that were given with the call', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const { call } = await authTool({ execution: { url, auth: styles[0]?.auth } });
    await call({ credentials: { USER: 'bob', SHOP_PASSWORD: 'of bob' } });
    await call({ parameters: { USER: 'carol' } });
    expect(requests.map(({ headers }) => headers.authorization)).to.deep.equal([
      `Basic ${base64('bob:of bob')}`,
      `Basic ${base64(`carol:${SHOP_PASSWORD}`)}`,
    ]);
  });

  const optional: readonly { title: string; auth: object; execution?: object }[] = [
    { title: 'basic without its user name', auth: { type: 'basic', username: '{OPTIONAL_KEY}', password: '{SHOP_KEY}' } },
    { title: 'basic without its password', auth: { type: 'basic', username: '{USER}', password: '{OPTIONAL_KEY}' } },
    { title: 'bearer', auth: { type: 'bearer', token: '{OPTIONAL_KEY}' } },
    { title: 'header', auth: { type: 'header', name: 'X-Api-Key', value: 'Token {OPTIONAL_KEY}' } },
    { title: 'query', auth: { type: 'query', name: 'key', value: '{OPTIONAL_KEY}' } },
    { title: 'form', auth: { type: 'form', name: 'key', value: '{OPTIONAL_KEY}' }, execution: post },
    { title: 'client_certificate', auth: { type: 'client_certificate', certificate: '{OPTIONAL_KEY}', private_key: '{SHOP_KEY}' } },
  ];
  for (const { title, auth, execution = {} } of optional) {
    it(`leaves ${title} out when nobody has an optional credential, and keeps the others`, async () => {
      expect(await arrived({ execution: { ...execution, auth } })).to.deep.equal(plain);
      const both = [auth, 'name' in auth && auth.name === 'X-Api-Key' ? bearer : key];
      const { authorization, key: sent, ...rest } = await arrived({ execution: { ...execution, auth: both } });
      expect({ rest, sent: [authorization, sent].filter((proof) => proof !== undefined) }).to.deep.equal({
        rest: plain,
        sent: [authorization === undefined ? SHOP_TOKEN : `Bearer ${SHOP_TOKEN}`],
      });
    });
  }

  it('fails a call before it is sent when nobody has a credential that is not optional', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const { call } = await authTool({ execution: { url }, provider: styles[0]?.auth, env: { SHOP_PASSWORD: undefined } });
    const error = await rejection(call(), 'MISSING_PARAMETER');
    expect(error.message).to.match(/^Missing required parameter: SHOP_PASSWORD\b/);
    expect(requests).to.deep.equal([]);
  });

  const refused: readonly { title: string; auth: unknown; name: string; env: Record<string, string> }[] = [
    { title: 'a user name with a colon', auth: styles[0]?.auth, name: 'USER', env: { SHOP_USER: 'alice:admin' } },
    { title: 'a line break in a token', auth: bearer, name: 'SHOP_TOKEN', env: { SHOP_TOKEN: 'token\r\nX-Api-Key: forged' } },
    { title: 'a line feed in a header', auth: key, name: 'SHOP_TOKEN', env: { SHOP_TOKEN: 'token\nforged' } },
    { title: 'a carriage return in a header', auth: key, name: 'SHOP_TOKEN', env: { SHOP_TOKEN: 'token\rforged' } },
    { title: 'a null byte in a header', auth: key, name: 'SHOP_TOKEN', env: { SHOP_TOKEN: 'token\0forged' } },
    { title: 'a character that no header can hold', auth: bearer, name: 'SHOP_TOKEN', env: { SHOP_TOKEN: 'token🔑forged' } },
  ];
  for (const { title, auth, name, env } of refused) {
    it(`refuses ${title}, without showing it`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const { call, records } = await authTool({ execution: { url, auth }, env });
      const error = await rejection(call(), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`"${name}"`);
      expect(JSON.stringify([error, error.message, error.stack, records])).to.not.match(/forged|alice:/);
      expect(requests).to.deep.equal([]);
    });
  }
});
