import { createHash } from 'node:crypto';
import { toUrl } from '../../../kernel/index.ts';

export interface AddressParts {
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly scopeSeparator: string;
  readonly state: string;
  /** Verifier whose challenge is sent (RFC 7636, 4.3). @default none */
  readonly verifier?: string | undefined;
  /** Parameters of the provider. They replace none of the protocol. */
  readonly params?: Readonly<Record<string, string | undefined>>;
  /** See `OAuthSettings.resource`. */
  readonly resource?: string | undefined;
}

/** Returns the address that a person opens to grant access (RFC 6749, 4.1.1). */
export function authorizationAddress(parts: AddressParts): string {
  const { authUrl, clientId, redirectUri, scopes, scopeSeparator, state, verifier, params = {}, resource } = parts;
  const url = toUrl(authUrl);
  const parameters = {
    ...params,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(scopes.length === 0 ? {} : { scope: [...new Set(scopes)].join(scopeSeparator) }),
    state,
    ...(resource === undefined ? {} : { resource }),
    // Undefined removes what the settings could say: they cannot weaken the challenge.
    code_challenge: verifier === undefined ? undefined : challengeOf(verifier),
    code_challenge_method: verifier === undefined ? undefined : 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
