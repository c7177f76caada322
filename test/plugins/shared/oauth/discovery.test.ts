import { expect } from 'chai';
import { discoverAuthorizationServer, discoverResource } from '../../../../plugins/shared/oauth/discovery.ts';
import { clientIdDocument, isClientIdAddress, registerClient } from '../../../../plugins/shared/oauth/registration.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';

/** A server with documents by path; 404 elsewhere. `ORIGIN` in them is its own. */
async function published(
  documents: Readonly<Record<string, unknown>>,
): Promise<{ readonly url: string; readonly requests: readonly SeenRequest[] }> {
  const server = await loopback((request, response) => {
    const found = documents[request.url];
    if (found === undefined) return json(response, { error: 'none' }, 404);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found).replaceAll('ORIGIN', server.url));
  });
  return server;
}

function lookUp(url: string) {
  return { provider: 'acme', fetch, operatorOrigins: [url] };
}

const metadata = { issuer: 'ORIGIN/realm', token_endpoint: 'ORIGIN/token', authorization_endpoint: 'ORIGIN/auth' };

describe('the metadata of an authorization server', () => {
  const paths = [
    '/.well-known/oauth-authorization-server/realm',
    '/.well-known/openid-configuration/realm',
    '/realm/.well-known/openid-configuration',
  ];
  for (const [index, path] of paths.entries())
    it(`are found at ${path}`, async () => {
      const { url, requests } = await published({ [path]: metadata });
      const found = await discoverAuthorizationServer({ ...lookUp(url), issuer: `${url}/realm` });
      expect(found).to.include({ token_endpoint: `${url}/token` });
      expect(requests.map((request) => request.url)).to.deep.equal(paths.slice(0, index + 1));
    });

  const [first = ''] = paths;
  const refused: readonly [string, unknown, 'INVALID_PARAMETERS' | 'UPSTREAM_UNAVAILABLE', string][] = [
    ['of another issuer', { ...metadata, issuer: 'https://evil.example' }, 'INVALID_PARAMETERS', 'received those of https://evil.example'],
    ['of an issuer that only looks the same', { ...metadata, issuer: 'ORIGIN/realm/' }, 'INVALID_PARAMETERS', 'received those of'],
    ['without an issuer', { ...metadata, issuer: undefined }, 'INVALID_PARAMETERS', 'received those of undefined'],
    [
      'with an unsafe token endpoint',
      { ...metadata, token_endpoint: 'http://acme.example/token' },
      'UPSTREAM_UNAVAILABLE',
      'its "token_endpoint" cannot be used',
    ],
    [
      'with an address that runs a program',
      { ...metadata, authorization_endpoint: 'javascript:alert(1)' },
      'UPSTREAM_UNAVAILABLE',
      'its "authorization_endpoint"',
    ],
    [
      'with an address on this machine that the operator did not write',
      { ...metadata, registration_endpoint: 'http://127.0.0.1:1/r' },
      'UPSTREAM_UNAVAILABLE',
      'its "registration_endpoint"',
    ],
    ['without a token endpoint', { ...metadata, token_endpoint: undefined }, 'UPSTREAM_UNAVAILABLE', 'expected "token_endpoint"'],
    ['that are no object', ['x'], 'UPSTREAM_UNAVAILABLE', 'expected a JSON object'],
  ];
  for (const [name, document, code, says] of refused)
    it(`are refused ${name}`, async () => {
      const { url, requests } = await published({ [first]: document });
      const error = await rejection(discoverAuthorizationServer({ ...lookUp(url), issuer: `${url}/realm` }), code);
      expect(error.message).to.include(says);
      expect(requests).to.have.length(Array.isArray(document) ? 3 : 1);
    });

  it('are missed in words', async () => {
    const { url, requests } = await published({});
    const error = await rejection(discoverAuthorizationServer({ ...lookUp(url), issuer: url }), 'AUTH_FAILED');
    expect(error.message).to.include('The request for the metadata of the authorization server to "acme" was refused');
    expect(requests).to.have.length(2);
    const unsafe = discoverAuthorizationServer({ ...lookUp(url), issuer: 'http://acme.example' });
    expect((await rejection(unsafe, 'UPSTREAM_UNAVAILABLE')).details['oauth']).to.deep.equal({ kind: 'unsent' });
  });
});

