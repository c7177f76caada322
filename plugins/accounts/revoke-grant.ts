import { messageOf, ToolkitError } from '../../kernel/index.ts';
import type { Accounts, Logout } from './accounts.ts';
import type { Grant, GrantOwner } from './grants/grant.ts';
import { isBoundTo } from './new-grant.ts';

/**
 * Removes a grant, then revokes it at its provider: in this order, so that no call uses it in between, and a provider that does not answer
 * cannot keep it here.
 */
export async function revokeGrant(accounts: Accounts, owner: GrantOwner, signal?: AbortSignal): Promise<Logout | undefined> {
  const grant = await accounts.grants.delete(owner);
  if (grant === undefined) return undefined;
  try {
    return { grant, revocation: (await revokeAt(accounts, grant, signal)) ? 'revoked' : 'no address' };
  } catch (error) {
    const reason = ToolkitError.is(error) ? error : new ToolkitError('EXECUTION_FAILED', messageOf(error), {}, { cause: error });
    return { grant, revocation: 'failed', error: reason };
  }
}

async function revokeAt(accounts: Accounts, { owner, binding, tokens }: Grant, signal: AbortSignal | undefined): Promise<boolean> {
  const client = await accounts.client(owner.provider, { clientId: binding.clientId });
  if (isBoundTo(binding, client.settings) && binding.revokeUrl === client.settings.revokeUrl) return client.revoke(tokens, signal);
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"${owner.provider}" has another client or other addresses now than at the login, and its tokens are sent nowhere else. Revoke the access in the settings of your account there.`,
  );
}
