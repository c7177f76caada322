import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { accounts } from '../../../plugins/accounts/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { rowsOf } from '../../support/gauges.ts';
import { type Script, TokenServer } from '../../support/oauth/token-server.ts';
import { sharedState } from '../../support/shared-state.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { acme, client, whoami } from './account-site.ts';

describe('the gauge of refreshed tokens', () => {
  /** Opens a kernel whose caller `default` has a refresh token in the environment, which the first call refreshes. */
  async function site(server: TokenServer): Promise<Kernel> {
    const own = { client_auth: 'post', account_path: 'account', scopes: { read: ['read'] } };
    return testKernel({
      plugins: [(await sharedState()).plugin(), guardOutbound(), executorHttp(), accounts()],
      providers: [acme(server.url, own)],
      tools: [{ ...whoami, execution: { type: 'http', method: 'get', url: '/api' } }],
      secrets: { ...client, ACME_REFRESH_TOKEN: server.issue().refreshToken ?? '' },
      timeoutsMs: { injectAuth: 120_000 },
    });
  }

  const refusing = (error: string): Script => ({ refuse: () => ({ error }) });

  const ends: readonly { readonly what: string; readonly scripts: readonly Script[]; readonly counts: Readonly<Record<string, number>> }[] =
    [
      { what: 'that succeed', scripts: [], counts: { refreshed: 1 } },
      { what: 'whose token the provider takes no more', scripts: [refusing('invalid_grant')], counts: { ended: 1 } },
      { what: 'whose client is refused', scripts: [refusing('invalid_client')], counts: { failed: 1 } },
      { what: 'without an answer, and the next try', scripts: ['lose'], counts: { unanswered: 1, refreshed: 1 } },
    ];
  for (const { what, scripts, counts } of ends)
    it(`counts those ${what}`, async () => {
      const server = await TokenServer.start({ rotates: false });
      const kernel = await site(server);
      expect(await rowsOf(kernel, 'accounts.refreshes')).to.deep.equal({});
      server.next(...scripts);
      await kernel.execute('acme_whoami', {}).catch(() => {});
      expect(await rowsOf(kernel, 'accounts.refreshes')).to.deep.equal(counts);
    });
});
