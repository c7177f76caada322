/**
 * `issuer:sub`, and `issuer#client_id` for a client that acts for nobody: the same for no two. An issuer has no `#` (RFC 8414, 2), and in what
 * follows it, what is not visible ASCII is percent-encoded, like `%`, `:` and `#`: so the last separator is the one that was written here.
 */
export function callerName(issuer: string, { subject, client }: { readonly subject?: string; readonly client?: string }): string {
  return subject === undefined ? `${issuer}#${escaped(client ?? '')}` : `${issuer}:${escaped(subject)}`;
}

/** Whether a caller has come with an access token of one of these issuers. */
export function isCallerOf(issuers: readonly string[]): (caller: string) => boolean {
  return (caller) => issuers.some((issuer) => caller.startsWith(issuer) && [':', '#'].includes(caller.charAt(issuer.length)));
}

function escaped(text: string): string {
  return text.replace(/[^!"$&-9;-~]/gu, encodeURIComponent);
}
