import type { OAuthSettings } from '../shared/oauth/types.ts';
import type { Grant, GrantOwner, Grants } from './grants/grant.ts';
import { bindingOf, isBoundTo } from './new-grant.ts';

/**
 * Returns the grant of the caller `default` at a provider whose client logs in by itself (`client_credentials`; RFC 6749, 4.4): no person is
 * needed. `stored`, when it is of this client, these addresses and scopes, or of another owner; else a new one, which is written. It has no
 * token yet: its first use gets one, once over all processes.
 */
export async function clientGrant(
  grants: Pick<Grants, 'save'>,
  owner: GrantOwner,
  { settings, scopes }: { readonly settings: OAuthSettings; readonly scopes: readonly string[] },
  stored: Grant | undefined,
): Promise<Grant | undefined> {
  if (!isOfClient(owner, settings)) return stored;
  const isCurrent = stored !== undefined && isBoundTo(stored.binding, settings) && scopes.every((scope) => stored.scopes.includes(scope));
  if (isCurrent || stored?.from.kind === 'login') return stored;
  const tokens = { accessToken: '', receivedAt: 0, lifetimeMs: 0, values: {} };
  const grant = { owner, binding: bindingOf(settings), tokens, scopes, from: { kind: 'client' } } as const;
  return grants.save(grant, stored?.version ?? 0);
}

/** True for an account whose tokens the client gets by itself. Other callers have those that an operator connects for them. */
export function isOfClient({ caller, tenant, account }: Omit<GrantOwner, 'issuer'>, { grant }: OAuthSettings): boolean {
  return grant === 'client_credentials' && caller === 'default' && tenant === 'default' && account === 'default';
}
