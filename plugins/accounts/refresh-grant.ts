import { ToolkitError } from '../../kernel/index.ts';
import type { OAuthClient, OAuthSettings } from '../shared/oauth/types.ts';
import { authRequired } from './auth-required.ts';
import type { RefreshGrant } from './grants/grant.ts';
import { isBoundTo } from './new-grant.ts';
import type { AccountProviders } from './providers/account-providers.ts';

/**
 * Returns the function that sends a refresh for a grant, to the addresses of the grant alone. A client of its own (`client_credentials`) gets a
 * new token instead (RFC 6749, 4.4.3).
 */
export function refreshBy(providers: AccountProviders, clientOf: (settings: OAuthSettings) => OAuthClient): RefreshGrant {
  return async ({ owner, binding, tokens, scopes }, signal) => {
    const settings = await providers.settings(owner.provider, { clientId: binding.clientId });
    if (!isBoundTo(binding, settings)) {
      const { code, message, details } = authRequired(
        providers.get(owner.provider),
        { kind: 'moved', account: owner.account },
        { holder: owner, scopes },
      );
      throw new ToolkitError(code, message, { ...details, oauth: { kind: 'unsent' } });
    }
    const client = clientOf(settings);
    return settings.grant === 'client_credentials' ? client.clientCredentials(scopes, signal) : client.refresh(tokens, signal);
  };
}
