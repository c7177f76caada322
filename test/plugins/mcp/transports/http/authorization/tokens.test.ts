import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import { after, before, describe, it } from 'mocha';
import { loopback } from '../../../../../support/loopback.ts';
import { AuthorizationServer, type Forgery } from '../../../support/authorization-server.ts';
import { type Answer, type Outgoing, token as plainToken, send, startServer, type WireServer } from '../../../support/wire.ts';

const now = (): number => Math.floor(Date.now() / 1000);

/** Gets past the bearer check, and no further. */
const isIn = 404;

let issuer: AuthorizationServer;
let server: WireServer;
let resource: string;
/** Keys of a foreign issuer. */
let other: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey };

before(async () => {
  other = await generateKeyPair('RS256', { extractable: true });
  issuer = await AuthorizationServer.start({ alg: 'RS256' });
  server = await startServer({ issuers: [{ issuer: issuer.issuer }] });
  resource = `http://127.0.0.1:${server.port}/mcp`;
});

after(async () => {
  await server.kernel.close();
  await issuer.close();
});

function ask(token: string, { headers, path = '/nowhere' }: Outgoing = {}): Promise<Answer> {
  return send(server.port, { method: 'GET', path, headers: { authorization: `Bearer ${token}`, ...headers } });
}

function expectRefused({ status, headers, body }: Answer, problem: string): void {
  expect(status, body).to.equal(401);
  const metadata = `resource_metadata="http://127.0.0.1:${server.port}/.well-known/oauth-protected-resource/mcp"`;
  expect(headers['www-authenticate']).to.match(/^Bearer error="invalid_token", error_description="[^"]+", /);
  expect(headers['www-authenticate']).to.include(problem).and.to.include(metadata);
  expect(JSON.parse(body)).to.have.nested.property('error.message').that.includes(problem);
}

describe('access tokens that are let in', () => {
  const good: Readonly<Record<string, () => Forgery>> = {
    'one that is signed by the issuer': () => ({}),
    'one for several resources': () => ({ claims: { aud: ['https://other.example', resource] } }),
    'one with the whole media type': () => ({ header: { typ: 'application/at+jwt' } }),
    'one that has expired within the leeway': () => ({ claims: { exp: now() - 20 } }),
    'one that begins within the leeway': () => ({ claims: { nbf: now() + 20 } }),
    'one of a client that acts for nobody': () => ({ claims: { sub: undefined } }),
    'one with claims that nobody here knows': () => ({ claims: { groups: ['a', 'b'], tenant: { id: 1 } } }),
  };
  for (const [name, forgery] of Object.entries(good))
    it(name, async () => {
      expect((await ask(await issuer.forged(resource, forgery()))).status).to.equal(isIn);
    });

  it('one that a client got from the issuer for this resource', async () => {
    expect((await ask(await issuer.token(resource))).status).to.equal(isIn);
  });

  it('a plain token that is configured beside the issuer', async () => {
    expect((await ask(plainToken)).status).to.equal(isIn);
  });
});

