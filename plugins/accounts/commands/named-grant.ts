import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { AccountName } from '../account-name.ts';
import type { Accounts } from '../accounts.ts';
import { loginCommand } from '../auth-required.ts';
import type { Grant } from '../grants/grant.ts';

/**
 * Returns the grant that a command line names, whatever its issuer, so that one of an earlier configuration can be removed too: the newest of
 * an account at several issuers. Throws INVALID_PARAMETERS for none, for several accounts, and
 * for a provider that is not known.
 */
export async function namedGrant({ grants, providers }: Accounts, typed: AccountName): Promise<Grant> {
  const name = { ...typed, provider: providers.nameOf(typed.provider) };
  const { tenant, caller, provider, account } = name;
  const found = await grants.list({ tenant, caller, provider, ...(account === undefined ? {} : { account }) });
  const names = [...new Set(found.map(({ owner }) => owner.account))];
  const [newest] = found.toSorted((one, other) => other.createdAt - one.createdAt);
  if (newest !== undefined && names.length === 1) return newest;
  // A mistyped name is found as such; one that the configuration has no more may have accounts.
  if (newest === undefined) providers.get(provider);
  const where = `of the caller "${excerpt(caller, 60)}" at "${excerpt(provider, 60)}"`;
  const message =
    newest === undefined
      ? `No account ${account === undefined ? '' : `"${account}" `}${where} is connected. To connect one: ${loginCommand(name)}`
      : `There are several accounts ${where}: say which, --account ${names.join(' or ')}.`;
  throw new ToolkitError('INVALID_PARAMETERS', message, { provider });
}
