import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { CallClient, CallOutput, CallRequest } from '../../../kernel/index.ts';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { providerServer } from '../../support/oauth/provider-server.ts';
import { rejection } from '../../support/rejection.ts';
import { type AccountSite, accountSite, holder } from './account-site.ts';
import { Browser } from './connect/browser.ts';
import { serveRoutes } from './connect/serve-routes.ts';

const identity = ['openid', 'email', 'offline_access'];

const bearer = (scope: string): readonly [Readonly<Record<string, string>>, unknown] => [
  { 'www-authenticate': `Bearer realm="acme", error="insufficient_scope"${scope}` },
  { message: 'no' },
];

const google = { error: { code: 403, status: 'PERMISSION_DENIED', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } };

const github = (accepted: string, held: string): Readonly<Record<string, string>> => ({
  'x-accepted-oauth-scopes': accepted,
  'x-oauth-scopes': held,
});

interface Mail extends AccountSite {
  /** Requests that the API got: the status of each answer. */
  readonly statuses: readonly number[];
  send(more?: Partial<CallRequest>): Promise<CallOutput>;
}

interface MailOptions {
  /** The answer to a token without the scope: its headers and body. */
  readonly refusal?: readonly [Readonly<Record<string, string>>, unknown];
  readonly required?: readonly string[];
  readonly oauth2?: Readonly<Record<string, unknown>>;
  /** Runs before each answer of the API. */
  readonly before?: () => Promise<void>;
}

/** An API whose tool writes, and needs the scope `write`. */
async function mail({ refusal = bearer(', scope="write"'), required = ['write'], oauth2 = {}, before }: MailOptions = {}): Promise<Mail> {
  const redirects = ['http://127.0.0.1/callback', 'http://127.0.0.1/accounts/callback'];
  const grants = ['authorization_code', 'refresh_token'];
  const client = { client_id: 'toolkit', client_secret: 'toolkit-secret', application_type: 'native', redirect_uris: redirects };
  const server = await providerServer({ configuration: { clients: [{ ...client, grant_types: grants }] } });
  const statuses: number[] = [];
  const answer = async ({ headers }: SeenRequest, response: ServerResponse): Promise<void> => {
    const found = await server.introspect(headers.authorization?.replace('Bearer ', '') ?? '');
    await before?.();
    const status = found === undefined ? 401 : found.scopes.includes('write') ? 200 : 403;
    statuses.push(status);
    json(response, status === 403 ? refusal[1] : { scopes: found?.scopes }, status, status === 403 ? refusal[0] : {});
  };
  const api = await loopback((request, response) => void answer(request, response));
  const tool = {
    name: 'acme_send',
    description: 'Sends a message.',
    provider: 'acme',
    execution: { type: 'http', method: 'post', url: `${api.url}/messages` },
    authentication: { type: 'bearer', provider: 'acme', required_scopes: required },
    risk: 'low',
  };
  const site = await accountSite({ server, tools: [tool], oauth2 });
  return { ...site, statuses, send: (more = {}) => site.kernel.call({ tool: 'acme_send', parameters: {}, ...more }) };
}

/** A client whose person opens links, and logs in there. */
async function opening({ kernel, server }: Mail, asked: string[]): Promise<CallClient> {
  const url = await serveRoutes(() => kernel.httpRoutes.routes);
  kernel.httpRoutes.serve({ baseUrl: url, hasSeveralCallers: false });
  const logIn = async (link: string): Promise<void> => {
    const browser = new Browser({ url });
    await browser.open((await server.authorize(await browser.goOn(link))).href);
  };
  return {
    elicitUrl: async ({ url: link, message }) => {
      asked.push(message);
      await logIn(link);
      return { action: 'accept', complete: () => {} };
    },
  };
}

