import { createHash, randomBytes } from 'node:crypto';

export interface TokenGrantsOptions {
  /** True when a refresh gives a new refresh token and kills the old one. @default true */
  readonly rotates?: boolean;
  /** Life of access tokens in milliseconds; undefined for tokens without end. @default 3600000 */
  readonly lifeMs?: number | undefined;
  /** The server's clock, in epoch ms. @default Date.now */
  readonly now?: () => number;
  /** Returns what is issued of a kind. `random`: 32 digits, new each time. @default `at-` or `rt-` and the digits, else the digits */
  readonly issue?: (kind: IssuedKind, random: string) => string;
}

export type IssuedKind = 'access' | 'refresh' | 'code' | 'device';

const prefixes: Readonly<Partial<Record<IssuedKind, string>>> = { access: 'at-', refresh: 'rt-' };

/** Parameters of a request. */
export type Parameters = Readonly<Record<string, string>>;

/** Members of an answer: tokens, or `error`. */
export type Members = Readonly<Record<string, unknown>>;

interface Issued {
  readonly account: string;
  readonly scopes: readonly string[];
  /** Login that the token belongs to: all of it dies when a used refresh token comes again. */
  readonly family: string;
  readonly expiresAt: number;
}

/** The tokens, codes and devices of a `TokenServer`. Members may be changed at any time. */
export class TokenGrants {
  rotates: boolean;
  lifeMs: number | undefined;
  now: () => number;
  /** The person at the browser. */
  account = 'ann@acme.example';
  /** True when a used refresh token that comes again ends its login (RFC 9700, 4.14.2). @default true */
  endsOnReuse = true;
  /** All codes and tokens that were issued. */
  readonly issued: string[] = [];
  /** Number of refresh tokens that came again after they were used. */
  reuses = 0;
  /** Members of every answer with tokens, beside the tokens. */
  more: Members = {};
  readonly #newValue: (kind: IssuedKind) => string;
  readonly #access = new Map<string, Issued>();
  readonly #refresh = new Map<string, Issued>();
  readonly #used = new Map<string, string>();
  readonly #codes = new Map<string, Parameters & { readonly account: string }>();
  readonly #devices = new Map<string, { readonly userCode: string; readonly scope: string; state: 'pending' | 'allowed' | 'denied' }>();

  constructor(options: TokenGrantsOptions) {
    const { rotates = true, now = Date.now, issue = (kind, random) => `${prefixes[kind] ?? ''}${random}` } = options;
    this.#newValue = (kind) => issue(kind, unguessable());
    this.rotates = rotates;
    this.now = now;
    this.lifeMs = 'lifeMs' in options ? options.lifeMs : 3_600_000;
  }

  /** The account of a live access token. */
  accountOf(accessToken: string): string | undefined {
    const found = this.#access.get(accessToken);
    return found === undefined || found.expiresAt <= this.now() ? undefined : found.account;
  }

  /** The scopes of an access token. */
  scopesOf(accessToken: string): readonly string[] | undefined {
    return this.#access.get(accessToken)?.scopes;
  }

