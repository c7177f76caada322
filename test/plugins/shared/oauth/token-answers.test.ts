import { expect } from 'chai';
import { createOAuthClient } from '../../../../plugins/shared/oauth/client.ts';
import type { OAuthClient, OAuthSettings, TokenSet } from '../../../../plugins/shared/oauth/types.ts';
import { type Script, TokenServer } from '../../../support/oauth/token-server.ts';

function clientOf(server: TokenServer, more: Partial<OAuthSettings> = {}): OAuthClient {
  return createOAuthClient(server.settings(more), { fetch, now: () => 5000, wait: async () => {} });
}

async function loginWith(script: Script, more: Partial<OAuthSettings> = {}): Promise<TokenSet> {
  const server = await TokenServer.start();
  const client = clientOf(server, more);
  const request = await client.begin({ redirectUri: 'http://127.0.0.1/callback', scopes: ['read'] });
  server.next(script);
  return client.finish(request, server.authorize(request.url).searchParams);
}

const body = { access_token: 'at-1', token_type: 'Bearer' };
const minimal = { accessToken: 'at-1', receivedAt: 5000, values: { ACME_TOKEN: 'at-1' } };

const slack = { SLACK_BOT_TOKEN: 'access_token', SLACK_USER_TOKEN: 'authed_user.access_token' };

