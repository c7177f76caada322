import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { AccountName } from '../account-name.ts';
import type { Accounts } from '../accounts.ts';
import { loginCommand } from '../auth-required.ts';
import type { Grant } from '../grants/grant.ts';

/**
 * Returns the one grant that a command line names, whatever its issuer, so that one of an earlier configuration can be removed too. Throws
 * INVALID_PARAMETERS for none, and for several.
 */
export async function namedGrant({ grants, providers }: Accounts, typed: AccountName): Promise<Grant> {
  const name = { ...typed, provider: providers.nameOf(typed.provider) };
  const { tenant, caller, provider, account } = name;
  const found = await grants.list({ tenant, caller, provider, ...(account === undefined ? {} : { account }) });
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const where = `of the caller "${excerpt(caller, 60)}" at "${excerpt(provider, 60)}"`;
  const message =
    only === undefined
      ? `No account ${account === undefined ? '' : `"${account}" `}${where} is connected. To connect one: ${loginCommand(name)}`
      : `There are several accounts ${where}: say which, --account ${found.map(({ owner }) => owner.account).join(' or ')}.`;
  throw new ToolkitError('INVALID_PARAMETERS', message, { provider });
}
