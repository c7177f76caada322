import type { GrantOwner } from './grants/grant.ts';

/** Returns the sentence that says which account is connected. `label`: its name for people. Names only what differs from `default`. */
export function connectedText(label: string, { provider, account, caller }: GrantOwner): string {
  const as = account === 'default' || account === label ? '' : ` as "${account}"`;
  const whose = caller === 'default' ? '' : ` for the caller "${caller}"`;
  return `The account ${label} at ${provider} is connected${as}${whose}.`;
}
