import path from 'node:path';
import type { HttpRouteAccess, PluginApi, Secret } from '../../kernel/index.ts';
import { HostKeys } from '../shared/keys/host-keys.ts';
import { createOAuthClient } from '../shared/oauth/client.ts';
import { Accounts, type AccountsServices } from './accounts.ts';
import { ChainGrants } from './chain-grant.ts';
import { ChainValues } from './chain-values.ts';
import { defaultScopes } from './commands/requested-scopes.ts';
import { accountsForConnect, localLoginsOf } from './connect/accounts-for-connect.ts';
import type { ConnectAskOptions } from './connect/ask.ts';
import { type Connect, connect } from './connect/connect.ts';
import { openConnectStore } from './connect/open-connect-store.ts';
import { SignIn } from './connect/sign-in/sign-in.ts';
import { signInSecret } from './connect/sign-in/sign-in-secret.ts';
import { AccountCredentials } from './credential-source.ts';
import type { RefreshGrant } from './grants/grant.ts';
import { openGrants } from './grants/open-grants.ts';
import { askHere } from './login/ask-here.ts';
import { LocalLogins } from './login/local-logins.ts';
import type { AccountsOptions } from './options.ts';
import { AccountProviders, type AddedProviders } from './providers/account-providers.ts';
import type { ProvidedNames } from './providers/provided-names.ts';
import { DefinitionSettings } from './providers/read-settings.ts';
import { refreshBy } from './refresh-grant.ts';

/** The parts of the plugin that a start does not need. */
export interface OpenedAccounts {
  readonly accounts: Accounts;
  readonly credentials: AccountCredentials;
  readonly connect: Connect;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly options: AccountsOptions;
  readonly names: ProvidedNames;
  readonly added: AddedProviders;
  /** Folder of the grants where no store is shared. */
  readonly folder: string;
  /** `revealSecret` of the kernel's own copy: this module may be loaded with another one. */
  readonly reveal: (secret: Secret) => string;
  /** Counts the refreshes that a function sends. */
  readonly counted: (refresh: RefreshGrant) => RefreshGrant;
  /** The HTTP server that shows the pages of logins. */
  readonly pages: HttpRouteAccess;
}

/** Opens the grants, and joins them with the providers. */
export function openAccounts(api: PluginApi, { options, names, added, folder, pages, reveal, counted }: OpenOptions): OpenedAccounts {
  const { use = {} } = options;
  const values = new ChainValues(() => api.kernel, reveal);
  const providers = new AccountProviders(() => api.kernel.registry, added, new DefinitionSettings(values));
  const clientOf: AccountsServices['clientOf'] = (settings) => createOAuthClient(settings, { fetch: api.fetch, now: () => Date.now() });
  const { state, logger } = api;
  const keys = new HostKeys({ logger, maskAlso: (name, value) => api.maskAlso(name, value), state });
  const refresh = counted(refreshBy(providers, clientOf));
  const grants = openGrants({ state, keys, folder, refresh, now: () => Date.now(), logger });
  const scopes = (name: string): readonly string[] => defaultScopes(providers.get(name), api.kernel.registry) ?? [];
  const accounts = new Accounts({ providers, grants, chain: new ChainGrants(values, grants), use, clientOf, defaultScopes: scopes });
  const now = (): number => Date.now();
  const pending = openConnectStore({ state, keys, folder: path.join(folder, 'connect'), now });
  const accountsOfKernel = accountsForConnect(accounts, () => api.kernel.registry);
  const signIn = new SignIn({
    options: options.signIn,
    access: pages,
    oauth: { fetch: api.fetch, now },
    secretOf: (secret) => signInSecret(secret, values, (value) => api.maskAlso('ACCOUNTS_SIGN_IN_SECRET', value)),
    logger,
  });
  const logins = new LocalLogins({ ...localLoginsOf(accounts), logger });
  const asking: ConnectAskOptions['askHere'] = (request, owner, scopes) => askHere(request, owner, scopes, logins);
  const connected = connect({ access: pages, state: pending.store, keys, accounts: accountsOfKernel, signIn, askHere: asking, logger });
  const credentials = new AccountCredentials({ accounts, names, now, ask: (request) => connected.ask(request) });
  const close = async (): Promise<void> => {
    // A login that ends now still stores its grant.
    await Promise.all([connected.close(), logins.close()]);
    await Promise.all([accounts.close(), pending.close()]);
  };
  return { accounts, credentials, connect: connected, close };
}
