import { messageOf, ToolkitError } from '../../kernel/index.ts';
import type { SettingsUse } from '../shared/oauth/account-service.ts';
import type { OAuthClient } from '../shared/oauth/types.ts';
import type { Grant, GrantOwner, Grants } from './grants/grant.ts';
import { isBoundTo } from './new-grant.ts';

/** The end of a grant. */
export interface Logout {
  readonly grant: Grant;
  /** `revoked`: the provider was told. `no address`: it cannot be told. `failed`: see `error`. The grant is removed here in all cases. */
  readonly revocation: 'revoked' | 'no address' | 'failed';
  readonly error?: ToolkitError;
}

interface RevokingAccounts {
  readonly grants: Pick<Grants, 'delete'>;
  client(provider: string, use?: SettingsUse): Promise<OAuthClient>;
}

/**
 * Removes a grant, then revokes it at its provider: in this order, so that no call uses it in between, and a provider that does not answer
 * cannot keep it here.
 */
export async function revokeGrant(accounts: RevokingAccounts, owner: GrantOwner, signal?: AbortSignal): Promise<Logout | undefined> {
  const grant = await accounts.grants.delete(owner);
  if (grant === undefined) return undefined;
  try {
    return { grant, revocation: (await revokeAt(accounts, grant, signal)) ? 'revoked' : 'no address' };
  } catch (error) {
    const reason = ToolkitError.is(error) ? error : new ToolkitError('EXECUTION_FAILED', messageOf(error), {}, { cause: error });
    return { grant, revocation: 'failed', error: reason };
  }
}

/** Revokes tokens where they came from. False when the provider has no address for it. Throws CONFIG_INVALID when it has another one now. */
export async function revokeAt(
  accounts: Pick<RevokingAccounts, 'client'>,
  { owner, binding, tokens }: Pick<Grant, 'owner' | 'binding' | 'tokens'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const client = await accounts.client(owner.provider, { clientId: binding.clientId });
  if (isBoundTo(binding, client.settings) && binding.revokeUrl === client.settings.revokeUrl) return client.revoke(tokens, signal);
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"${owner.provider}" has another client or other addresses now than at the login, and its tokens are sent nowhere else. Revoke the access in the settings of your account there.`,
  );
}
