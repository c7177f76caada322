import { expect } from 'chai';
import { createOAuthClient } from '../../../../plugins/shared/oauth/client.ts';
import type { AuthorizationRequest, OAuthSettings } from '../../../../plugins/shared/oauth/types.ts';
import { TokenServer } from '../../../support/oauth/token-server.ts';
import { rejection } from '../../../support/rejection.ts';

const redirectUri = 'http://127.0.0.1/callback';

describe('the address of a login', () => {
  async function begun(
    more: Partial<OAuthSettings>,
    scopes: readonly string[] = ['read', 'write', 'read'],
  ): Promise<[URL, AuthorizationRequest]> {
    const server = await TokenServer.start();
    const client = createOAuthClient(server.settings(more), { fetch, now: Date.now });
    const request = await client.begin({ redirectUri, scopes });
    return [new URL(request.url), request];
  }

  it('has the parameters of the protocol, once each', async () => {
    const [{ searchParams }, { state, verifier }] = await begun({ scopeSeparator: ',', resource: 'https://api.acme.example/' });
    const { code_challenge: challenge, ...rest } = Object.fromEntries(searchParams);
    expect(rest).to.deep.equal({
      response_type: 'code',
      client_id: 'toolkit',
      redirect_uri: redirectUri,
      scope: 'read,write',
      state,
      resource: 'https://api.acme.example/',
      code_challenge_method: 'S256',
    });
    expect(challenge)
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(verifier);
    expect(verifier).to.match(/^[\w-]{43}$/);
    expect(new Set(searchParams.keys()).size).to.equal([...searchParams.keys()].length);
  });

  it('takes no scope, another state or a weaker challenge from the settings of the provider', async () => {
    const params = {
      state: 'fixed',
      code_challenge_method: 'plain',
      code_challenge: 'x',
      redirect_uri: 'https://evil.example',
      prompt: 'consent',
    };
    const [{ searchParams }, { state }] = await begun({ authorizationParams: params });
    const found = Object.fromEntries(searchParams);
    expect(found).to.include({ state, code_challenge_method: 'S256', redirect_uri: redirectUri, prompt: 'consent' });
    expect(found['code_challenge']).to.not.equal('x');
    const [without] = await begun({ authorizationParams: params, pkce: false }, []);
    expect(without.searchParams.has('code_challenge_method')).to.equal(false);
    expect(without.searchParams.has('scope')).to.equal(false);
  });

  it('keeps what the address of the provider has', async () => {
    const server = await TokenServer.start();
    const [{ searchParams }] = await begun({
      authUrl: `${server.url}/authorize?owner=user&state=fixed`,
      tokenUrl: server.url,
      operatorOrigins: [server.url],
    });
    expect(searchParams.get('owner')).to.equal('user');
    expect(searchParams.getAll('state')).to.not.include('fixed');
  });

  for (const authUrl of ['javascript:alert(1)', 'http://acme.example/authorize', 'https://u:p@acme.example/authorize', undefined as never])
    it(`is not made of ${authUrl}`, async () => {
      const error = await rejection(begun({ authUrl }), 'CONFIG_INVALID');
      expect(error.message).to.include('The "auth_url" of "acme" cannot be used');
    });

  for (const tokenUrl of ['http://acme.example/token', 'https://u:p@acme.example/token', ''])
    it(`is not made for tokens at ${tokenUrl === '' ? 'no address' : tokenUrl}: the person would log in for nothing`, async () => {
      const error = await rejection(begun({ tokenUrl }), 'CONFIG_INVALID');
      expect(error.message).to.include('The "token_url" of "acme" cannot be used');
    });
});

