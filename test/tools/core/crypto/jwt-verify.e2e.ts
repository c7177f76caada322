import { expect } from 'chai';
import sinon from 'sinon';
import { readings } from '../../../support/readings.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from '../time/shared-tool.ts';
import { base64url, hmacToken, keyPair, optionsWithSecrets } from './signing.ts';

const secret = 'a shared secret für alle, at least 32 bytes';
const nowSeconds = Date.parse('2024-02-29T12:00:00Z') / 1000;

interface Verified {
  readonly valid: boolean;
  readonly payload: unknown;
  readonly error: string | null;
}

describe('crypto_jwt_verify with a shared secret', () => {
  const { pem } = keyPair('EdDSA');
  const call = sharedTool<Verified>('crypto_jwt_verify', optionsWithSecrets({ JWT_SECRET: secret, PUBLIC_KEY: pem }));
  const verify = (token: string, more: object = {}): Promise<Verified> =>
    call({ token, algorithms: ['HS256'], secret_name: 'JWT_SECRET', ...more });

  beforeEach(() => sinon.useFakeTimers({ now: nowSeconds * 1000, toFake: ['Date'] }));
  afterEach(() => sinon.restore());

  const claims = { sub: 'Jürgen 世界', iss: 'https://issuer.example/', aud: ['api', 'web'] };
  for (const bits of [256, 384, 512]) {
    it(`accepts a token that Python signed with HMAC and SHA-${bits}`, async () => {
      const token = hmacToken(claims, secret, { bits });
      expect(await verify(token, { algorithms: [`HS${bits}`] })).to.deep.equal({ valid: true, payload: claims, error: null });
    });
  }

  it('accepts a token without claims, and one with Bearer in front of it', async () => {
    const token = hmacToken({}, secret);
    for (const text of [token, `Bearer ${token}`]) expect(await verify(text)).to.deep.equal({ valid: true, payload: {}, error: null });
  });

  it('gives integers beyond 2^53 with all their digits', async () => {
    const token = hmacToken('{"id":1915883588174806058}', secret);
    expect(await verify(token)).to.deep.equal({ valid: true, payload: { id: '1915883588174806058' }, error: null });
  });

  const accepted = [
    { claims: { exp: nowSeconds + 1 } },
    { claims: { exp: nowSeconds - 29 } },
    { claims: { nbf: nowSeconds + 30 } },
    { claims: { iss: 'me' }, more: { issuer: 'me' } },
    { claims: { aud: 'me' }, more: { audience: 'me' } },
    { claims: { aud: ['you', 'me'] }, more: { audience: 'me' } },
    { claims: {}, more: { algorithms: ['HS512', 'HS256'] } },
  ];
  for (const { claims, more } of accepted) {
    it(`accepts ${JSON.stringify(claims)}${more === undefined ? '' : ` with ${JSON.stringify(more)}`}`, async () => {
      expect(await verify(hmacToken(claims, secret), more)).to.deep.equal({ valid: true, payload: claims, error: null });
    });
  }

  const header = base64url({ alg: 'HS256' });
  const payload = base64url({ sub: 'private-subject' });
  const signature = Buffer.alloc(32).toString('base64url');
  const refused: readonly { what: string; token: () => string; more?: object; error: string }[] = [
    {
      what: 'is over',
      token: () => hmacToken({ exp: nowSeconds - 30 }, secret),
      error: 'The token expired 2024-02-29T11:59:30.000Z (30 seconds of tolerance are given).',
    },
    {
      what: 'was over in a year without four digits',
      token: () => hmacToken({ exp: -1e12 }, secret),
      error: 'The token expired at a time out of range',
    },
    {
      what: 'begins later',
      token: () => hmacToken({ nbf: nowSeconds + 31 }, secret),
      error: 'The token is not valid before 2024-02-29T12:00:31.000Z.',
    },
    {
      what: 'has another issuer',
      token: () => hmacToken({ iss: 'private-issuer' }, secret),
      more: { issuer: 'me' },
      error: 'The issuer (iss) of the token is not "me".',
    },
    {
      what: 'has no issuer',
      token: () => hmacToken({}, secret),
      more: { issuer: 'me' },
      error: 'The token has no "iss" claim, which was asked for.',
    },
    {
      what: 'is for somebody else',
      token: () => hmacToken({ aud: ['private-one'] }, secret),
      more: { audience: 'me' },
      error: 'The token is not meant for the audience (aud) "me".',
    },
    {
      what: 'has an expiry that is no number',
      token: () => hmacToken({ exp: 'tomorrow' }, secret),
      error: 'The "exp" claim of the token is not what RFC 7519 allows.',
    },
    { what: 'was signed with another secret', token: () => hmacToken({}, 'another'), error: 'The signature does not fit' },
    { what: 'was changed', token: () => `${header}.${base64url({ sub: 'admin' })}.${signature}`, error: 'The signature does not fit' },
    { what: 'has no signature', token: () => `${header}.${payload}.`, error: 'The signature does not fit' },
    {
      what: 'is unsigned',
      token: () => `${base64url({ alg: 'none' })}.${payload}.`,
      error: 'The algorithm (alg) of the token is not one of HS256.',
    },
    { what: 'has the algorithm NONE', token: () => `${base64url({ alg: 'NONE' })}.${payload}.${signature}`, error: 'The algorithm (alg)' },
    {
      what: 'has another algorithm',
      token: () => hmacToken({}, secret, { bits: 512 }),
      error: 'The algorithm (alg) of the token is not one of HS256.',
    },
    {
      what: 'has no algorithm',
      token: () => `${base64url({})}.${payload}.${signature}`,
      error: 'The header or the payload of the token breaks the rules',
    },
    {
      what: 'has an extension that must be known',
      token: () => hmacToken({}, secret, { header: { crit: ['x'], x: 1 } }),
      error: 'The token needs an extension or algorithm',
    },
  ];
  for (const { what, token, more, error } of refused) {
    it(`says that a token is not valid that ${what}`, async () => {
      const result = await verify(token(), { ...more });
      expect(result).to.include({ valid: false, payload: null });
      expect(result.error).to.include(error).and.not.include('private');
    });
  }

  it('shows the secret in no answer and no error', async () => {
    const tokens = [hmacToken({ leaked: secret }, secret), hmacToken({}, 'another'), secret, `${base64url(secret)}.${base64url(secret)}.x`];
    const answers = await Promise.all(tokens.map((token) => verify(token).catch((error: unknown) => [error, String(error)])));
    expect(readings(JSON.stringify(answers), 2)).to.not.include(secret);
  });

  const mistakes: readonly { more: object; says: string }[] = [
    { more: { algorithms: undefined }, says: 'algorithms is required' },
    { more: { algorithms: [] }, says: 'algorithms expected' },
    { more: { algorithms: ['none'] }, says: 'algorithms[0] expected one of "HS256"' },
    { more: { algorithms: ['HS256', 'HS256'] }, says: 'algorithms expected' },
    { more: { secret_name: undefined }, says: 'expected exactly one of "secret_name" and "jwks_url", received neither' },
    { more: { jwks_url: 'https://issuer.example/' }, says: 'expected exactly one of "secret_name" and "jwks_url", received both' },
    { more: { algorithms: ['HS256', 'RS256'] }, says: 'RS256 is checked with a public key, not with a shared secret. Give "jwks_url"' },
    { more: { algorithms: ['EdDSA'] }, says: 'EdDSA is checked with a public key' },
    {
      more: { algorithms: ['RS256', 'HS384'], secret_name: undefined, jwks_url: 'https://issuer.example/' },
      says: 'HS384 is signed with a shared secret, which no key set publishes',
    },
    { more: { secret_name: 'OTHER' }, says: 'names a secret that it may not use' },
  ];
  for (const { more, says } of mistakes) {
    it(`refuses parameters of which ${says}`, async () => {
      const { message } = await rejection(verify(hmacToken({}, secret), { ...more }), 'INVALID_PARAMETERS');
      expect(message).to.include(says);
    });
  }

  it('takes no public key for a shared secret', async () => {
    const error = await rejection(verify(hmacToken({}, pem), { secret_name: 'PUBLIC_KEY' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('names a PEM key, which is no shared secret').and.not.include(pem.split('\n')[1]);
  });
});
