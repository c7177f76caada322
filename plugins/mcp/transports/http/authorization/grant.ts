import type { IncomingMessage, ServerResponse } from 'node:http';

/** What an access token allows, once it was checked. */
export interface Grant {
  /** As `callerName` writes it. */
  readonly caller: string;
  readonly scopes: readonly string[];
  /** Epoch ms, with the leeway for clocks. */
  readonly expiresAt: number;
}

const grants = new WeakMap<IncomingMessage, Grant>();

export function keepGrant(request: IncomingMessage, grant: Grant): void {
  grants.set(request, grant);
}

/** Undefined for a request with a plain token, which no scope limits. */
export function grantOf(request: IncomingMessage): Grant | undefined {
  return grants.get(request);
}

/** The most that a timer can take, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** Ends what streams to a client when the token has expired with which it was opened: the client comes back with another. */
export function endWithGrant(request: IncomingMessage, response: ServerResponse): void {
  const grant = grantOf(request);
  if (grant === undefined) return;
  const timer = setTimeout(() => response.end(), Math.min(maxTimerMs, Math.max(0, grant.expiresAt - Date.now()))).unref();
  response.once('close', () => clearTimeout(timer));
}
