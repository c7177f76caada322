import type { PluginApi } from '../../kernel/index.ts';
import { createOAuthClient } from '../shared/oauth/client.ts';
import { Accounts } from './accounts.ts';
import { ChainGrants } from './chain-grant.ts';
import { ChainValues } from './chain-values.ts';
import { AccountCredentials } from './credential-source.ts';
import { openGrants } from './grants/open-grants.ts';
import type { AccountsOptions } from './options.ts';
import { AccountProviders, type AddedProviders } from './providers/account-providers.ts';
import type { ProvidedNames } from './providers/provided-names.ts';
import { DefinitionSettings } from './providers/read-settings.ts';
import { refreshBy } from './refresh-grant.ts';

/** The parts of the plugin that a start does not need. */
export interface OpenedAccounts {
  readonly accounts: Accounts;
  readonly credentials: AccountCredentials;
}

export interface OpenOptions {
  readonly options: AccountsOptions;
  readonly names: ProvidedNames;
  readonly added: AddedProviders;
}

/** Opens the grants, and joins them with the providers. */
export function openAccounts(api: PluginApi, { options: { use = {} }, names, added }: OpenOptions): OpenedAccounts {
  const values = new ChainValues(() => api.kernel);
  const providers = new AccountProviders(() => api.kernel.registry, added, new DefinitionSettings(values));
  const clientOf: ConstructorParameters<typeof Accounts>[0]['clientOf'] = (settings) => createOAuthClient(settings, api.fetch);
  const grants = openGrants(api, refreshBy(providers, clientOf));
  const accounts = new Accounts({ providers, grants, chain: new ChainGrants(values, grants), use, clientOf });
  return { accounts, credentials: new AccountCredentials({ accounts, names, now: Date.now }) };
}
