import type { IncomingMessage } from 'node:http';

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
