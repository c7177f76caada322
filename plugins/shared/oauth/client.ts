import { ToolkitError } from '../../../kernel/index.ts';
import { randomValue } from '../keys/random-value.ts';
import { authorizationAddress } from './authorization-address.ts';
import { beginDevice, finishDevice } from './device.ts';
import type { OAuthServices } from './endpoint.ts';
import { addressProblem } from './guarded-request.ts';
import { codeOf } from './redirect.ts';
import { revokeTokens } from './revoke.ts';
import { requestTokens } from './token-endpoint.ts';
import type { AuthorizationRequest, DeviceAuthorization, OAuthClient, OAuthSettings, TokenSet } from './types.ts';

/** Makes an OAuth client of a provider (RFC 6749). Nothing is loaded or sent before a method is called. */
export function createOAuthClient(settings: OAuthSettings, services: OAuthServices): OAuthClient {
  return new Client(settings, services);
}

class Client implements OAuthClient {
  readonly settings: OAuthSettings;
  readonly #services: OAuthServices;

  constructor(settings: OAuthSettings, services: OAuthServices) {
    this.settings = settings;
    this.#services = services;
  }

  async begin({ redirectUri, scopes, state = randomValue() }: Parameters<OAuthClient['begin']>[0]): Promise<AuthorizationRequest> {
    const { provider, authUrl, tokenUrl, operatorOrigins, pkce, authorizationParams, clientId, scopeSeparator, resource } = this.settings;
    const problem = authUrl === undefined ? 'there is none' : addressProblem(authUrl, operatorOrigins);
    if (authUrl === undefined || problem !== undefined) throw uselessAddress(provider, 'auth_url', problem);
    // A person must not log in for nothing.
    const tokenProblem = addressProblem(tokenUrl, operatorOrigins);
    if (tokenProblem !== undefined) throw uselessAddress(provider, 'token_url', tokenProblem);
    const verifier = pkce ? randomValue() : undefined;
    const parts = { authUrl, clientId, redirectUri, scopes, scopeSeparator, state, verifier, params: authorizationParams, resource };
    const url = authorizationAddress(parts);
    return { url, state, ...(verifier === undefined ? {} : { verifier }), redirectUri, scopes };
  }

  async finish(request: AuthorizationRequest, redirect: URLSearchParams, signal?: AbortSignal): Promise<TokenSet> {
    const code = codeOf(this.settings, request, redirect);
    const { verifier, redirectUri, scopes } = request;
    return requestTokens(this.settings, this.#services, {
      grantType: 'authorization_code',
      parameters: { code, redirect_uri: redirectUri, ...(verifier === undefined ? {} : { code_verifier: verifier }) },
      url: this.settings.tokenUrl,
      secrets: { CODE: code, CODE_VERIFIER: verifier },
      scopes,
      readsIdToken: true,
      redirect,
      signal,
    });
  }

  beginDevice(scopes: readonly string[], signal?: AbortSignal): Promise<DeviceAuthorization> {
    return beginDevice(this.settings, this.#services, scopes, signal);
  }

  finishDevice(device: DeviceAuthorization, signal?: AbortSignal): Promise<TokenSet> {
    return finishDevice(this.settings, this.#services, device, signal);
  }

  clientCredentials(scopes: readonly string[], signal?: AbortSignal): Promise<TokenSet> {
    const { tokenUrl, scopeSeparator } = this.settings;
    const parameters: Readonly<Record<string, string>> = scopes.length === 0 ? {} : { scope: scopes.join(scopeSeparator) };
    return requestTokens(this.settings, this.#services, {
      grantType: 'client_credentials',
      parameters,
      url: tokenUrl,
      secrets: {},
      scopes,
      signal,
    });
  }

  async refresh(tokens: TokenSet, signal?: AbortSignal): Promise<TokenSet> {
    const { tokenUrl, refreshUrl = tokenUrl, provider } = this.settings;
    const { refreshToken, scopes, account } = tokens;
    if (refreshToken === undefined) {
      throw new ToolkitError('AUTH_FAILED', `The login at "${provider}" cannot be refreshed: it has no refresh token. Log in again.`, {
        provider,
        oauth: { kind: 'unsent' },
      });
    }
    const received = await requestTokens(this.settings, this.#services, {
      grantType: 'refresh_token',
      parameters: { refresh_token: refreshToken },
      url: refreshUrl,
      secrets: { REFRESH_TOKEN: refreshToken, ACCESS_TOKEN: tokens.accessToken },
      scopes: scopes ?? [],
      mayDropScopes: true,
      signal,
    });
    return {
      refreshToken,
      ...(scopes === undefined ? {} : { scopes }),
      ...(account === undefined ? {} : { account }),
      ...received,
      values: { ...tokens.values, ...received.values },
    };
  }

  revoke(tokens: TokenSet, signal?: AbortSignal): Promise<boolean> {
    return revokeTokens(this.settings, this.#services, tokens, signal);
  }
}

function uselessAddress(provider: string, key: string, problem: string | undefined): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `The "${key}" of "${provider}" cannot be used: ${problem}. Correct it in its "oauth2".`, {
    provider,
    oauth: { kind: 'unsent' },
  });
}