describe('a call whose account lacks a scope', () => {
  const refusals: Readonly<Record<string, MailOptions['refusal']>> = {
    'a challenge that names the scope (RFC 6750)': bearer(', scope="write"'),
    'a challenge that names more than the tool requires': bearer(', scope="admin write"'),
    'a challenge without scopes': bearer(''),
    "Google's reason": [{}, google],
    "Google's reason, with every scope that would do": [bearer(', scope="admin write"')[0], google],
    "GitHub's headers": [github('admin, write', 'read'), { message: 'Forbidden' }],
  };
  for (const [title, refusal] of Object.entries(refusals))
    it(`ends with AUTH_REQUIRED, the scope and the command after ${title}`, async () => {
      const site = await mail({ ...(refusal === undefined ? {} : { refusal }) });
      await site.login({ account: 'work' });
      const error = await rejection(site.send(), 'AUTH_REQUIRED');
      expect(error.message).to.equal(
        'The account "work" at "acme" lacks the permission write. To add it to what was granted, type: toolkit auth login acme --scopes write --account work',
      );
      expect(error.details).to.deep.include({ provider: 'acme', account: 'work', scopes: ['write'], tool: 'acme_send' });
      expect(site.statuses).to.deep.equal([403]);
      expect(site.server.tokenRequests.filter(({ grant }) => grant === 'refresh_token')).to.deep.equal([]);
    });

  const others: Readonly<Record<string, MailOptions['refusal']>> = {
    'a bare 403': [{}, { message: 'You may not do this.' }],
    'a challenge with another error': [{ 'www-authenticate': 'Bearer error="invalid_request", scope="write"' }, {}],
    "GitHub's headers, with a scope that is enough": [github('write, read', 'read'), {}],
    "GitHub's headers, where no scope is needed": [github('', 'read'), {}],
    'a challenge for scopes that the account has': bearer(', scope="read"'),
  };
  for (const [title, refusal] of Object.entries(others))
    it(`stays INSUFFICIENT_SCOPE after ${title}`, async () => {
      const site = await mail({ required: [], ...(refusal === undefined ? {} : { refusal }) });
      await site.login();
      const error = await rejection(site.send(), 'INSUFFICIENT_SCOPE');
      expect(error.message).to.contain('The service answered 403');
      expect(site.statuses).to.deep.equal([403]);
    });

  it('asks nobody for a scope that only the service names', async () => {
    const site = await mail({ required: [], refusal: bearer(', scope="everything"') });
    await site.login();
    const asked: string[] = [];
    const error = await rejection(site.send({ client: await opening(site, asked) }), 'INSUFFICIENT_SCOPE');
    expect(error.message).to.contain('lacks the permission everything, which the definition of "acme" does not name');
    expect(asked).to.deep.equal([]);
  });

  it('asks its person, and goes on with a write that is carried out once', async () => {
    const site = await mail();
    await site.login();
    const asked: string[] = [];
    const { output, meta } = await site.send({ client: await opening(site, asked) });
    expect((output as { scopes: string[] }).scopes).to.have.members([...identity, 'read', 'write']);
    expect(meta?.account).to.deep.equal({ acme: 'ann@acme.example' });
    expect(asked).to.have.length(1);
    expect(site.statuses).to.deep.equal([403, 200]);
    const [grant] = await site.accounts.accountsOf(holder);
    expect(grant?.scopes).to.include.members(['read', 'write']);
  });

  it('gives the link to a client that cannot be asked', async () => {
    const site = await mail();
    await site.login();
    site.kernel.httpRoutes.serve({ baseUrl: 'https://tools.example', hasSeveralCallers: false });
    const error = await rejection(site.send(), 'AUTH_REQUIRED');
    expect(error.message).to.match(/^Open https:\/\/tools\.example\/\S+ in a browser to give the account more permissions/);
    expect(error.details).to.deep.include({ scopes: ['write'], command: 'toolkit auth login acme --scopes write' });
  });

  it('takes the token of a login that came in between', async () => {
    let logIn = async (): Promise<void> => {};
    const site = await mail({ before: () => logIn() });
    await site.login();
    logIn = async () => {
      logIn = async () => {};
      await site.login({}, [...identity, 'read', 'write']);
    };
    const { output } = await site.send();
    expect((output as { scopes: string[] }).scopes).to.include('write');
    expect(site.statuses).to.deep.equal([403, 200]);
  });

  describe('where the definition says that it can be told before', () => {
    const told = { check_scopes: true, scope_includes: { admin: ['write'] } };

    it('sends nothing', async () => {
      const site = await mail({ oauth2: told });
      await site.login();
      const error = await rejection(site.send(), 'AUTH_REQUIRED');
      expect(error.details).to.deep.include({ scopes: ['write'], command: 'toolkit auth login acme --scopes write' });
      expect(site.statuses).to.deep.equal([]);
    });

    it('asks its person first', async () => {
      const site = await mail({ oauth2: told });
      await site.login();
      const asked: string[] = [];
      await site.send({ client: await opening(site, asked) });
      expect(asked).to.have.length(1);
      expect(site.statuses).to.deep.equal([200]);
    });

    it('sends the request where a granted scope includes the required one', async () => {
      const site = await mail({ oauth2: told });
      await site.login({}, [...identity, 'admin']);
      // This service does not know of it.
      await rejection(site.send(), 'INSUFFICIENT_SCOPE');
      expect(site.statuses).to.deep.equal([403]);
    });

    it('sends the request where the provider names no granted scopes', async () => {
      const site = await mail({ oauth2: told });
      await site.login();
      const [grant] = await site.accounts.accountsOf(holder);
      if (grant === undefined) throw new Error('no grant');
      const { scopes: _scopes, ...tokens } = grant.tokens;
      await site.accounts.grants.save({ ...grant, tokens });
      await rejection(site.send(), 'AUTH_REQUIRED');
      expect(site.statuses).to.deep.equal([403]);
    });
  });
});
