import { toUrl } from '../../kernel/index.ts';
import type { OAuthSettings, TokenSet } from '../shared/oauth/types.ts';
import type { GrantBinding, GrantOwner, NewGrant } from './grants/grant.ts';

/** Returns what a login stores. */
export function newGrant(owner: GrantOwner, settings: OAuthSettings, tokens: TokenSet, requested: readonly string[]): NewGrant {
  const kind = settings.grant === 'client_credentials' ? 'client' : 'login';
  return { owner, binding: bindingOf(settings), tokens, scopes: tokens.scopes ?? requested, from: { kind } };
}

/** Returns the addresses and the client to which a grant of these settings is bound. */
export function bindingOf({ clientId, tokenUrl, refreshUrl, revokeUrl }: OAuthSettings): GrantBinding {
  return {
    clientId,
    tokenUrl,
    ...(refreshUrl === undefined ? {} : { refreshUrl }),
    ...(revokeUrl === undefined ? {} : { revokeUrl }),
  };
}

/** True when the refresh token of a grant may be sent with these settings. */
export function isBoundTo({ clientId, tokenUrl, refreshUrl }: GrantBinding, settings: OAuthSettings): boolean {
  return (
    clientId === settings.clientId &&
    tokenUrl === settings.tokenUrl &&
    (refreshUrl ?? tokenUrl) === (settings.refreshUrl ?? settings.tokenUrl)
  );
}

/** Returns the issuer of grants: the identifier of the authorization server, else the origin of its token address. */
export function issuerOf({ issuer, tokenUrl }: OAuthSettings): string {
  return issuer ?? toUrl(tokenUrl).origin;
}