  /** Ends one access token before its time, or all of them. Their refresh tokens live on. */
  expire(accessToken?: string): void {
    for (const [token, issued] of this.#access)
      if (accessToken === undefined || token === accessToken) this.#access.set(token, { ...issued, expiresAt: 0 });
  }

  /** Ends the login of a refresh or access token, as a person does at the provider. */
  endLogin(token: string): void {
    this.#endFamily((this.#refresh.get(token) ?? this.#access.get(token))?.family);
  }

  /** Allows or denies a login by device. */
  decideDevice(userCode: string, state: 'allowed' | 'denied' = 'allowed'): void {
    for (const device of this.#devices.values()) if (device.userCode === userCode) device.state = state;
  }

  protected addCode(asked: Parameters): string {
    const code = this.#newValue('code');
    this.issued.push(code);
    this.#codes.set(code, { ...asked, account: this.account });
    return code;
  }

  protected addDevice({ scope = '' }: Parameters): Members {
    const [deviceCode, userCode] = [this.#newValue('device'), unguessable().slice(0, 8).toUpperCase()];
    this.#devices.set(deviceCode, { userCode, scope, state: 'pending' });
    return { device_code: deviceCode, user_code: userCode, expires_in: 600, interval: 5 };
  }

  /** Acts on a token request, and returns the answer. */
  protected grant(parameters: Parameters): Members {
    switch (parameters['grant_type']) {
      case 'authorization_code':
        return this.#byCode(parameters);
      case 'refresh_token':
        return this.#byRefresh(parameters['refresh_token'] ?? '');
      case 'client_credentials':
        return this.newLogin('toolkit', wordsOf(parameters['scope']));
      case 'urn:ietf:params:oauth:grant-type:device_code':
        return this.#byDevice(parameters['device_code'] ?? '');
      default:
        return { error: 'unsupported_grant_type' };
    }
  }

  protected newLogin(account: string, scopes: readonly string[]): Members {
    return this.#tokens({ account, scopes, family: unguessable() });
  }

  #byCode({ code = '', redirect_uri: redirectUri = '', code_verifier: verifier, client_id: client }: Parameters): Members {
    const asked = this.#codes.get(code);
    this.#codes.delete(code);
    if (asked?.['client_id'] !== client) return { error: 'invalid_grant', error_description: 'the code is not of this client' };
    if (asked === undefined || asked['redirect_uri'] !== redirectUri) return { error: 'invalid_grant' };
    if (asked['code_challenge'] !== challengeOf(verifier)) return { error: 'invalid_grant', error_description: 'PKCE verification failed' };
    return this.newLogin(asked.account, wordsOf(asked['scope']));
  }

  #byRefresh(token: string): Members {
    const issued = this.#refresh.get(token);
    if (issued === undefined) {
      const family = this.#used.get(token);
      if (family !== undefined) this.reuses++;
      if (this.endsOnReuse) this.#endFamily(family);
      return { error: 'invalid_grant', error_description: 'the refresh token is not valid' };
    }
    if (!this.rotates) return this.#tokens(issued, token);
    this.#refresh.delete(token);
    this.#used.set(token, issued.family);
    return this.#tokens(issued);
  }

  #byDevice(deviceCode: string): Members {
    const device = this.#devices.get(deviceCode);
    if (device === undefined) return { error: 'expired_token' };
    if (device.state === 'pending') return { error: 'authorization_pending' };
    this.#devices.delete(deviceCode);
    return device.state === 'denied' ? { error: 'access_denied' } : this.newLogin(this.account, wordsOf(device.scope));
  }

  /** `sameRefresh`: the refresh token that goes on to live, and is not in the answer. */
  #tokens({ account, scopes, family }: Omit<Issued, 'expiresAt'>, sameRefresh?: string): Members {
    const { lifeMs } = this;
    const [accessToken, refreshToken] = [this.#newValue('access'), this.#newValue('refresh')];
    this.issued.push(accessToken, ...(sameRefresh === undefined ? [refreshToken] : []));
    const issued = { account, scopes, family, expiresAt: lifeMs === undefined ? Number.POSITIVE_INFINITY : this.now() + lifeMs };
    this.#access.set(accessToken, issued);
    if (sameRefresh === undefined) this.#refresh.set(refreshToken, issued);
    return {
      ...this.more,
      access_token: accessToken,
      token_type: 'Bearer',
      account,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      ...(sameRefresh === undefined ? { refresh_token: refreshToken } : {}),
      ...(lifeMs === undefined ? {} : { expires_in: lifeMs / 1000 }),
    };
  }

  #endFamily(family: string | undefined): void {
    for (const tokens of [this.#access, this.#refresh])
      for (const [token, issued] of tokens) if (issued.family === family) tokens.delete(token);
  }
}

function challengeOf(verifier: string | undefined): string | undefined {
  return verifier === undefined ? undefined : createHash('sha256').update(verifier).digest('base64url');
}

function wordsOf(text = ''): readonly string[] {
  return text.split(/[ ,]+/).filter((word) => word !== '');
}

function unguessable(): string {
  return randomBytes(16).toString('hex');
}