describe('access tokens that are refused', () => {
  const otherResource = 'issued for another resource';
  const bad: Readonly<Record<string, readonly [problem: string, forgery: () => Forgery]>> = {
    expired: ['has expired', () => ({ claims: { exp: now() - 40 } })],
    'without an end': ['does not say when it expires', () => ({ claims: { exp: undefined } })],
    'with an end that is a text': ['malformed|expires', () => ({ claims: { exp: '9999999999' } })],
    'not valid yet': ['not valid yet', () => ({ claims: { nbf: now() + 60 } })],
    'of an issuer that nobody configured': ['no issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    'of the issuer with a slash behind it': ['no issuer', () => ({ claims: { iss: `${issuer.issuer}/` } })],
    'without an issuer': ['no issuer', () => ({ claims: { iss: undefined } })],
    'for another resource': [otherResource, () => ({ claims: { aud: 'https://other.example/mcp' } })],
    'for the origin of this resource': [otherResource, () => ({ claims: { aud: new URL(resource).origin } })],
    'for this resource with a slash behind it': [otherResource, () => ({ claims: { aud: `${resource}/` } })],
    'for this resource in another case': [otherResource, () => ({ claims: { aud: resource.toUpperCase() } })],
    'for a list without this resource': [otherResource, () => ({ claims: { aud: ['https://other.example', 'machine'] } })],
    'for the client, as an ID token is': [otherResource, () => ({ claims: { aud: 'machine', nonce: 'n' } })],
    'for nobody': [otherResource, () => ({ claims: { aud: undefined } })],
    'of nobody': ['whom it was given to', () => ({ claims: { sub: undefined, client_id: undefined } })],
    'of an empty subject': ['whom it was given to', () => ({ claims: { sub: '' } })],
    'of a subject that is a number': ['whom it was given to|malformed', () => ({ claims: { sub: 7 } })],
    'of a subject without end': ['whom it was given to', () => ({ claims: { sub: 'a'.repeat(256) } })],
    'of a subject with half a character': ['whom it was given to', () => ({ claims: { sub: 'a\ud800' } })],
    'bound to a key of its client': ['bound to a key', () => ({ claims: { cnf: { jkt: 'thumbprint' } } })],
    'of the type JWT': ['not at+jwt', () => ({ header: { typ: 'JWT' } })],
    'without a type': ['not at+jwt', () => ({ header: { typ: undefined } })],
    'of the type of a logout': ['not at+jwt', () => ({ header: { typ: 'logout+jwt' } })],
    'with the name of a key that is not published': ['does not publish', () => ({ header: { kid: 'unknown' } })],
  };
  for (const [name, [problem, forgery]] of Object.entries(bad))
    it(name, async () => {
      const answer = await ask(await issuer.forged(resource, forgery()));
      expectRefused(answer, problem.split('|').find((one) => answer.body.includes(one)) ?? problem);
    });

  /** A token with another key, or with none, as somebody writes it who has read the issuer's public key. */
  const written = async (header: object, sign: (text: string) => Promise<string>): Promise<string> => {
    const claims = { iss: issuer.issuer, aud: resource, sub: 'ada', exp: now() + 600 };
    const text = [{ typ: 'at+jwt', kid: issuer.key.kid, ...header }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${await sign(text)}`;
  };
  const hmac = async (key: string, text: string): Promise<string> => createHmac('sha256', key).update(text).digest('base64url');

  for (const alg of ['none', 'None', 'NONE'])
    it(`unsigned, with the algorithm ${alg}`, async () => {
      expectRefused(await ask(await written({ alg }, async () => '')), 'not accepted');
    });

  it('with a critical header that nobody knows', async () => {
    const sign = async (text: string): Promise<string> => {
      const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', issuer.key.privateKey, Buffer.from(text));
      return Buffer.from(signature).toString('base64url');
    };
    expect((await ask(await written({ alg: 'RS256' }, sign))).status).to.equal(isIn);
    expectRefused(await ask(await written({ alg: 'RS256', crit: ['bound'], bound: true }, sign)), 'malformed');
  });

  const publicKeys: Readonly<Record<string, () => Promise<string>>> = {
    'as PEM': () => exportSPKI(issuer.key.publicKey),
    'as a JWK': async () => JSON.stringify(await exportJWK(issuer.key.publicKey)),
    'by its modulus': async () => String((await exportJWK(issuer.key.publicKey)).n),
  };
  for (const [name, publicKey] of Object.entries(publicKeys))
    it(`signed with HS256 and the public key ${name}`, async () => {
      const key = await publicKey();
      expectRefused(await ask(await written({ alg: 'HS256' }, (text) => hmac(key, text))), 'not accepted');
    });

  it('signed with another key under the name of the right one', async () => {
    expectRefused(await ask(await issuer.forged(resource, { key: other.privateKey })), 'signature of the token is wrong');
  });

  it('signed with the right key in a way that the key is not for', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    expectRefused(await ask(await issuer.forged(resource, { key: privateKey, header: { alg: 'ES256' } })), 'does not publish');
  });

  for (const name of ['jku', 'x5u'])
    it(`with ${name}, which is not asked`, async () => {
      const { privateKey, publicKey } = other;
      const jwk = { ...(await exportJWK(publicKey)), kid: issuer.key.kid, alg: 'RS256' };
      const { url, requests } = await loopback((_, response) => void response.end(JSON.stringify({ keys: [jwk] })));
      const token = await issuer.forged(resource, { key: privateKey, header: { [name]: `${url}/jwks` } });
      expectRefused(await ask(token), 'signature of the token is wrong');
      expect(requests).to.deep.equal([]);
    });

  it('with a key of its own in the header', async () => {
    const { privateKey, publicKey } = other;
    const header = { jwk: await exportJWK(publicKey) };
    expectRefused(await ask(await issuer.forged(resource, { key: privateKey, header })), 'signature of the token is wrong');
  });

  it('changed after it was signed', async () => {
    const [header, , signature] = (await issuer.forged(resource)).split('.');
    const claims = { iss: issuer.issuer, aud: resource, sub: 'the operator', exp: now() + 600 };
    const changed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
    expectRefused(await ask(changed), 'signature of the token is wrong');
  });

  it('without its signature', async () => {
    const [header, claims] = (await issuer.forged(resource)).split('.');
    expectRefused(await ask(`${header}.${claims}.`), 'signature of the token is wrong');
  });

  const texts: Readonly<Record<string, readonly [problem: string, text: string]>> = {
    'a text that is no JWT, where nobody can be asked about it': ['no issuer', 'opaque-token'],
    'three parts that are nothing': ['no issuer', 'a.b.c'],
    'claims that are a list': ['no issuer', `e30.${Buffer.from('[]').toString('base64url')}.c2ln`],
    'more than 8,192 characters': ['more than 8192', 'a'.repeat(8193)],
  };
  for (const [name, [problem, text]] of Object.entries(texts)) it(name, async () => expectRefused(await ask(text), problem));

  it('in the query, as if there were none', async () => {
    const path = `/mcp?access_token=${await issuer.forged(resource)}`;
    const { status, headers } = await ask('', { path, headers: { authorization: undefined } });
    expect(status).to.equal(401);
    expect(headers['www-authenticate']).to.equal(
      `Bearer resource_metadata="http://127.0.0.1:${server.port}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('what an issuer is configured with', () => {
  it('leaves out algorithms that are not listed', async () => {
    const strict = await startServer({ issuers: [{ issuer: issuer.issuer, algorithms: ['ES256', 'PS256'] }] });
    const token = await issuer.forged(`http://127.0.0.1:${strict.port}/mcp`);
    const { status, body } = await send(strict.port, { method: 'GET', path: '/nowhere', headers: { authorization: `Bearer ${token}` } });
    await strict.kernel.close();
    expect([status, body]).to.deep.equal([401, body]);
    expect(body).to.include('not accepted');
  });

  it('takes an audience, and a resource, of its own', async () => {
    const options = { issuers: [{ issuer: issuer.issuer, audience: 'api://tools' }], resource: 'https://tools.example/mcp' };
    const named = await startServer(options);
    const statusFor = async (aud: string): Promise<number> => {
      const token = await issuer.forged(aud);
      return (await send(named.port, { method: 'GET', path: '/nowhere', headers: { authorization: `Bearer ${token}` } })).status;
    };
    const statuses = [await statusFor('api://tools'), await statusFor('https://tools.example/mcp')];
    await named.kernel.close();
    expect(statuses).to.deep.equal([isIn, 401]);
  });

  it('takes the tokens of an issuer that calls them JWT, and of no other type', async () => {
    const older = await startServer({ issuers: [{ issuer: issuer.issuer, tokenType: 'JWT' }] });
    const statuses = [];
    for (const typ of ['JWT', undefined, 'at+jwt', 'logout+jwt', 'dpop+jwt']) {
      const token = await issuer.forged(`http://127.0.0.1:${older.port}/mcp`, { header: { typ } });
      statuses.push((await send(older.port, { method: 'GET', path: '/nowhere', headers: { authorization: `Bearer ${token}` } })).status);
    }
    await older.kernel.close();
    expect(statuses).to.deep.equal([isIn, isIn, isIn, 401, 401]);
  });

  it('takes a leeway for clocks of its own', async () => {
    const exact = await startServer({ issuers: [{ issuer: issuer.issuer, clockSkewS: 0 }] });
    const token = await issuer.forged(`http://127.0.0.1:${exact.port}/mcp`, { claims: { exp: now() - 2 } });
    const { status } = await send(exact.port, { method: 'GET', path: '/nowhere', headers: { authorization: `Bearer ${token}` } });
    await exact.kernel.close();
    expect(status).to.equal(401);
  });
});

it('shows no part of any of these tokens in the log', () => {
  expect(JSON.stringify(server.records)).to.not.match(/eyJ|at\+jwt/);
});
