import { randomBytes } from 'node:crypto';
import { didYouMean, type ProviderDefinition, ToolkitError } from '../../kernel/index.ts';
import { randomValue } from '../shared/keys/random-value.ts';
import { authorizationAddress } from '../shared/oauth/authorization-address.ts';

export interface AuthorizationOptions {
  /** Names of permission groups of the provider, such as `messaging`. */
  readonly groups?: readonly string[];
  /** Further scopes, by the provider's names. */
  readonly scopes?: readonly string[];
  /** Returned with the answer, so that a forged answer is noticed (RFC 6749, 10.12). @default 128 random bits */
  readonly state?: string;
  /** Redirect URI of the request. Required when the provider's definition has none. @default that of the provider's definition */
  readonly redirectUri?: string;
}

export interface AuthorizationUrl {
  readonly url: string;
  readonly state: string;
  /** Verifier to send with the code (RFC 7636, 4.5). Present when the provider uses a code challenge. */
  readonly codeVerifier?: string;
}

interface ClientSettings {
  /** The authorization endpoint, without placeholders. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** Returns the URL that a person opens to grant access (RFC 6749, 4.1.1). Throws CONFIG_INVALID and INVALID_PARAMETERS. */
export function authorizationUrl(
  { provider, oauth2 }: ProviderDefinition,
  { groups = [], scopes = [], state = randomBytes(16).toString('base64url') }: AuthorizationOptions,
  { authUrl, clientId, redirectUri }: ClientSettings,
): AuthorizationUrl {
  if (oauth2 === undefined) throw noOauth2Error(provider.name);
  const requestedScopes = new Set([...groups.flatMap((group) => scopesOf(oauth2.scopes, group)), ...scopes]);
  const verifier = oauth2.pkce === true ? randomValue() : undefined;
  const url = authorizationAddress({
    authUrl,
    clientId,
    redirectUri,
    scopes: [...requestedScopes],
    scopeSeparator: oauth2.scope_separator ?? ' ',
    state,
    verifier,
    params: { ...oauth2.authorization_params, access_type: oauth2.access_type, approval_prompt: oauth2.approval_prompt },
  });
  return { url, state, ...(verifier === undefined ? {} : { codeVerifier: verifier }) };
}

/** Makes the error of a provider that grants no access by a URL. */
export function noOauth2Error(provider: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `The provider "${provider}" has no "oauth2". It uses another kind of credential.`);
}

function scopesOf(known: Readonly<Record<string, readonly string[]>>, group: string): readonly string[] {
  const found = Object.hasOwn(known, group) ? known[group] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(known);
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `There is no permission group "${group}".${didYouMean(group, names)} Expected one of ${names.join(', ')}.`,
  );
}
