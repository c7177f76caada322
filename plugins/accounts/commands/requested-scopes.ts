import { didYouMean, excerpt, type Registry, ToolkitError } from '../../../kernel/index.ts';
import type { AccountProvider } from '../providers/account-providers.ts';

/**
 * Returns the scopes of words: names of groups, or scopes of a group by their own names. Throws INVALID_PARAMETERS for others, with the nearest
 * ones.
 */
export function scopesOf({ name, scopeGroups, definition }: AccountProvider, words: readonly string[]): readonly string[] {
  const groups = Object.keys(scopeGroups);
  const scopes = new Set(Object.values(scopeGroups).flat());
  return unique(
    words.flatMap((word) => {
      if (Object.hasOwn(scopeGroups, word)) return scopeGroups[word] ?? [];
      // A provider without a definition says itself which scopes it has.
      if (scopes.has(word) || definition === undefined) return [word];
      const expected = groups.length === 0 ? `"${name}" has none: leave out --scopes` : `Expected one or more of: ${groups.join(', ')}`;
      const message = `There is no group of permissions "${excerpt(word, 100)}" of "${name}".${didYouMean(word, [...groups, ...scopes])} ${expected}.`;
      throw new ToolkitError('INVALID_PARAMETERS', message, { provider: name });
    }),
  );
}

/**
 * Returns the scopes of a login that names none: those that the provider's tools require, else those of its only group. Undefined when a person
 * must choose.
 */
export function defaultScopes({ name, scopeGroups }: AccountProvider, { tools }: Pick<Registry, 'tools'>): readonly string[] | undefined {
  const required = [...tools.values()].flatMap(({ provider, definition }) =>
    provider?.name === name ? (definition.authentication?.required_scopes ?? []) : [],
  );
  if (required.length > 0) return unique(required);
  const groups = Object.values(scopeGroups);
  return groups.length > 1 ? undefined : unique(groups.flat());
}

function unique(scopes: readonly string[]): readonly string[] {
  return [...new Set(scopes)];
}
