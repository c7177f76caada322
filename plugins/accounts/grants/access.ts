import type { TokenSet } from '../../shared/oauth/types.ts';

/** State of an access token. `due`: it works, and less than the margin is left. `dead`: it has ended, or the service has refused it. */
export type AccessState = 'live' | 'due' | 'dead';

export interface AccessOptions {
  /** Time that is to be left, in milliseconds. At most half of the token's life counts. */
  readonly marginMs: number;
  /** An access token that the service has refused. */
  readonly refused?: string;
  /** Epoch ms. */
  readonly now: number;
}

/** Returns the state of an access token. One whose life is unknown is live until it is refused. */
export function accessState({ accessToken, receivedAt, lifetimeMs }: TokenSet, { marginMs, refused, now }: AccessOptions): AccessState {
  if (accessToken === refused) return 'dead';
  if (lifetimeMs === undefined) return 'live';
  const remainingMs = receivedAt + lifetimeMs - now;
  if (remainingMs <= 0) return 'dead';
  return remainingMs < Math.min(marginMs, lifetimeMs / 2) ? 'due' : 'live';
}
