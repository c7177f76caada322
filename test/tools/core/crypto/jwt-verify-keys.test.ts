import { expect } from 'chai';
import { cutBodies, sendCoded } from '../../../support/coded-bodies.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from '../time/shared-tool.ts';
import { base64url, hmacToken, type KeyPair, keyPair, optionsWithSecrets, toolkitWithSecrets } from './signing.ts';

const { coreToolkit } = coreGroup('crypto');

const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;

interface Verified {
  readonly valid: boolean;
  readonly payload: unknown;
  readonly error: string | null;
}

describe('crypto_jwt_verify with a key set', () => {
  const call = sharedTool<Verified>('crypto_jwt_verify', optionsWithSecrets({}));
  const verifyAt = (jwks_url: string, token: string, wanted: readonly string[] = algorithms): Promise<Verified> =>
    call({ token, algorithms: wanted, jwks_url });
  const verify = async (keys: readonly unknown[], token: string, wanted?: readonly string[]): Promise<Verified> => {
    const { url } = await loopback((_, response) => json(response, { keys }));
    return verifyAt(url, token, wanted);
  };

  const pairs = {} as Record<(typeof algorithms)[number], KeyPair>;
  let other: KeyPair;
  before(() => {
    for (const algorithm of algorithms) pairs[algorithm] = keyPair(algorithm, `key of ${algorithm} ü`);
    other = keyPair('ES256', 'other');
  });

  const claims = { sub: 'Jürgen 世界' };
  for (const algorithm of algorithms) {
    it(`accepts a token that openssl signed for ${algorithm}, with the key of its id among others`, async () => {
      const keys = [other.jwk, ...algorithms.map((name) => pairs[name].jwk)];
      expect(await verify(keys, pairs[algorithm].token(claims))).to.deep.equal({ valid: true, payload: claims, error: null });
      expect(await verify(keys, pairs[algorithm].token(claims), [algorithm])).to.include({ valid: true });
    });
  }

  it('accepts a token without a key id, whichever of the keys it fits', async () => {
    const keys = [other.jwk, pairs.ES256.jwk, pairs.RS256.jwk];
    expect(await verify(keys, pairs.ES256.token(claims, {}))).to.include({ valid: true });
    expect(await verify([...keys].reverse(), other.token(claims, {}))).to.include({ valid: true });
  });

  for (const body of cutBodies('{"keys":[]}')) {
    it(`takes no key set whose compressed body is cut off: ${body.name}`, async () => {
      const { url } = await loopback((_, response) => sendCoded(response, body, 'application/json'));
      const { message } = await rejection(verifyAt(url, pairs.ES256.token(claims)), 'UPSTREAM_UNAVAILABLE');
      expect(message).to.include('gave no whole answer');
    });
  }

  it('fetches the keys anew for each call, and asks for JSON', async () => {
    let keys: readonly unknown[] = [pairs.ES256.jwk];
    const { url, requests } = await loopback((_, response) => json(response, { keys }));
    expect(await verifyAt(url, pairs.ES256.token(claims))).to.include({ valid: true });
    keys = [];
    expect(await verifyAt(url, pairs.ES256.token(claims))).to.include({ valid: false });
    expect(requests).to.have.length(2);
    expect(requests[0]?.headers.accept).to.include('application/json');
  });

  it('says that a token is not valid that is over', async () => {
    const { error } = await verify([pairs.ES256.jwk], pairs.ES256.token({ exp: 1700000000 }));
    expect(error).to.include('The token expired 2023-11-14T22:13:20.000Z');
  });

  const noKey = 'No key of the key set has the key id (kid) and the algorithm of the token.';
  const refused: readonly { what: string; keys: () => unknown[]; token: () => string; wanted?: string[]; error: string }[] = [
    {
      what: 'was changed',
      keys: () => [pairs.RS256.jwk],
      token: () => pairs.RS256.token(claims).replace(base64url(claims), base64url({ sub: 'admin' })),
      error: 'The signature does not fit',
    },
    {
      what: 'another key signed',
      keys: () => [{ ...other.jwk, kid: pairs.ES256.jwk['kid'] }],
      token: () => pairs.ES256.token(claims),
      error: 'The signature does not fit',
    },
    {
      what: 'none of several keys signed',
      keys: () => [other.jwk, other.jwk],
      token: () => pairs.ES256.token(claims, {}),
      error: 'The signature does not fit',
    },
    { what: 'names a key that is not there', keys: () => [other.jwk], token: () => pairs.ES256.token(claims), error: noKey },
    { what: 'finds no keys at all', keys: () => [], token: () => pairs.ES256.token(claims), error: noKey },
    {
      what: 'finds a key for encryption only',
      keys: () => [{ ...pairs.ES256.jwk, use: 'enc' }],
      token: () => pairs.ES256.token(claims),
      error: noKey,
    },
    {
      what: 'has an algorithm that was not asked for',
      keys: () => [pairs.RS256.jwk],
      token: () => pairs.RS256.token(claims),
      wanted: ['PS256'],
      error: 'is not one of PS256',
    },
    {
      what: 'is signed with the public key as if it were a secret',
      keys: () => [pairs.RS256.jwk],
      token: () => hmacToken(claims, pairs.RS256.pem),
      error: 'is not one of RS256, ES256, EdDSA',
    },
    {
      what: 'is unsigned',
      keys: () => [pairs.RS256.jwk],
      token: () => `${base64url({ alg: 'none' })}.${base64url(claims)}.`,
      error: 'is not one of RS256',
    },
    {
      what: 'brings its own key',
      keys: () => [],
      token: () => other.token(claims, { jwk: other.jwk, jku: 'https://issuer.example/' }),
      error: noKey,
    },
  ];
  for (const { what, keys, token, wanted, error } of refused) {
    it(`says that a token is not valid that ${what}`, async () => {
      const result = await verify(keys(), token(), wanted);
      expect(result).to.include({ valid: false, payload: null });
      expect(result.error).to.include(error);
    });
  }

  it('ends with an error where the key that fits cannot be used', async () => {
    const short = { kty: 'RSA', kid: 'short', n: Buffer.alloc(64, 0xff).toString('base64url'), e: 'AQAB' };
    const error = await rejection(verify([short], pairs.RS256.token(claims, { kid: 'short' })), 'EXECUTION_FAILED');
    expect(error.message).to.include('The key for this token cannot be used').and.include('2048 bits');
    await rejection(verify([{ ...pairs.ES256.jwk, x: 'AA' }], pairs.ES256.token(claims)), 'EXECUTION_FAILED');
  });
});

