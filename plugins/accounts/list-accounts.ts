import type { ListedAccount } from '../shared/oauth/account-list.ts';
import { loginCommand } from './auth-required.ts';
import { accountText, stateText } from './grant-state.ts';
import type { Grants } from './grants/grant.ts';

/** Returns the accounts of all callers, without their tokens. `now`: the time in epoch ms. */
export async function listAccounts(grants: Pick<Grants, 'list'>, now: number): Promise<readonly ListedAccount[]> {
  const found = await grants.list();
  return found.map((grant) => ({
    provider: grant.owner.provider,
    account: accountText(grant, found),
    caller: grant.owner.caller,
    tenant: grant.owner.tenant,
    state: stateText(grant, now),
    scopes: grant.scopes,
    connectedAt: grant.createdAt,
    ...(grant.needsLogin === undefined ? {} : { login: loginCommand(grant.owner) }),
  }));
}
