/** The choice between the accounts of a caller at one provider. */
export type AccountChoice =
  | { readonly kind: 'one'; readonly account: string }
  | { readonly kind: 'none' }
  /** The configured account is not connected. Another one in its place would be a surprise. */
  | { readonly kind: 'absent'; readonly account: string }
  | { readonly kind: 'ambiguous'; readonly accounts: readonly string[] };

/** Returns the account that calls use: the configured one, else the only one, else `default`. */
export function chooseAccount(accounts: readonly string[], configured: string | undefined): AccountChoice {
  if (configured !== undefined)
    return accounts.includes(configured) ? { kind: 'one', account: configured } : { kind: 'absent', account: configured };
  const [only] = accounts;
  if (only === undefined) return { kind: 'none' };
  if (accounts.length === 1) return { kind: 'one', account: only };
  return accounts.includes('default') ? { kind: 'one', account: 'default' } : { kind: 'ambiguous', accounts: [...accounts].sort() };
}
