import type { TokenSet } from '../../shared/oauth/types.ts';
import type { Grant } from './grant.ts';

/** Returns the grant with the tokens of a refresh. */
export function refreshed({ needsLogin: _, ...grant }: Grant, tokens: TokenSet): Grant {
  return { ...grant, tokens, scopes: tokens.scopes ?? grant.scopes, version: grant.version + 1 };
}

/** True when the grant is not the one that was seen: it was refreshed, replaced, or needs a login. */
export function hasChanged(grant: Grant, seen: Grant): boolean {
  return grant.needsLogin !== undefined || grant.version !== seen.version || grant.tokens.accessToken !== seen.tokens.accessToken;
}

/** True when the grant still has the refresh token that was sent, and nothing newer than the answer to it. */
export function isStillSent(grant: Grant, sent: Grant): boolean {
  const isSame = grant.tokens.refreshToken === sent.tokens.refreshToken && grant.tokens.accessToken === sent.tokens.accessToken;
  return isSame && (grant.version === sent.version || grant.needsLogin !== undefined);
}
