import { expect } from 'chai';
import { createOAuthClient } from '../../../../plugins/shared/oauth/client.ts';
import { discoverAuthorizationServer } from '../../../../plugins/shared/oauth/discovery.ts';
import { registerClient } from '../../../../plugins/shared/oauth/registration.ts';
import type { OAuthClient, OAuthSettings, TokenSet } from '../../../../plugins/shared/oauth/types.ts';
import { type ProviderServer, providerServer } from '../../../support/oauth/provider-server.ts';
import { rejection } from '../../../support/rejection.ts';

const redirectUri = 'http://127.0.0.1/callback';
const scopes = ['openid', 'email', 'offline_access', 'read', 'write'];

function clientOf(settings: OAuthSettings, wait: () => Promise<void> = async () => {}): OAuthClient {
  return createOAuthClient(settings, { fetch, now: Date.now, wait });
}

async function login(server: ProviderServer, client: OAuthClient): Promise<TokenSet> {
  const request = await client.begin({ redirectUri, scopes });
  return client.finish(request, (await server.authorize(request.url)).searchParams);
}

describe('an OAuth client at oidc-provider', () => {
  for (const more of [{}, { clientAuth: 'none', clientId: 'public', clientSecret: undefined as never }] as const)
    it(`logs in by code with PKCE and ${JSON.stringify(more)}, and names the account from the id_token`, async () => {
      const server = await providerServer();
      const tokens = await login(server, clientOf(server.settings(more)));
      expect(tokens.account).to.equal('ann@acme.example');
      expect(tokens.values).to.deep.equal({ ACME_TOKEN: tokens.accessToken });
      expect(tokens.lifetimeMs).to.equal(3_600_000);
      expect(tokens.scopes).to.include.members(['read', 'write']);
      expect(await server.introspect(tokens.accessToken)).to.deep.include({ account: 'ann@acme.example' });
    });

  it('refreshes with rotation and keeps what the answer leaves out', async () => {
    const server = await providerServer();
    const client = clientOf(server.settings());
    const first = await login(server, client);
    const second = await client.refresh(first);
    expect(second.accessToken).to.not.equal(first.accessToken);
    expect(second.refreshToken).to.be.a('string').and.not.equal(first.refreshToken);
    expect(second.account).to.equal('ann@acme.example');
    expect(second.values).to.deep.equal({ ACME_TOKEN: second.accessToken });
    expect(await server.introspect(second.accessToken)).to.deep.include({ account: 'ann@acme.example' });
    const error = await rejection(client.refresh(first), 'AUTH_FAILED');
    expect(error.details['oauth']).to.deep.equal({ kind: 'refused', error: 'invalid_grant' });
  });

  it('sends its resource, and gets a token for it', async () => {
    const server = await providerServer();
    const client = clientOf(server.settings({ resource: 'https://api.acme.example/' }));
    const tokens = await login(server, client);
    expect(tokens.accessToken).to.be.a('string');
    expect((await client.refresh(tokens)).accessToken).to.be.a('string');
  });

  it('tells that the person did not allow it', async () => {
    const server = await providerServer();
    const client = clientOf(server.settings());
    const request = await client.begin({ redirectUri, scopes });
    const redirect = await server.authorize(request.url, { denies: true });
    const error = await rejection(client.finish(request, redirect.searchParams), 'AUTH_FAILED');
    expect(error.details['oauth']).to.deep.equal({ kind: 'refused', error: 'access_denied' });
    expect(error.message).to.include('the person did not allow it');
  });

  it('cannot use a code of another client, nor one of another login', async () => {
    const server = await providerServer();
    const [client, other] = [clientOf(server.settings()), clientOf(server.settings({ clientId: 'other', clientSecret: 'other-secret' }))];
    const [request, others] = [await client.begin({ redirectUri, scopes }), await other.begin({ redirectUri, scopes })];
    for (const foreign of [others, await client.begin({ redirectUri, scopes })]) {
      const redirect = (await server.authorize(foreign.url)).searchParams;
      redirect.set('state', request.state);
      const error = await rejection(client.finish(request, redirect), 'AUTH_FAILED');
      expect(error.details['oauth']).to.deep.equal({ kind: 'refused', error: 'invalid_grant' });
    }
  });

  it('gets nothing for a code whose challenge was taken out of the address', async () => {
    const server = await providerServer();
    const client = clientOf(server.settings());
    const request = await client.begin({ redirectUri, scopes });
    const weaker = new URL(request.url);
    weaker.searchParams.delete('code_challenge');
    weaker.searchParams.delete('code_challenge_method');
    const redirect = (await server.authorize(weaker.href)).searchParams;
    const error = await rejection(client.finish(request, redirect), 'AUTH_FAILED');
    expect(error.details['oauth']).to.deep.equal({ kind: 'refused', error: 'invalid_grant' });
  });

  it('logs in by device, and waits until the person has decided', async () => {
    const server = await providerServer();
    let waits = 0;
    let userCode = '';
    const client = clientOf(server.settings(), async () => {
      if (++waits === 3) await server.decideDevice(userCode);
    });
    const device = await client.beginDevice(scopes);
    userCode = device.userCode;
    expect(device).to.include({ verificationUri: `${server.issuer}/device`, intervalMs: 5000, scopes });
    const tokens = await client.finishDevice(device);
    expect(waits).to.equal(3);
    expect(tokens.account).to.equal('ann@acme.example');
    expect((await client.refresh(tokens)).account).to.equal('ann@acme.example');
    expect(server.tokenRequests.filter(({ status }) => status === 400)).to.have.length(2);
  });

  it('tells that the person denied the device', async () => {
    const server = await providerServer();
    const client = clientOf(server.settings());
    const device = await client.beginDevice(scopes);
    await server.decideDevice(device.userCode, { denies: true });
    const error = await rejection(client.finishDevice(device), 'AUTH_FAILED');
    expect(error.details['oauth']).to.deep.equal({ kind: 'refused', error: 'access_denied' });
  });

  it('gets tokens for itself by client credentials', async () => {
    const server = await providerServer();
    const tokens = await clientOf(server.settings({ grant: 'client_credentials' })).clientCredentials(['read']);
    expect(tokens).to.include({ lifetimeMs: 3_600_000 }).and.to.not.have.property('refreshToken');
    const error = await rejection(clientOf(server.settings({ clientSecret: 'wrong' })).clientCredentials(['read']), 'AUTH_FAILED');
    expect(error.details['oauth']).to.deep.equal({ kind: 'refused', error: 'invalid_client' });
  });

  it('revokes a login, also one that is dead', async () => {
    const server = await providerServer();
    const client = clientOf(server.settings());
    const tokens = await login(server, client);
    expect(await client.revoke(tokens)).to.equal(true);
    expect(await server.introspect(tokens.accessToken)).to.equal(undefined);
    await rejection(client.refresh(tokens), 'AUTH_FAILED');
    expect(await client.revoke(tokens)).to.equal(true);
    const { revokeUrl: _, ...without } = server.settings();
    expect(await clientOf(without).revoke(tokens)).to.equal(false);
  });

  it('is found and registered by what the server publishes', async () => {
    const server = await providerServer();
    const lookUp = { provider: 'acme', fetch, operatorOrigins: [server.issuer] };
    const metadata = await discoverAuthorizationServer({ ...lookUp, issuer: server.issuer });
    expect(metadata).to.deep.include({ token_endpoint: `${server.issuer}/token`, authorization_response_iss_parameter_supported: true });
    const url = String(metadata['registration_endpoint']);
    const answer = await registerClient({ ...lookUp, url, redirectUris: [redirectUri], scopes });
    const settings = server.settings({ clientId: String(answer['client_id']), clientAuth: 'none', clientSecret: undefined as never });
    expect((await login(server, clientOf(settings))).account).to.equal('ann@acme.example');
  });
});
