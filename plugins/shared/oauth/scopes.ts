import type { OAuthSettings } from './types.ts';

/** Scopes of OpenID Connect. Services leave them out of the granted ones, or write other names for them. */
const identityScopes: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access']);

/** Returns the scopes of an answer. Services separate them by spaces, by commas, or as in the request. */
export function scopesIn(text: string | undefined, { scopeSeparator }: OAuthSettings): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const parts = text.split(scopeSeparator).flatMap((part) => part.split(/[\s,]+/));
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** Returns the granted scopes, and those of the others that they include. Undefined when the answer has none. */
export function heldScopes(
  settings: OAuthSettings,
  asked: readonly string[],
  granted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (granted === undefined) return undefined;
  const missing = new Set(missingScopes(settings, asked, granted));
  return [...new Set([...granted, ...asked.filter((scope) => !missing.has(scope))])];
}

/** Returns the scopes that were asked for and not granted. A granted one may include others (`scopeIncludes`). */
export function missingScopes(
  settings: OAuthSettings,
  asked: readonly string[],
  granted: readonly string[] | undefined,
): readonly string[] {
  if (granted === undefined) return [];
  const { scopeIncludes = {} } = settings;
  const known = new Set(granted);
  // A set is iterated with what is added on the way.
  for (const scope of known) if (Object.hasOwn(scopeIncludes, scope)) for (const more of scopeIncludes[scope] ?? []) known.add(more);
  return asked.filter((scope) => !known.has(scope) && !identityScopes.has(scope));
}