describe('the address of a key set', () => {
  const call = sharedTool<Verified>('crypto_jwt_verify', optionsWithSecrets({}));
  const verifyAt = (jwks_url: string, token: string, wanted: readonly string[] = algorithms): Promise<Verified> =>
    call({ token, algorithms: wanted, jwks_url });

  const token = `${base64url({ alg: 'ES256' })}.${base64url({ sub: 'private-subject' })}.AA`;

  const answers: readonly { what: string; answer: Parameters<typeof loopback>[0]; code: Parameters<typeof rejection>[1]; says: string }[] =
    [
      { what: 'is not there', answer: (_, response) => json(response, {}, 404), code: 'NOT_FOUND', says: 'answered 404' },
      { what: 'wants a login', answer: (_, response) => json(response, {}, 401), code: 'AUTH_FAILED', says: 'answered 401' },
      { what: 'fails', answer: (_, response) => json(response, {}, 503), code: 'UPSTREAM_UNAVAILABLE', says: 'answered 503' },
      { what: 'breaks off', answer: (_, response) => void response.destroy(), code: 'UPSTREAM_UNAVAILABLE', says: 'gave no whole answer' },
      {
        what: 'is a page',
        answer: (_, response) => void response.end('<html>'),
        code: 'EXECUTION_FAILED',
        says: 'expected JSON with a list "keys"',
      },
      {
        what: 'has no keys',
        answer: (_, response) => json(response, { key: [] }),
        code: 'EXECUTION_FAILED',
        says: 'expected JSON with a list "keys"',
      },
      {
        what: 'has words for keys',
        answer: (_, response) => json(response, { keys: ['a'] }),
        code: 'EXECUTION_FAILED',
        says: 'expected JSON with a list "keys"',
      },
      {
        what: 'is null',
        answer: (_, response) => json(response, null),
        code: 'EXECUTION_FAILED',
        says: 'expected JSON with a list "keys"',
      },
      {
        what: 'is empty',
        answer: (_, response) => void response.writeHead(204).end(),
        code: 'EXECUTION_FAILED',
        says: 'expected status 200, received 204',
      },
      {
        what: 'is elsewhere',
        answer: (_, response) => void response.writeHead(302, { location: 'https://elsewhere.example/keys' }).end(),
        code: 'EXECUTION_FAILED',
        says: 'it redirects (302) to "https://elsewhere.example/keys", which is not followed',
      },
      {
        what: 'is larger than 256 KiB',
        answer: (_, response) => json(response, { keys: [], padding: 'x'.repeat(256 * 1024) }),
        code: 'EXECUTION_FAILED',
        says: 'expected at most 262144 bytes, received more',
      },
    ];
  for (const { what, answer, code, says } of answers) {
    it(`ends with ${code} where it ${what}`, async () => {
      const { url } = await loopback(answer);
      const error = await rejection(verifyAt(`${url}/keys`, token), code);
      expect(error.message).to.include(says).and.not.include('private-subject');
    });
  }

  it('is not asked without the permission of the outbound guard', async () => {
    const { url, requests } = await loopback((_, response) => json(response, { keys: [] }));
    const toolkit = await coreToolkit();
    await rejection(toolkit.execute('crypto_jwt_verify', { token, algorithms: ['ES256'], jwks_url: url }), 'OUTBOUND_BLOCKED');
    expect(requests).to.deep.equal([]);
  });

  it('is not asked for a text that is no token', async () => {
    const { url, requests } = await loopback((_, response) => json(response, { keys: [] }));
    await rejection(verifyAt(url, 'private-subject'), 'INVALID_PARAMETERS');
    expect(requests).to.deep.equal([]);
  });

  it('is given up when the caller cancels', async () => {
    const controller = new AbortController();
    const { url } = await loopback(() => controller.abort());
    const toolkit = await toolkitWithSecrets({});
    const call = toolkit.execute('crypto_jwt_verify', { token, algorithms: ['ES256'], jwks_url: url }, { signal: controller.signal });
    await rejection(call, 'ABORTED');
  });

  for (const [url, says] of [
    ['http://issuer.example/keys', 'expected an absolute https address, received "http://issuer.example/keys"'],
    ['http://127.0.0.1.example/keys', 'expected an absolute https address'],
    ['issuer.example', 'expected an absolute https address'],
    ['file:///etc/passwd', 'expected an absolute https address'],
    ['https://me:word@issuer.example/', 'without a user name and a password'],
    ['', 'jwks_url expected'],
  ] as const) {
    it(`is refused where it is ${JSON.stringify(url)}`, async () => {
      const { message } = await rejection(verifyAt(url, token), 'INVALID_PARAMETERS');
      expect(message).to.include(says).and.not.include('word@');
    });
  }
});
