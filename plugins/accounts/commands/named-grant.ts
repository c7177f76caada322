import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { AccountName } from '../account-name.ts';
import type { Accounts } from '../accounts.ts';
import { loginCommand } from '../auth-required.ts';
import type { Grant } from '../grants/grant.ts';
import { issuerOf } from '../new-grant.ts';
import type { AccountProviders } from '../providers/account-providers.ts';

/**
 * Returns the grant that a command line names, whatever its issuer, so that one of an earlier configuration can be removed too: of an account at
 * several issuers that of the configuration, else the newest. Throws INVALID_PARAMETERS for none, for several accounts, and for a provider that is
 * not known.
 */
export async function namedGrant({ grants, providers }: Pick<Accounts, 'grants' | 'providers'>, typed: AccountName): Promise<Grant> {
  const name = { ...typed, provider: providers.nameOf(typed.provider) };
  const { tenant, caller, provider, account } = name;
  const found = await grants.list({ tenant, caller, provider, ...(account === undefined ? {} : { account }) });
  const names = [...new Set(found.map(({ owner }) => owner.account))];
  if (found.length > 0 && names.length === 1) {
    const current = found.length === 1 ? undefined : await issuerNow(providers, provider);
    const rank = ({ owner, createdAt }: Grant): number => (owner.issuer === current ? Number.POSITIVE_INFINITY : createdAt);
    return found.reduce((best, other) => (rank(other) > rank(best) ? other : best));
  }
  // A mistyped name is found as such; one that the configuration has no more may have accounts.
  if (found.length === 0) providers.get(provider);
  const where = `of the caller "${excerpt(caller, 60)}" at "${excerpt(provider, 60)}"`;
  const message =
    found.length === 0
      ? `No account ${account === undefined ? '' : `"${account}" `}${where} is connected. To connect one: ${loginCommand(name)}`
      : `There are several accounts ${where}: say which, --account ${names.join(' or ')}.`;
  throw new ToolkitError('INVALID_PARAMETERS', message, { provider });
}

/** Returns the issuer of a provider as it is configured; undefined where nobody can log in to it now. */
async function issuerNow(providers: AccountProviders, provider: string): Promise<string | undefined> {
  try {
    return issuerOf(await providers.settings(provider));
  } catch (error) {
    if (ToolkitError.is(error)) return undefined;
    throw error;
  }
}
