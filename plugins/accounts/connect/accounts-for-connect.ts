import { type Registry, ToolkitError } from '../../../kernel/index.ts';
import type { Accounts } from '../accounts.ts';
import { defaultScopes } from '../commands/requested-scopes.ts';
import type { LocalLoginServices } from '../login/local-login.ts';
import { issuerOf, newGrant } from '../new-grant.ts';
import { revokeAt } from '../revoke-grant.ts';
import type { ConnectAccounts } from './connect-accounts.ts';

/** Returns the accounts of a kernel as connecting needs them. */
export function accountsForConnect(accounts: Accounts, registry: () => Pick<Registry, 'tools'>): ConnectAccounts {
  return {
    ownerOf: (holder) => accounts.ownerOf(holder),
    hasLinks: async (provider) => (await accounts.settings(provider)).grant === 'code',
    scopesFor: async (owner, tool, lacked) => {
      const earlier = (await accounts.grants.find(owner))?.scopes ?? [];
      const required =
        lacked ?? tool.definition.authentication?.required_scopes ?? defaultScopes(accounts.provider(owner.provider), registry()) ?? [];
      return [...new Set([...earlier, ...required])];
    },
    begin: async (owner, request) => {
      const client = await accounts.client(owner.provider, { redirectUri: request.redirectUri, isLogin: true, byDevice: false });
      return client.begin(request);
    },
    finish: async (owner, request, redirect) => {
      const client = await accounts.client(owner.provider, { redirectUri: request.redirectUri, byDevice: false });
      if (issuerOf(client.settings) !== owner.issuer) throw movedError(owner.provider);
      return newGrant(owner, client.settings, await client.finish(request, redirect), request.scopes);
    },
    save: (grant) => accounts.grants.save(grant),
    revoke: (grant) => revokeAt(accounts, grant),
    titleOf: (provider) => provider,
  };
}

/** Returns the accounts of a kernel as logins on this machine need them. */
export function localLoginsOf(accounts: Accounts): Omit<LocalLoginServices, 'logger'> {
  return {
    clientOf: (provider) => accounts.client(provider, { isLogin: true, byDevice: false }),
    redirectUriOf: (provider) => accounts.providers.redirectUri(provider),
    save: async (owner, { settings }, tokens, scopes) => {
      if (issuerOf(settings) !== owner.issuer) throw movedError(owner.provider);
      return accounts.grants.save(newGrant(owner, settings, tokens, scopes));
    },
  };
}

function movedError(provider: string): ToolkitError {
  const message = `The provider "${provider}" has another authorization server since the login began. Begin again.`;
  return new ToolkitError('INVALID_PARAMETERS', message, { provider, oauth: { kind: 'mismatch' } });
}
