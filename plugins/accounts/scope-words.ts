import type { AccountProvider } from './providers/account-providers.ts';

/** Returns the words of `--scopes` for scopes: the names of groups that add nothing else, and scopes by their own names. */
export function scopeWords({ scopeGroups, definition }: AccountProvider, scopes: readonly string[]): readonly string[] {
  if (definition === undefined) return scopes;
  const groups = Object.entries(scopeGroups);
  const words = scopes.flatMap((scope) => {
    const holding = groups.filter(([, group]) => group.includes(scope));
    const [whole] = holding.find(([, group]) => group.every((one) => scopes.includes(one))) ?? [];
    return holding.length === 0 ? [] : [whole ?? scope];
  });
  return [...new Set(words)];
}
