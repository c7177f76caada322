import type { AccountAccess, AccountService } from '../shared/oauth/account-service.ts';
import type { Accounts } from './accounts.ts';

type AccessQuery = Parameters<AccountService['access']>[0];

/** Returns live access of a caller at a provider, for other plugins. Throws AUTH_REQUIRED with the way to log in. */
export async function accountAccess(accounts: Accounts, query: AccessQuery): Promise<AccountAccess> {
  const { provider, caller, tenant, scopes = [], refused, signal } = query;
  const holder = { provider, caller, tenant };
  const isRefused = ({ accessToken }: { readonly accessToken: string }): boolean => accessToken === refused;
  const grant = await accounts.live(holder, { isRefused, signal });
  if (grant === undefined) {
    const asked = scopes.length > 0 ? scopes : (await accounts.settings(provider)).scopes;
    throw accounts.authRequired(holder, { kind: 'none' }, asked);
  }
  const missing = scopes.filter((scope) => !grant.scopes.includes(scope));
  const { account } = grant.owner;
  if (missing.length > 0)
    throw accounts.authRequired({ ...holder, account }, { kind: 'scopes', account, missing }, [...new Set([...grant.scopes, ...missing])]);
  return { accessToken: grant.tokens.accessToken, account, grant: String(grant.createdAt) };
}
