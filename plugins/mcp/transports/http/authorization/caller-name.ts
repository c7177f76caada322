import type { CallerIssuer } from '../../../../../kernel/index.ts';

/**
 * Returns `issuer:sub`, or `issuer#client_id` for a client without a user. The name is unique: an issuer has no `#` (RFC 8414, 2),
 * and `%`, `:`, `#` and all but visible ASCII are percent-encoded after it. So the last separator is the one written here.
 */
export function callerName(issuer: string, { subject, client }: { readonly subject?: string; readonly client?: string }): string {
  return subject === undefined ? `${issuer}#${escaped(client ?? '')}` : `${issuer}:${escaped(subject)}`;
}

/** Returns a function that is true for callers with an access token of one of these issuers. */
export function isCallerOf(issuers: readonly string[]): (caller: string) => boolean {
  return (caller) => issuers.some((issuer) => caller.startsWith(issuer) && [':', '#'].includes(caller.charAt(issuer.length)));
}

/** Returns an issuer as plugins with pages see it. */
export function callerIssuer(issuer: string): CallerIssuer {
  return {
    issuer,
    callerOf: (subject) => callerName(issuer, { subject }),
    // The rest has no separator: that of a longer issuer would have one.
    mayBe: (caller) => caller.startsWith(`${issuer}:`) && !/[:#]/.test(caller.slice(issuer.length + 1)),
  };
}

function escaped(text: string): string {
  return text.replace(/[^!"$&-9;-~]/gu, encodeURIComponent);
}