describe('the metadata of a protected resource', () => {
  const document = { resource: 'ORIGIN/mcp', authorization_servers: ['https://login.acme.example', 7], scopes_supported: ['read'] };
  const expected = { authorizationServers: ['https://login.acme.example'], scopes: ['read'] };

  const found: readonly [string, string, object, string | undefined][] = [
    ['at the well-known path of the resource', '/.well-known/oauth-protected-resource/mcp', document, undefined],
    ['at the well-known path of its origin', '/.well-known/oauth-protected-resource', { ...document, resource: 'ORIGIN' }, undefined],
    ['at the address that the refusal names', '/meta', document, '/meta'],
    ['with a slash more', '/meta', { ...document, resource: 'ORIGIN/mcp/' }, '/meta'],
  ];
  for (const [name, path, body, named] of found)
    it(`are found ${name}`, async () => {
      const { url } = await published({ [path]: body });
      const resource = await discoverResource({
        ...lookUp(url),
        url: `${url}/mcp`,
        metadataUrl: named === undefined ? undefined : `${url}${named}`,
      });
      expect(resource).to.deep.include(expected);
      expect(resource?.resource).to.include(url);
    });

  it('may be absent', async () => {
    const { url } = await published({});
    expect(await discoverResource({ ...lookUp(url), url: `${url}/mcp` })).to.equal(undefined);
    await rejection(discoverResource({ ...lookUp(url), url: `${url}/mcp`, metadataUrl: `${url}/meta` }), 'AUTH_FAILED');
  });

  for (const resource of ['https://evil.example/mcp', 'ORIGIN/mcp/other', 'ORIGIN/mc', 'ORIGIN/mcp?tenant=other', 'ORIGIN/mcp#x', '', 7])
    it(`are refused for ${JSON.stringify(resource)}`, async () => {
      const { url } = await published({ '/meta': { ...document, resource } });
      const error = await rejection(
        discoverResource({ ...lookUp(url), url: `${url}/mcp`, metadataUrl: `${url}/meta` }),
        'INVALID_PARAMETERS',
      );
      expect(error.details['oauth']).to.deep.equal({ kind: 'mismatch' });
    });

  it('are not fetched from an unsafe address', async () => {
    const { url } = await published({});
    const error = await rejection(
      discoverResource({ ...lookUp(url), url: `${url}/mcp`, metadataUrl: 'http://127.0.0.1:1/meta' }),
      'UPSTREAM_UNAVAILABLE',
    );
    expect(error.details['oauth']).to.deep.equal({ kind: 'unsent' });
  });
});

describe('registering a client', () => {
  async function registered(answer: unknown, status = 201) {
    const { url, requests } = await loopback((_request, response) => json(response, answer, status));
    const client = { redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'], scopes: ['read', 'write'] };
    return { outcome: registerClient({ ...lookUp(url), url: `${url}/register`, ...client }), requests };
  }

  it('sends its metadata, and returns the answer', async () => {
    const { outcome, requests } = await registered({
      client_id: 'c1',
      client_secret: 's1',
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_post',
    });
    expect(await outcome).to.include({ client_id: 'c1', client_secret: 's1' });
    expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({
      client_name: 'toolkit',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'read write',
    });
  });

  it('is refused in words', async () => {
    const denied = await registered({ error: 'invalid_redirect_uri', error_description: 'loopback only' }, 400);
    expect((await rejection(denied.outcome, 'AUTH_FAILED')).message).to.include('invalid_redirect_uri (loopback only)');
    for (const answer of [
      {},
      { client_id: '' },
      { client_id: 'c'.repeat(5000) },
      { client_id: 'c1', token_endpoint_auth_method: 'private_key_jwt' },
    ])
      await rejection((await registered(answer)).outcome, 'UPSTREAM_UNAVAILABLE');
  });

  it('is not needed with a document at an https address', () => {
    const id = 'https://acme.example/toolkit/client.json';
    expect(clientIdDocument(id, { redirectUris: ['https://acme.example/accounts/callback'] })).to.deep.include({ client_id: id });
    expect(isClientIdAddress(id)).to.equal(true);
    for (const other of [
      'toolkit',
      'http://acme.example/c',
      'https://acme.example',
      'https://acme.example/',
      `${id}#x`,
      'https://u@acme.example/c',
      'https://acme.example/a/../c',
      'https://ACME.example/c',
    ])
      expect(isClientIdAddress(other), other).to.equal(false);
  });
});
