import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { accounts } from '../../../plugins/accounts/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { createTestKit, type LogRecord } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { TokenServer } from '../../support/oauth/token-server.ts';
import { rejection } from '../../support/rejection.ts';
import { type SharedState, sharedState } from '../../support/shared-state.ts';
import { acme, client, whoami } from './account-site.ts';

const opened: Kernel[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kernel) => kernel.close()));
});

interface ClientSite {
  readonly server: TokenServer;
  readonly store: SharedState;
  readonly log: readonly LogRecord[];
  call(caller?: string): Promise<unknown>;
}

/** A server whose provider gives tokens to its client, without a person. */
async function clientSite(
  given: { readonly of?: ClientSite; readonly secrets?: Readonly<Record<string, string>> } = {},
): Promise<ClientSite> {
  const server = given.of?.server ?? (await TokenServer.start());
  const store = given.of?.store ?? (await sharedState());
  const own = {
    grant: 'client_credentials',
    client_auth: 'post',
    account_path: 'account',
    scopes: { read: ['read'] },
    auth_url: undefined,
  };
  const { kernel, log } = await createTestKit({
    plugins: [store.plugin(), guardOutbound(), executorHttp(), accounts()],
    providers: [JSON.parse(JSON.stringify(acme(server.url, own)))],
    tools: [{ ...whoami, execution: { type: 'http', method: 'get', url: '/api' } }],
    secrets: given.secrets ?? client,
    timeoutsMs: { injectAuth: 120_000 },
  });
  opened.push(kernel);
  const call = async (caller = 'default'): Promise<unknown> => (await kernel.call({ tool: 'acme_whoami', parameters: {}, caller })).output;
  return { server, store, log, call };
}

describe('an account of a client itself', () => {
  it('gets its token at the first call, without a login, and a new one after its end', async () => {
    const site = await clientSite();
    expect(await site.call()).to.deep.equal({ account: 'toolkit' });
    expect(await site.call()).to.deep.equal({ account: 'toolkit' });
    expect(site.server.requests.map(({ parameters }) => [parameters['grant_type'], parameters['scope']])).to.deep.equal([
      ['client_credentials', 'read'],
    ]);
    site.server.expire();
    expect(await site.call()).to.deep.equal({ account: 'toolkit' });
    expect(site.server.count('client_credentials')).to.equal(2);
    for (const secret of site.server.issued) expect(JSON.stringify(site.log)).to.not.contain(secret);
  });

  it('gets one token for all calls that begin together, in two processes', async () => {
    const site = await clientSite();
    const other = await clientSite({ of: site });
    await Promise.all([1, 2, 3, 4, 5].flatMap(() => [site.call(), other.call()]));
    expect(site.server.count('client_credentials')).to.equal(1);
  });

  it('is not given to other callers, who are told how an operator connects one for them', async () => {
    const site = await clientSite();
    await site.call();
    const error = await rejection(site.call('ada'), 'AUTH_REQUIRED');
    expect(error.details['command']).to.equal('toolkit auth login acme --as ada');
    expect(site.server.count('client_credentials')).to.equal(1);
  });

  it('is another one when the client is', async () => {
    const site = await clientSite();
    await site.call();
    const moved = await clientSite({ of: site, secrets: { ACME_CLIENT_ID: 'other', ACME_CLIENT_SECRET: 'other-secret' } });
    await moved.call();
    expect(site.server.requests.map(({ parameters }) => parameters['client_id'])).to.deep.equal(['toolkit', 'other']);
  });

  it('is missed in words that name its secret while that is not set', async () => {
    const site = await clientSite({ secrets: { ACME_CLIENT_ID: 'toolkit' } });
    expect((await rejection(site.call(), 'CONFIG_INVALID')).message).to.contain('Set ACME_CLIENT_SECRET');
    expect(site.server.requests).to.deep.equal([]);
  });

  it('is refused in the words of the server when its secret is wrong', async () => {
    const site = await clientSite({ secrets: { ...client, ACME_CLIENT_SECRET: 'wrong-secret' } });
    const error = await rejection(site.call(), 'AUTH_FAILED');
    expect(error.message).to.contain('invalid_client').and.contain('Check the client id').and.not.contain('wrong-secret');
  });
});
