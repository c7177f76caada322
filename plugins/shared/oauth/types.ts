/** The settings of one OAuth client at one provider, without placeholders. */
export interface OAuthSettings {
  /** Name of the provider, for messages. */
  readonly provider: string;
  /** The authorization server's identifier. A redirect with another `iss` is refused (RFC 9207). @default not checked */
  readonly issuer?: string;
  /** True when a redirect without `iss` is refused: the server announces it (RFC 9207, 3). @default false */
  readonly requiresIss?: boolean;
  readonly grant: 'code' | 'device' | 'client_credentials';
  readonly authUrl?: string;
  readonly deviceUrl?: string;
  readonly tokenUrl: string;
  /** @default tokenUrl */
  readonly refreshUrl?: string;
  readonly revokeUrl?: string;
  /** `delete`: the access token in the body of a DELETE request, as GitHub has it. @default 'post' (RFC 7009) */
  readonly revokeMethod?: 'post' | 'delete';
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly clientAuth: 'basic' | 'post' | 'none';
  readonly tokenBody: 'form' | 'json';
  /** Code challenge S256 (RFC 7636). */
  readonly pkce: boolean;
  readonly scopeSeparator: string;
  /** Scopes that a granted scope includes, such as `repo` and `public_repo`: the service may leave them out of its answer. */
  readonly scopeIncludes?: Readonly<Record<string, readonly string[]>>;
  /** True when the scopes of an answer say reliably that a tool's request would be refused. @default false */
  readonly checksScopes?: boolean;
  /** Scopes of a login that names none. @default none */
  readonly scopes?: readonly string[];
  readonly authorizationParams: Readonly<Record<string, string>>;
  readonly tokenParams: Readonly<Record<string, string>>;
  /** Sent with every request (RFC 8707). */
  readonly resource?: string;
  /** Path into the token answer by name of the secret. `redirect.<name>`: a parameter of the redirect. */
  readonly provides: Readonly<Record<string, string>>;
  /** Path that names the account, in the token answer, or in the claims of its id_token (`id_token.email`). */
  readonly accountPath?: string;
  /** A token is refreshed when less than this is left, in milliseconds; at most half of its life. */
  readonly refreshMarginMs: number;
  /** Origins that the operator wrote: they may be private, and http on loopback. */
  readonly operatorOrigins: readonly string[];
}

/** The tokens of a grant. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Time of the answer, in epoch ms. */
  readonly receivedAt: number;
  /** Life of the access token from then on, in milliseconds. @default not told: used until the service refuses it */
  readonly lifetimeMs?: number;
  /** The granted scopes. @default those that were asked for (RFC 6749, 5.1) */
  readonly scopes?: readonly string[];
  /** Values by name of the secret, as `provides` says. */
  readonly values: Readonly<Record<string, string>>;
  /** Name of the account at the provider, for people. */
  readonly account?: string;
}

/** A begun login by authorization code. Secret: it holds the verifier. */
export interface AuthorizationRequest {
  /** The address for the person's browser. */
  readonly url: string;
  readonly state: string;
  readonly verifier?: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** A begun login by device (RFC 8628). */
export interface DeviceAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string;
  readonly expiresInMs: number;
  readonly intervalMs: number;
  readonly scopes: readonly string[];
}

/** Kind of an OAuth failure, in `details.oauth.kind`. */
export type OAuthFailureKind =
  /** The server answered with an error of the standard, in `details.oauth.error`. */
  | 'refused'
  /** No request reached the server. */
  | 'unsent'
  /** A request was sent, and there is no usable answer: the server may have acted. */
  | 'unanswered'
  /** The redirect belongs to another login, issuer or client. */
  | 'mismatch';

/** An OAuth client at one provider. Every method throws ToolkitError with `details.oauth`. */
export interface OAuthClient {
  readonly settings: OAuthSettings;
  /** Begins a login: makes state and verifier, and the address for the browser. `state` may be given. */
  begin(request: {
    readonly redirectUri: string;
    readonly scopes: readonly string[];
    readonly state?: string;
  }): Promise<AuthorizationRequest>;
  /** Checks the redirect (state, issuer, error) and exchanges its code. */
  finish(request: AuthorizationRequest, redirect: URLSearchParams, signal?: AbortSignal): Promise<TokenSet>;
  beginDevice(scopes: readonly string[], signal?: AbortSignal): Promise<DeviceAuthorization>;
  /** Asks until the person has decided, at the server's interval. `wait` is given for tests. */
  finishDevice(device: DeviceAuthorization, signal?: AbortSignal): Promise<TokenSet>;
  clientCredentials(scopes: readonly string[], signal?: AbortSignal): Promise<TokenSet>;
  /** Refreshes. The result keeps what the answer leaves out: refresh token, scopes, values, account. */
  refresh(tokens: TokenSet, signal?: AbortSignal): Promise<TokenSet>;
  /** Revokes the refresh token, else the access token (RFC 7009). Resolves to false where the provider has no such address. */
  revoke(tokens: TokenSet, signal?: AbortSignal): Promise<boolean>;
}
