import { type MaybePromise, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { fillAddress, namesIn, type ResolveName } from './fill-address.ts';
import type { OAuthSettings } from './types.ts';

/** Time before the end of a token in which it is refreshed, in milliseconds. */
const defaultMarginMs = 60_000;

type Texts = Readonly<Record<string, string>>;

/** `oauth2` of a provider definition. */
export interface OAuth2Block {
  readonly grant?: OAuthSettings['grant'] | undefined;
  readonly auth_url?: string | undefined;
  readonly device_url?: string | undefined;
  readonly token_url: string;
  readonly refresh_url?: string | undefined;
  readonly revoke_url?: string | undefined;
  readonly revoke_method?: 'post' | 'delete' | undefined;
  readonly issuer?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_auth?: OAuthSettings['clientAuth'] | undefined;
  readonly token_body?: OAuthSettings['tokenBody'] | undefined;
  readonly pkce?: boolean | undefined;
  readonly scope_separator?: string | undefined;
  readonly scope_includes?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly check_scopes?: boolean | undefined;
  readonly access_type?: string | undefined;
  readonly approval_prompt?: string | undefined;
  readonly authorization_params?: Texts | undefined;
  readonly token_params?: Texts | undefined;
  readonly provides?: Texts | undefined;
  readonly account_path?: string | undefined;
  readonly refresh_margin_ms?: number | undefined;
}

/** A provider definition. */
export interface OAuth2Provider {
  readonly provider: { readonly name: string };
  readonly oauth2?: OAuth2Block | undefined;
}

export interface SettingsOptions {
  /** Origins that the operator wrote. See `OAuthSettings.operatorOrigins`. @default none */
  readonly operatorOrigins?: readonly string[];
  /** Way to log in, where another than the definition's is chosen. @default that of the definition, else `code` */
  readonly grant?: OAuthSettings['grant'];
  /** True for a login by device, false for another login, which needs the client's secret. @default no login begins: a client may have no secret */
  readonly byDevice?: boolean;
}

/**
 * Makes the settings of an OAuth client of a provider definition, or of a provider that has one. `resolve` returns the values of `${NAME}`, and of
 * `{NAME}` in addresses. `{client_id}` in an address is the client id. Throws CONFIG_INVALID, which names what to set.
 */
export async function settingsOf(
  given: OAuth2Provider | { readonly definition: OAuth2Provider },
  resolve: (name: string) => MaybePromise<string | undefined>,
  options: SettingsOptions = {},
): Promise<OAuthSettings> {
  const definition = 'definition' in given ? given.definition : given;
  const values = new Map<string, string | undefined>();
  // One after the other: a person who is asked for values gets one question at a time.
  for (const name of new Set(textsIn(definition.oauth2).flatMap(namesIn))) if (name !== 'client_id') values.set(name, await resolve(name));
  return filledSettings(definition, (name) => values.get(name), options);
}

function filledSettings({ provider: { name }, oauth2 }: OAuth2Provider, resolve: ResolveName, options: SettingsOptions): OAuthSettings {
  if (oauth2 === undefined) throw invalid(name, 'it has no "oauth2". It uses another kind of credential');
  const grant = options.grant ?? oauth2.grant ?? 'code';
  const filler = new Filler(name, resolve);
  const clientId = filler.text('client_id', oauth2.client_id);
  const isByDevice = grant === 'device' || (oauth2.device_url !== undefined && options.byDevice !== false);
  const clientSecret = secretOf(filler, oauth2, isByDevice);
  const address = (key: 'auth_url' | 'device_url' | 'token_url' | 'refresh_url' | 'revoke_url' | 'issuer'): string | undefined =>
    filler.address(key, oauth2[key], clientId);
  const settings = {
    provider: name,
    grant,
    authUrl: address('auth_url'),
    deviceUrl: address('device_url'),
    tokenUrl: address('token_url') ?? '',
    refreshUrl: address('refresh_url'),
    revokeUrl: address('revoke_url'),
    revokeMethod: oauth2.revoke_method,
    issuer: address('issuer'),
    clientId: clientId ?? '',
    clientSecret,
    clientAuth: clientAuthOf(oauth2, clientSecret),
    tokenBody: oauth2.token_body ?? 'form',
    pkce: oauth2.pkce ?? true,
    scopeSeparator: oauth2.scope_separator ?? ' ',
    scopeIncludes: oauth2.scope_includes,
    checksScopes: oauth2.check_scopes,
    authorizationParams: {
      ...filler.texts({ access_type: oauth2.access_type, approval_prompt: oauth2.approval_prompt }),
      ...filler.texts(oauth2.authorization_params),
    },
    tokenParams: filler.texts(oauth2.token_params),
    provides: oauth2.provides ?? {},
    accountPath: oauth2.account_path,
    refreshMarginMs: oauth2.refresh_margin_ms ?? defaultMarginMs,
    operatorOrigins: options.operatorOrigins ?? [],
  };
  filler.refuseMissing();
  if (clientId === undefined) throw invalid(name, 'its "oauth2" has no "client_id"');
  if (grant === 'code' && settings.authUrl === undefined)
    throw invalid(name, 'its "oauth2" has no "auth_url", which a login in the browser needs');
  if (grant === 'device' && settings.deviceUrl === undefined)
    throw invalid(name, 'its "oauth2" has no "device_url", which a login by device needs');
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as unknown as OAuthSettings;
}

function textsIn({ provides: _provides, scope_includes: _includes, ...rest }: Partial<OAuth2Block> = {}): readonly string[] {
  const groups = [rest, rest.authorization_params ?? {}, rest.token_params ?? {}];
  return groups.flatMap((group) => Object.values(group).filter((value) => typeof value === 'string'));
}

/** A client that logs in by device may be one without a secret, although the definition has a place for it. */
function secretOf(filler: Filler, { client_auth: clientAuth, client_secret: text }: OAuth2Block, isByDevice: boolean): string | undefined {
  if (clientAuth === 'none' || (isByDevice && clientAuth === undefined && !filler.hasAll(text))) return undefined;
  return filler.text('client_secret', text);
}

function clientAuthOf({ client_auth: clientAuth }: OAuth2Block, clientSecret: string | undefined): OAuthSettings['clientAuth'] {
  return clientAuth ?? (clientSecret === undefined ? 'none' : 'post');
}

/** Fills the names in the texts of one definition, and collects the names without a value. */
class Filler {
  readonly #provider: string;
  readonly #resolve: ResolveName;
  readonly #missing = new Map<string, string>();

  constructor(provider: string, resolve: ResolveName) {
    this.#provider = provider;
    this.#resolve = (name) => resolve(name) || undefined;
  }

  hasAll(text = ''): boolean {
    return namesIn(text).every((name) => this.#resolve(name) !== undefined);
  }

  /** Fills `${NAME}`. Undefined for a missing value. */
  text(key: string, text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    return text.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => this.#valueOf(key, name)) || undefined;
  }

  texts(texts: Readonly<Record<string, string | undefined>> = {}): Texts {
    const filled = Object.entries(texts).map(([key, text]) => [key, this.text(key, text)]);
    return Object.fromEntries(filled.filter(([, text]) => text !== undefined));
  }

  address(key: string, address: string | undefined, clientId = ''): string | undefined {
    if (address === undefined) return undefined;
    const values = new Map(namesIn(address).map((name) => [name, name === 'client_id' ? clientId : this.#valueOf(key, name)]));
    if ([...values.values()].includes('')) return undefined;
    try {
      return fillAddress(address, (name) => values.get(name));
    } catch (error) {
      throw invalid(this.#provider, `its "${key}" cannot be filled: ${messageOf(error)}`);
    }
  }

  refuseMissing(): void {
    if (this.#missing.size === 0) return;
    const names = [...this.#missing.keys()];
    const keys = [...new Set(this.#missing.values())].map((key) => `"${key}"`).join(', ');
    throw invalid(this.#provider, `${keys} of its "oauth2" is not set. Set ${names.join(' and ')}`, { missing: names });
  }

  #valueOf(key: string, name: string): string {
    const value = this.#resolve(name);
    if (value === undefined) this.#missing.set(name, key);
    return value ?? '';
  }
}

function invalid(provider: string, problem: string, details: Readonly<Record<string, unknown>> = {}): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `The provider "${provider}" cannot be logged in to: ${problem}.`, { ...details, provider });
}
