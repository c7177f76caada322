import { expect } from 'chai';
import { createOAuthClient } from '../../../../plugins/shared/oauth/client.ts';
import type { OAuthClient, OAuthSettings, TokenSet } from '../../../../plugins/shared/oauth/types.ts';
import { type ProviderServer, providerServer } from '../../../support/oauth/provider-server.ts';

const redirectUri = 'http://127.0.0.1/callback';
const scopes = ['openid', 'email', 'offline_access', 'read', 'write'];

function clientOf(settings: OAuthSettings): OAuthClient {
  return createOAuthClient(settings, { fetch, now: Date.now, wait: async () => {} });
}

async function login(server: ProviderServer, client: OAuthClient): Promise<TokenSet> {
  const request = await client.begin({ redirectUri, scopes });
  return client.finish(request, (await server.authorize(request.url)).searchParams);
}

describe('an OAuth client at oidc-provider', () => {
  it('logs in by code with PKCE, and names the account from the id_token', async () => {
    const server = await providerServer();
    const tokens = await login(server, clientOf(server.settings()));
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
  });
});