describe('a redirect', () => {
  const cases: readonly {
    readonly name: string;
    readonly more?: Partial<OAuthSettings>;
    readonly change: (redirect: URLSearchParams, server: TokenServer) => void;
    readonly request?: (request: AuthorizationRequest) => AuthorizationRequest;
    readonly says: string;
    readonly oauth?: object;
  }[] = [
    {
      name: 'with another state',
      change: (redirect) => redirect.set('state', 'other'),
      says: 'expected the state of this login, received another',
    },
    { name: 'without a state', change: (redirect) => redirect.delete('state'), says: 'expected the state of this login, received none' },
    {
      name: 'with two states',
      change: (redirect) => redirect.append('state', redirect.get('state') ?? ''),
      says: 'received "state" twice',
    },
    { name: 'with two codes', change: (redirect) => redirect.append('code', 'other'), says: 'received "code" twice' },
    { name: 'with a parameter of any name twice', change: (redirect) => redirect.append('iss', 'x'), says: 'received "iss" twice' },
    { name: 'of another issuer', change: (redirect) => redirect.set('iss', 'https://evil.example'), says: 'received another' },
    {
      name: 'of an issuer that only looks the same',
      change: (redirect, { url }) => redirect.set('iss', `${url}/`),
      says: 'received another',
    },
    {
      name: 'without an issuer where the server announces it',
      more: { requiresIss: true },
      change: (redirect) => redirect.delete('iss'),
      says: 'expected "iss" in the redirect',
    },
    {
      name: 'with an error of another issuer',
      change: (redirect) => {
        redirect.set('iss', 'https://evil.example');
        redirect.set('error', 'access_denied');
      },
      says: 'received another',
    },
    {
      name: 'with an error of the server',
      change: (redirect) => {
        redirect.delete('code');
        redirect.set('error', 'access_denied');
        redirect.set('error_description', `no\nSet-Cookie: ${redirect.get('state')} ${'x'.repeat(5000)}`);
      },
      says: 'access_denied (no Set-Cookie: [secret STATE] xxx',
      oauth: { kind: 'refused', error: 'access_denied' },
    },
    { name: 'without a code', change: (redirect) => redirect.delete('code'), says: 'expected a code in the redirect, received none' },
    { name: 'with an access token', change: (redirect) => redirect.set('access_token', 'x'), says: 'received "access_token"' },
    { name: 'with a signed answer', change: (redirect) => redirect.set('response', 'x'), says: 'received "response"' },
    {
      name: 'of a login that lost its verifier',
      change: () => {},
      request: ({ verifier: _, ...rest }) => rest,
      says: 'received one without its verifier',
    },
  ];
  for (const { name, more, change, request = (given: AuthorizationRequest) => given, says, oauth = { kind: 'mismatch' } } of cases) {
    it(`${name} is refused before its code is sent`, async () => {
      const server = await TokenServer.start();
      const client = createOAuthClient(server.settings(more), { fetch, now: Date.now });
      const begun = await client.begin({ redirectUri, scopes: ['read'] });
      const redirect = server.authorize(begun.url).searchParams;
      const code = redirect.get('code') ?? '';
      change(redirect, server);
      const error = await rejection(
        client.finish(request(begun), redirect),
        'kind' in oauth && oauth.kind === 'mismatch' ? 'INVALID_PARAMETERS' : 'AUTH_FAILED',
      );
      expect(error.message).to.include(says);
      expect(error.details['oauth']).to.deep.equal(oauth);
      expect(error.message.length).to.be.below(450);
      for (const hidden of [begun.state, begun.verifier ?? '', code]) expect(JSON.stringify(error)).to.not.include(hidden);
      expect(server.requests).to.deep.equal([]);
    });
  }

  it('without an issuer is taken where the server does not announce it', async () => {
    const server = await TokenServer.start();
    const client = createOAuthClient(server.settings(), { fetch, now: Date.now });
    const begun = await client.begin({ redirectUri, scopes: ['read'], state: 'given' });
    const redirect = server.authorize(begun.url).searchParams;
    redirect.delete('iss');
    expect(begun.state).to.equal('given');
    expect((await client.finish(begun, redirect)).account).to.equal('ann@acme.example');
  });

  it('cannot be used twice', async () => {
    const server = await TokenServer.start();
    const client = createOAuthClient(server.settings(), { fetch, now: Date.now });
    const begun = await client.begin({ redirectUri, scopes: ['read'] });
    const redirect = server.authorize(begun.url).searchParams;
    await client.finish(begun, redirect);
    const error = await rejection(client.finish(begun, redirect), 'AUTH_FAILED');
    expect(error.details['oauth']).to.deep.equal({ kind: 'refused', error: 'invalid_grant' });
  });
});