describe('answers of token endpoints', () => {
  const cases: readonly {
    readonly name: string;
    readonly answer: unknown;
    readonly expected: object;
    readonly more?: Partial<OAuthSettings>;
  }[] = [
    { name: 'no token_type', answer: { access_token: 'at-1' }, expected: minimal },
    { name: 'a token_type of its own, as Slack has', answer: { ...body, token_type: 'bot', ok: true }, expected: minimal },
    { name: 'expires_in 0, which ends no token', answer: { ...body, expires_in: 0 }, expected: minimal },
    { name: 'expires_in null', answer: { ...body, expires_in: null }, expected: minimal },
    { name: 'expires_in as text', answer: { ...body, expires_in: '3600' }, expected: { ...minimal, lifetimeMs: 3_600_000 } },
    { name: 'expires_in in words', answer: { ...body, expires_in: 'one hour' }, expected: minimal },
    { name: 'an empty refresh token', answer: { ...body, refresh_token: '' }, expected: minimal },
    {
      name: 'scopes with commas, as GitHub has',
      answer: { ...body, scope: 'read,write' },
      expected: { ...minimal, scopes: ['read', 'write'] },
    },
    { name: 'scopes as a list', answer: { ...body, scope: ['read', 'write'] }, expected: { ...minimal, scopes: ['read', 'write'] } },
    {
      name: 'a name of the account with controls, on one line',
      answer: { ...body, account: 'ann\u001b[2J\n\u202e' },
      expected: { ...minimal, account: 'ann [2J' },
    },
    { name: 'an empty error member', answer: { ...body, error: null }, expected: minimal },
    {
      name: 'nested tokens by the paths of "provides"',
      answer: {
        ok: true,
        team: { id: 'T1' },
        authed_user: { id: 7, access_token: 'xoxp-1', refresh_token: 'xoxe-1', expires_in: 43_200, token_type: 'user' },
      },
      more: { provides: { SLACK_USER_TOKEN: 'authed_user.access_token', SLACK_TEAM: 'team.id' }, accountPath: 'authed_user.id' },
      expected: {
        accessToken: 'xoxp-1',
        refreshToken: 'xoxe-1',
        receivedAt: 5000,
        lifetimeMs: 43_200_000,
        values: { SLACK_USER_TOKEN: 'xoxp-1', SLACK_TEAM: 'T1' },
        account: '7',
      },
    },
    {
      name: "a bot's token beside the user's, as Slack has",
      answer: {
        ok: true,
        token_type: 'bot',
        access_token: 'xoxb-1',
        authed_user: { id: 'U1', access_token: 'xoxp-1', token_type: 'user' },
      },
      more: { provides: slack },
      expected: { accessToken: 'xoxb-1', receivedAt: 5000, values: { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_USER_TOKEN: 'xoxp-1' } },
    },
    {
      name: "the user's token alone, as Slack has without scopes of a bot",
      answer: { ok: true, authed_user: { id: 'U1', access_token: 'xoxp-1', token_type: 'user', expires_in: '43200' } },
      more: { provides: slack },
      expected: { accessToken: 'xoxp-1', receivedAt: 5000, lifetimeMs: 43_200_000, values: { SLACK_USER_TOKEN: 'xoxp-1' } },
    },
    {
      name: 'a value of the redirect, and one with a number that a double cannot hold',
      answer: '{"access_token":"at-1","instance_url":"https://eu.acme.example","id":12345678901234567890}',
      more: { provides: { ACME_TOKEN: 'access_token', ACME_URL: 'instance_url', ACME_ID: 'id', ACME_STATE: 'redirect.iss' } },
      expected: {
        ...minimal,
        values: { ACME_TOKEN: 'at-1', ACME_URL: 'https://eu.acme.example', ACME_ID: '12345678901234567890', ACME_STATE: 'ISSUER' },
      },
    },
  ];
  for (const { name, answer, expected, more } of cases) {
    it(`takes ${name}`, async () => {
      const tokens = await loginWith({ answer: { body: answer } }, more);
      const values = Object.entries(tokens.values).map(([key, value]) => [key, value.startsWith('http://127') ? 'ISSUER' : value]);
      expect({ ...tokens, values: Object.fromEntries(values) }).to.deep.equal(expected);
    });
  }

  it('takes form text where the service sends it', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const tokens = await loginWith({ answer: { headers, body: 'access_token=at-1&scope=read&token_type=bearer' } });
    expect(tokens).to.deep.equal({ ...minimal, scopes: ['read'] });
  });

  it('asks for JSON, and sends JSON where the service wants it', async () => {
    const server = await TokenServer.start();
    const client = clientOf(server, {
      tokenBody: 'json',
      clientAuth: 'basic',
      tokenParams: { audience: 'api' },
      resource: 'https://api.acme.example',
    });
    await client.refresh(server.issue());
    const [request] = server.requests;
    expect(request?.headers).to.include({ accept: 'application/json', 'content-type': 'application/json', connection: 'close' });
    expect(request?.parameters).to.include({
      audience: 'api',
      resource: 'https://api.acme.example',
      client_id: 'toolkit',
      client_secret: 'toolkit-secret',
    });
  });

  it('count asked scopes as granted that a granted one includes, and those of OpenID Connect', async () => {
    const server = await TokenServer.start();
    const client = clientOf(server, { scopeIncludes: { repo: ['public_repo', 'status'], status: ['status:read'] } });
    const asked = ['openid', 'repo', 'public_repo', 'status:read'];
    const request = await client.begin({ redirectUri: 'http://127.0.0.1/callback', scopes: asked });
    server.next({ answer: { body: { ...body, refresh_token: 'rt-1', scope: 'repo' } } });
    const tokens = await client.finish(request, server.authorize(request.url).searchParams);
    expect(tokens.scopes).to.have.members(asked);
    server.next({ answer: { body: { ...body, scope: 'status' } } });
    expect((await client.refresh(tokens)).scopes).to.have.members(['status', 'openid', 'status:read']);
  });

  it('keeps on a refresh what the answer leaves out', async () => {
    const server = await TokenServer.start();
    const tokens = { ...server.issue(['read']), values: { ACME_TOKEN: 'old', ACME_TEAM: 'T1' } };
    server.next({ answer: { body: { access_token: 'at-2' } } });
    expect(await clientOf(server).refresh(tokens)).to.deep.equal({
      accessToken: 'at-2',
      refreshToken: tokens.refreshToken,
      receivedAt: 5000,
      scopes: ['read'],
      values: { ACME_TOKEN: 'at-2', ACME_TEAM: 'T1' },
      account: 'ann@acme.example',
    });
  });

  it('keeps a refresh token that is given only the first time', async () => {
    const server = await TokenServer.start({ rotates: false });
    const first = server.issue(['read']);
    const client = clientOf(server);
    const third = await client.refresh(await client.refresh(first));
    expect(third.refreshToken).to.equal(first.refreshToken);
    expect(third.accessToken).to.not.equal(first.accessToken);
    expect(server.requests.map(({ parameters }) => parameters['refresh_token'])).to.deep.equal([first.refreshToken, first.refreshToken]);
  });

  it('sends a refresh to an address of its own', async () => {
    const [server, other] = [await TokenServer.start(), await TokenServer.start()];
    other.next({ answer: { body: { access_token: 'at-2' } } });
    const client = clientOf(server, { refreshUrl: `${other.url}/token`, operatorOrigins: [server.url, other.url] });
    expect((await client.refresh(server.issue())).accessToken).to.equal('at-2');
    expect(server.count('refresh_token')).to.equal(0);
  });
});
