import type { IncomingMessage, ServerResponse } from 'node:http';

/** Permissions of a checked access token. */
export interface Grant {
  /** Name of the caller: see `callerName`. */
  readonly caller: string;
  readonly scopes: readonly string[];
  /** Expiry in epoch ms, including the allowed clock skew. */
  readonly expiresAt: number;
}

const grants = new WeakMap<IncomingMessage, Grant>();

export function keepGrant(request: IncomingMessage, grant: Grant): void {
  grants.set(request, grant);
}

/** Returns the grant of a request; undefined for a plain token, which no scope limits. */
export function grantOf(request: IncomingMessage): Grant | undefined {
  return grants.get(request);
}

/** Longest timer that Node supports, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** Ends a response when the request's token expires. The client reconnects with another token. */
export function endWithGrant(request: IncomingMessage, response: ServerResponse): void {
  const grant = grantOf(request);
  if (grant === undefined) return;
  const timer = setTimeout(() => response.end(), Math.min(maxTimerMs, Math.max(0, grant.expiresAt - Date.now()))).unref();
  response.once('close', () => clearTimeout(timer));
}
