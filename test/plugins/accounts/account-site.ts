import type { CallRequest, Kernel, Plugin } from '../../../kernel/index.ts';
import type { AccountName } from '../../../plugins/accounts/account-name.ts';
import type { Accounts } from '../../../plugins/accounts/accounts.ts';
import { accountsOfKernel } from '../../../plugins/accounts/accounts-fact.ts';
import { type AccountsOptions, accounts } from '../../../plugins/accounts/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { createTestKit, type LogRecord } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { type ProviderServer, type ProviderServerOptions, providerServer } from '../../support/oauth/provider-server.ts';
import { type SharedState, sharedState } from '../../support/shared-state.ts';

export const client = { ACME_CLIENT_ID: 'toolkit', ACME_CLIENT_SECRET: 'toolkit-secret' };

const reference = (name: string): string => `\${${name}}`;

/** The provider as a newcomer defines it, with the addresses of a server on loopback. */
export function acme(issuer: string, oauth2: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    provider: { name: 'acme', documentation_url: 'https://acme.example/apps' },
    base_url: issuer,
    auth: { type: 'bearer', token: '{ACME_TOKEN}' },
    oauth2: {
      issuer,
      auth_url: `${issuer}/auth`,
      token_url: `${issuer}/token`,
      device_url: `${issuer}/device/auth`,
      revoke_url: `${issuer}/token/revocation`,
      client_id: reference('ACME_CLIENT_ID'),
      client_secret: reference('ACME_CLIENT_SECRET'),
      client_auth: 'basic',
      authorization_params: { prompt: 'consent' },
      scopes: { identity: ['openid', 'email', 'offline_access'], read: ['read'], write: ['write'] },
      provides: { ACME_TOKEN: 'access_token' },
      account_path: 'id_token.email',
      ...oauth2,
    },
    parameter_mapping: [
      { parameter: 'ACME_CLIENT_ID', env_pattern: 'ACME_CLIENT_ID', required: false, secret: false },
      { parameter: 'ACME_CLIENT_SECRET', env_pattern: 'ACME_CLIENT_SECRET', required: false },
    ],
  };
}

/** A tool of the provider, which answers who is logged in. */
export const whoami = {
  name: 'acme_whoami',
  description: 'Says whose token it is.',
  provider: 'acme',
  execution: { type: 'http', method: 'get', url: '/me' },
  risk: 'low',
};

export interface SiteOptions {
  readonly server?: ProviderServer;
  readonly provider?: ProviderServerOptions;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly oauth2?: Readonly<Record<string, unknown>>;
  readonly options?: AccountsOptions;
  /** The store of another site: a further process. */
  readonly store?: SharedState;
  readonly plugins?: readonly Plugin[];
  /** Further tools. */
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
}

/** A kernel with accounts at an authorization server on loopback, whose API is `GET /me`. */
export interface AccountSite {
  readonly server: ProviderServer;
  readonly store: SharedState;
  readonly kernel: Kernel;
  readonly accounts: Accounts;
  readonly log: readonly LogRecord[];
  /** Logs a holder in as the person at the browser. */
  login(name?: Partial<AccountName>, scopes?: readonly string[]): Promise<void>;
  /** Calls `acme_whoami`. */
  whoami(caller?: string, more?: Partial<CallRequest>): Promise<{ readonly account: string; readonly scopes: readonly string[] }>;
}

const opened: Kernel[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kernel) => kernel.close().catch(() => {})));
});

export const holder = { tenant: 'default', caller: 'default', provider: 'acme' };

export async function accountSite(site: SiteOptions = {}): Promise<AccountSite> {
  const { server = await providerServer(site.provider), store = await sharedState(), secrets = client, oauth2, options = {} } = site;
  const { kernel, log } = await createTestKit({
    plugins: [store.plugin(), guardOutbound(), executorHttp(), accounts(options), ...(site.plugins ?? [])],
    providers: [acme(server.issuer, oauth2)],
    tools: [whoami, ...(site.tools ?? [])],
    secrets,
  });
  opened.push(kernel);
  const [fact] = kernel.facts(accountsOfKernel);
  if (fact === undefined) throw new Error('the kernel keeps no accounts');
  const keeper = await fact.value.open();
  return {
    server,
    store,
    kernel,
    accounts: keeper,
    log,
    async login(name = {}, scopes = ['openid', 'email', 'offline_access', 'read']) {
      const oauth = await keeper.client('acme');
      const request = await oauth.begin({ redirectUri: 'http://127.0.0.1/callback', scopes });
      const tokens = await oauth.finish(request, (await server.authorize(request.url)).searchParams);
      await keeper.save(await keeper.ownerOf({ ...holder, ...name }), tokens, scopes);
    },
    async whoami(caller = 'default', more = {}) {
      const { output } = await kernel.call({ tool: 'acme_whoami', parameters: {}, caller, ...more });
      return output as never;
    },
  };
}
