import { ToolkitError } from '../../kernel/index.ts';
import type { AccountAccess, AccountService } from '../shared/oauth/account-service.ts';
import type { Accounts } from './accounts.ts';
import type { Connect } from './connect/connect.ts';

type AccessQuery = Parameters<AccountService['access']>[0];

/** Returns live access of a caller at a provider, for other plugins. Throws AUTH_REQUIRED with the way to log in, and the link where it is wanted. */
export async function accountAccess(accounts: Accounts, { link }: Pick<Connect, 'link'>, query: AccessQuery): Promise<AccountAccess> {
  try {
    return await accessOf(accounts, query);
  } catch (error) {
    if (query.offersLink !== true || !ToolkitError.is(error) || error.code !== 'AUTH_REQUIRED' || error.retryable) throw error;
    const { provider, caller, tenant, scopes = [] } = query;
    const { account } = error.details;
    const owner = await accounts.ownerOf({ provider, caller, tenant, ...(account === undefined ? {} : { account }) });
    const granted = (await accounts.grants.find(owner))?.scopes ?? (await accounts.settings(provider)).scopes ?? [];
    const url = await link(owner, [...new Set([...granted, ...scopes])]);
    if (url === undefined) throw error;
    const message = `Open ${url} in a browser to log in, then call the tool again. ${error.message}`;
    throw new ToolkitError(error.code, message, { ...error.details, url }, { cause: error });
  }
}

async function accessOf(accounts: Accounts, query: AccessQuery): Promise<AccountAccess> {
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
