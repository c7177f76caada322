import { isDeepStrictEqual } from 'node:util';
import type { Grant } from './grants/grant.ts';

/** Returns the name of an account; with its issuer where the same caller has one of that name at another issuer too. */
export function accountText({ owner, tokens }: Grant, all: readonly Grant[]): string {
  const name = tokens.account === undefined ? owner.account : `${owner.account} (${tokens.account})`;
  const isAtSeveral = all.some(
    ({ owner: other }) => other.issuer !== owner.issuer && isDeepStrictEqual({ ...other, issuer: owner.issuer }, owner),
  );
  return isAtSeveral ? `${name} at ${owner.issuer}` : name;
}

/** Returns the state of an access token in words, such as `42 min left`. */
export function stateText(grant: Grant, now: number): string {
  if (grant.needsLogin !== undefined) return 'needs login';
  const remainingMs = remainingOf(grant, now);
  if (remainingMs === undefined) return 'no end told';
  if (remainingMs > 0) return `${durationText(remainingMs)} left`;
  return renews(grant) ? 'refreshed on use' : 'expired';
}

/** True for a grant whose access token is replaced without a person. */
export function renews({ tokens, from }: Pick<Grant, 'tokens' | 'from'>): boolean {
  return tokens.refreshToken !== undefined || from.kind === 'client';
}

/** Returns the time until the access token expires, in milliseconds; undefined when the provider does not say. */
export function remainingOf({ tokens: { receivedAt, lifetimeMs } }: Pick<Grant, 'tokens'>, now: number): number | undefined {
  return lifetimeMs === undefined ? undefined : receivedAt + lifetimeMs - now;
}

function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.ceil(ms / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
