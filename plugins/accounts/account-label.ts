import type { Grant } from './grants/grant.ts';

/** Returns the name of an account for people: the owner's, else the provider's. */
export function accountLabel({ owner, tokens }: Pick<Grant, 'owner' | 'tokens'>): string {
  return owner.account === 'default' ? (tokens.account ?? 'default') : owner.account;
}
