import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import { accounts } from '../../../../plugins/accounts/index.ts';
import { accountsEndpoints } from '../../../../plugins/console/endpoints/accounts.ts';
import type { AccountsPage } from '../../../../plugins/console/wire/state.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../../plugins/guard-outbound/index.ts';
import { TokenServer } from '../../../support/oauth/token-server.ts';
import { sharedState, unreachableState } from '../../../support/shared-state.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { acme, client, whoami } from '../../accounts/account-site.ts';
import { askEndpoint } from './ask-endpoint.ts';

const pageOf = (kernel: Kernel): Promise<AccountsPage> => askEndpoint(accountsEndpoints, 'GET accounts', kernel);

describe('the accounts on the console', () => {
  it('are shown without their tokens, each with its state', async () => {
    const server = await TokenServer.start({ rotates: false });
    const refreshToken = server.issue().refreshToken ?? '';
    const kernel = await testKernel({
      plugins: [(await sharedState()).plugin(), guardOutbound(), executorHttp(), accounts()],
      providers: [acme(server.url, { client_auth: 'post', account_path: 'account', scopes: { read: ['read'] } })],
      tools: [{ ...whoami, execution: { type: 'http', method: 'get', url: '/api' } }],
      secrets: { ...client, ACME_REFRESH_TOKEN: refreshToken },
      timeoutsMs: { injectAuth: 120_000 },
    });
    expect((await pageOf(kernel)).accounts).to.deep.equal([]);
    await kernel.execute('acme_whoami', {}).catch(() => {});
    const page = await pageOf(kernel);
    expect(page.how).to.include('toolkit auth login <provider>');
    expect(page.accounts).to.have.length(1);
    const [account] = page.accounts;
    expect(account).to.have.all.keys('provider', 'account', 'owner', 'state', 'scopes', 'connectedAt');
    expect(account).to.include({ provider: 'acme', owner: 'default' });
    expect(account?.state).to.match(/left$|^refreshed on use$|^no end told$/);
    expect(JSON.stringify(page)).to.not.include(refreshToken);
  });

  it('say which plugin to list where none keeps accounts', async () => {
    const page = await pageOf(await testKernel());
    expect(page.accounts).to.deep.equal([]);
    expect(page.how).to.include('toolkit/plugins/accounts');
  });

  it('say why where the store cannot be reached', async () => {
    const page = await pageOf(await testKernel({ plugins: [unreachableState().plugin(), accounts()] }));
    expect(page.accounts).to.deep.equal([]);
    expect(page.failure).to.include('The store cannot be used');
    expect(page.how).to.include('toolkit auth login');
  });
});
