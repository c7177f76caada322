import { type JsonObject, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import type { Challenge } from '../../shared/http/challenge.ts';
import type { SettingsUse } from '../../shared/oauth/account-service.ts';
import type { OAuthSettings } from '../../shared/oauth/types.ts';
import type { ServerSettings } from '../settings.ts';
import { providerOf } from './account-owner.ts';
import type { ClientRecords } from './client-records.ts';
import { type LoginClient, loopbackRedirects, registeredClient } from './registered-client.ts';

/** The login that a server describes. */
export interface DescribedLogin {
  /** Metadata of the authorization server (RFC 8414). Its issuer was checked. */
  readonly metadata: JsonObject;
  readonly issuer: string;
  /** The identifier of the server, which tokens are for (RFC 8707). It was checked. */
  readonly resource: string;
  /** Scopes of a login without others. */
  readonly scopes: readonly string[];
}

export interface ServerProviderServices {
  readonly records: ClientRecords;
  /** Epoch ms. */
  readonly now: () => number;
  /** Masks a value until the end of this process. */
  readonly maskAlso: (name: string, value: string) => void;
  /** Resolves a secret of the operator. */
  readonly secret: (name: string) => Promise<string | undefined>;
  describe(challenge: Challenge | undefined): Promise<DescribedLogin>;
  register(login: DescribedLogin, redirectUris: readonly string[]): Promise<JsonObject>;
  /** Returns true when the server no longer knows the client of these settings. */
  isForgotten(settings: OAuthSettings): Promise<boolean>;
  readonly warn: (message: string) => void;
}

/** A token is refreshed when less than this is left, in milliseconds. */
const refreshMarginMs = 60_000;

/** One server with `auth: oauth` as a provider of accounts: what it says of its login, and this program's client there. */
export class ServerProvider {
  readonly server: ServerSettings;
  readonly #services: ServerProviderServices;
  #described: Promise<DescribedLogin> | undefined;
  #known: DescribedLogin | undefined;
  #challenge: Challenge | undefined;

  constructor(server: ServerSettings, services: ServerProviderServices) {
    this.server = server;
    this.#services = services;
  }

  /** The scopes of a login without others; empty while they are not known. */
  get scopes(): readonly string[] {
    return this.#known?.scopes ?? [];
  }

  /** Notes that the server refuses a token: its login is looked up again, since another issuer may give its tokens now. */
  onRefused(challenge: Challenge): void {
    this.#challenge = challenge;
    this.#described = undefined;
  }

  /**
   * Returns the settings for an account. Looks the login up once. At the beginning of a login, registers a client anew that the server has forgotten.
   * Throws what is wrong with the login, and what the operator can do.
   */
  async settings(use: SettingsUse = {}): Promise<OAuthSettings> {
    const login = await this.#login();
    const client = await this.#client(login, use);
    const settings = this.#settingsOf(login, client);
    const { isForgotten, warn } = this.#services;
    if (use.isLogin !== true || client.isRegistered !== true || !(await isForgotten(settings))) return settings;
    warn(`the authorization server of "${this.server.name}" no longer knows this program: it is registered anew`);
    return this.#settingsOf(login, await this.#client(login, use, client.id));
  }

  #settingsOf(login: DescribedLogin, client: LoginClient): OAuthSettings {
    if (client.secret !== undefined) this.#services.maskAlso(`client secret of ${this.server.name}`, client.secret);
    const { metadata, issuer, resource, scopes } = login;
    const text = (name: string): string | undefined => (typeof metadata[name] === 'string' ? metadata[name] : undefined);
    const optional = (members: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    return {
      provider: providerOf(this.server.name),
      issuer,
      requiresIss: metadata['authorization_response_iss_parameter_supported'] === true,
      grant: 'code',
      tokenUrl: text('token_endpoint') ?? '',
      ...optional({ authUrl: text('authorization_endpoint'), deviceUrl: text('device_authorization_endpoint') }),
      ...optional({ revokeUrl: text('revocation_endpoint'), clientSecret: client.secret }),
      clientId: client.id,
      clientAuth: clientAuthOf(client, metadata),
      tokenBody: 'form',
      pkce: true,
      scopeSeparator: ' ',
      scopes,
      // OpenID Connect Core, 11: without it no refresh token is given.
      authorizationParams: scopes.includes('offline_access') ? { prompt: 'consent' } : {},
      tokenParams: {},
      resource,
      provides: {},
      refreshMarginMs,
      operatorOrigins: operatorOrigins(this.server),
    };
  }

  #login(): Promise<DescribedLogin> {
    if (this.#described !== undefined) return this.#described;
    const described = this.#services.describe(this.#challenge);
    this.#described = described;
    described.then(
      (login) => {
        if (this.#described === described) this.#known = login;
      },
      () => {
        if (this.#described === described) this.#described = undefined;
      },
    );
    return described;
  }

  async #client(login: DescribedLogin, use: SettingsUse, forgotten?: string): Promise<LoginClient & { readonly isRegistered?: true }> {
    const { name, oauth: { clientId, clientSecret, clientMetadata } = {} } = this.server;
    if (clientId !== undefined) {
      if (clientSecret === undefined) return { id: clientId };
      const secret = await this.#services.secret(clientSecret.secret);
      if (secret !== undefined) return { id: clientId, secret };
      const message = `The MCP server "${name}" needs the secret ${clientSecret.secret}, which no resolver has. Provide it.`;
      throw new ToolkitError('MISSING_PARAMETER', message, { server: name });
    }
    const { metadata, issuer } = login;
    if (clientMetadata !== undefined && metadata['client_id_metadata_document_supported'] === true)
      return { id: clientMetadata, method: 'none' };
    if (typeof metadata['registration_endpoint'] !== 'string') {
      const message = `The authorization server of the MCP server "${name}" registers no clients by itself. Register one there with the redirect address ${loopbackRedirects[0]}, and write its id to "oauth: { clientId: … }" of the server.`;
      throw new ToolkitError('CONFIG_INVALID', message, { server: name });
    }
    const { records, now, register } = this.#services;
    const clients = { server: name, issuer, records, now, register: (uris: readonly string[]) => register(login, uris) };
    return { ...(await registeredClient(clients, use, forgotten)), isRegistered: true };
  }
}

/** Returns the origins that the operator wrote. */
export function operatorOrigins({ url, oauth }: Pick<ServerSettings, 'url' | 'oauth'>): readonly string[] {
  const origins = [url, oauth?.issuer].flatMap((address) => (address === undefined ? [] : (parseUrl(address)?.origin ?? [])));
  return [...new Set(origins)];
}

/** Returns the way in which a client proves itself. RFC 8414, 2: basic where the server says nothing. */
function clientAuthOf({ secret, method }: LoginClient, metadata: JsonObject): OAuthSettings['clientAuth'] {
  if (secret === undefined || method === 'none') return 'none';
  if (method === 'client_secret_post') return 'post';
  if (method === 'client_secret_basic') return 'basic';
  const methods = metadata['token_endpoint_auth_methods_supported'];
  if (!Array.isArray(methods) || methods.includes('client_secret_basic')) return 'basic';
  return methods.includes('client_secret_post') ? 'post' : 'basic';
}
