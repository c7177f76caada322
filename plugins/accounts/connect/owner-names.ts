import type { GrantOwner } from '../grants/grant.ts';

/** Returns the names of an owner, for the log. */
export function namesOf({ tenant, caller, provider, account }: GrantOwner): Readonly<Record<string, string>> {
  return { tenant, caller, provider, account };
}
