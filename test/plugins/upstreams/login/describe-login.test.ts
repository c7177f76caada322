import { expect } from 'chai';
import type { JsonObject } from '../../../../kernel/index.ts';
import { describeLogin } from '../../../../plugins/upstreams/login/describe-login.ts';
import type { DescribedLogin } from '../../../../plugins/upstreams/login/server-provider.ts';
import type { ServerOAuth } from '../../../../plugins/upstreams/options.ts';
import { settingsOf } from '../../../../plugins/upstreams/settings.ts';
import { json, loopbackServer } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';

interface Described {
  /** Documents by path. `self`: the origin of the server. */
  readonly documents: (self: string) => Readonly<Record<string, JsonObject>>;
  /** The header of its 401. @default none, and no 401 */
  readonly challenge?: (self: string) => string;
  readonly oauth?: (self: string) => ServerOAuth;
}

const wellKnown = '/.well-known/oauth-protected-resource';
const authorizationServer = '/.well-known/oauth-authorization-server';

const issuer = (self: string, more: JsonObject = {}): JsonObject => ({
  issuer: self,
  authorization_endpoint: `${self}/authorize`,
  token_endpoint: `${self}/token`,
  registration_endpoint: `${self}/register`,
  code_challenge_methods_supported: ['S256'],
  ...more,
});
const resource = (self: string, more: JsonObject = {}): JsonObject => ({
  resource: `${self}/mcp`,
  authorization_servers: [self],
  scopes_supported: ['read', 'write'],
  ...more,
});

/** Describes the login of a server that is its own authorization server. */
async function describeAt({ documents, challenge, oauth }: Described): Promise<DescribedLogin & { readonly self: string }> {
  let found: Readonly<Record<string, JsonObject>> = {};
  let header: string | undefined;
  const self = await loopbackServer((request, _body, response) => {
    const document = found[request.url ?? ''];
    if (document !== undefined) json(response, document);
    else response.writeHead(request.url === '/mcp' && header !== undefined ? 401 : 404, { 'www-authenticate': header ?? '' }).end();
  });
  found = documents(self);
  header = challenge?.(self);
  const settings = settingsOf('shop', { url: `${self}/mcp`, auth: 'oauth', ...(oauth === undefined ? {} : { oauth: oauth(self) }) });
  return { self, ...(await describeLogin(settings, undefined, (input, init) => fetch(input, init))) };
}

describe('the login of a server', () => {
  it('is found by the header of its refusal', async () => {
    const { self, ...login } = await describeAt({
      documents: (origin) => ({ '/about': resource(origin), [authorizationServer]: issuer(origin) }),
      challenge: (origin) => `Bearer resource_metadata="${origin}/about", scope="read"`,
    });
    expect(login).to.deep.include({ issuer: self, resource: `${self}/mcp`, scopes: ['read'] });
  });

  for (const path of [`${wellKnown}/mcp`, wellKnown])
    it(`is found without it at ${path}`, async () => {
      const login = await describeAt({ documents: (self) => ({ [path]: resource(self), [authorizationServer]: issuer(self) }) });
      expect(login.scopes).to.deep.equal(['read', 'write']);
    });

  it('is that of its own origin where it describes none', async () => {
    const login = await describeAt({ documents: (self) => ({ [authorizationServer]: issuer(self) }) });
    expect(login).to.deep.include({ issuer: login.self, resource: `${login.self}/mcp`, scopes: [] });
  });

  it('asks for a refresh token where that takes a scope', async () => {
    const login = await describeAt({
      documents: (self) => ({
        [wellKnown]: resource(self),
        [authorizationServer]: issuer(self, { scopes_supported: ['openid', 'offline_access'] }),
      }),
    });
    expect(login.scopes).to.deep.equal(['read', 'write', 'offline_access']);
  });

  it('asks for the scopes of the operator alone', async () => {
    const login = await describeAt({
      documents: (self) => ({ [wellKnown]: resource(self), [authorizationServer]: issuer(self) }),
      challenge: () => 'Bearer scope="admin"',
      oauth: () => ({ scopes: ['read'] }),
    });
    expect(login.scopes).to.deep.equal(['read']);
  });

  const refused: readonly (readonly [string, Partial<Described>, string])[] = [
    ['metadata of another resource', { documents: (self) => ({ [wellKnown]: resource(self, { resource: `${self}/other` }) }) }, '/other'],
    [
      'metadata of another host',
      { documents: (self) => ({ [wellKnown]: resource(self, { resource: 'https://bank.example' }) }) },
      'bank.example',
    ],
    ['metadata of no resource', { documents: (self) => ({ [wellKnown]: { authorization_servers: [self] } }) }, 'nothing'],
    [
      'an issuer that names another one',
      { documents: (self) => ({ [wellKnown]: resource(self), [authorizationServer]: issuer(self, { issuer: 'https://bank.example' }) }) },
      'bank.example',
    ],
    [
      'an issuer on this machine that the operator did not write',
      { documents: (self) => ({ [wellKnown]: resource(self, { authorization_servers: ['http://127.0.0.1:9'] }) }) },
      'expected an address with https',
    ],
    [
      'metadata at an address on this machine that the operator did not write',
      { challenge: () => 'Bearer resource_metadata="http://127.0.0.1:9/about"' },
      'expected an address with https',
    ],
    [
      'a token address without https',
      {
        documents: (self) => ({
          [wellKnown]: resource(self),
          [authorizationServer]: issuer(self, { token_endpoint: 'http://bank.example/token' }),
        }),
      },
      'token_endpoint',
    ],
    [
      'no PKCE',
      {
        documents: (self) => ({
          [wellKnown]: resource(self),
          [authorizationServer]: issuer(self, { code_challenge_methods_supported: ['plain'] }),
        }),
      },
      'PKCE with S256',
    ],
    [
      'an issuer that the operator did not choose',
      {
        documents: (self) => ({ [wellKnown]: resource(self), [authorizationServer]: issuer(self) }),
        oauth: () => ({ issuer: 'https://login.example' }),
      },
      'not of the configured issuer https://login.example',
    ],
  ];
  for (const [what, more, words] of refused)
    it(`is refused with ${what}`, async () => {
      const error = await describeAt({ documents: () => ({}), ...more }).then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      expect(error?.message).to.include(words);
    });

  it('that is nowhere described is told as such', async () => {
    const error = await rejection(describeAt({ documents: () => ({}) }), 'CONFIG_INVALID');
    expect(error.message).to.include('describes no login');
  });
});
