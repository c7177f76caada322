import { ToolkitError } from '../../kernel/index.ts';
import type { SettingsUse } from '../shared/oauth/account-service.ts';
import type { OAuthClient, OAuthSettings, TokenSet } from '../shared/oauth/types.ts';
import type { AccountHolder, AccountName } from './account-name.ts';
import { type AuthReason, authRequired, loginCommand } from './auth-required.ts';
import type { ChainGrants } from './chain-grant.ts';
import { clientGrant, isOfClient } from './client-grant.ts';
import type { Grant, GrantOwner, Grants } from './grants/grant.ts';
import { issuerOf, newGrant } from './new-grant.ts';
import type { AccountProvider, AccountProviders } from './providers/account-providers.ts';
import { type Logout, revokeGrant } from './revoke-grant.ts';

export interface LiveOptions {
  /** Returns true for tokens that a service has refused (401). @default none */
  readonly isRefused?: (tokens: TokenSet) => boolean;
  readonly signal: AbortSignal;
}

export interface AccountsServices {
  readonly providers: AccountProviders;
  readonly grants: Grants;
  readonly chain: ChainGrants;
  /** The configured account by the name of its provider. */
  readonly use: Readonly<Record<string, string>>;
  clientOf(settings: OAuthSettings): OAuthClient;
  /** Returns the scopes of a login that names none. */
  defaultScopes(provider: string): readonly string[];
}

/** Accounts at providers: joins the definitions of providers, their OAuth clients, and the grants. */
export class Accounts {
  readonly grants: Grants;
  readonly providers: AccountProviders;
  readonly #services: AccountsServices;

  constructor(services: AccountsServices) {
    this.#services = services;
    this.grants = services.grants;
    this.providers = services.providers;
  }

  /** Returns one provider. Throws INVALID_PARAMETERS with the nearest names. */
  provider(name: string): AccountProvider {
    return this.providers.get(name);
  }

  /** Returns the OAuth settings of a provider. Throws INVALID_PARAMETERS for an unknown one, CONFIG_INVALID when its client id is missing. */
  settings(provider: string, use?: SettingsUse): Promise<OAuthSettings> {
    return this.providers.settings(provider, use);
  }

  /** Returns the OAuth client at a provider. Throws like `settings`. */
  async client(provider: string, use?: SettingsUse): Promise<OAuthClient> {
    return this.#services.clientOf(await this.settings(provider, use));
  }

  /** Returns the owner of an account: its issuer is that of the provider as it is configured now. */
  async ownerOf({ tenant, caller, provider, account = 'default' }: AccountName): Promise<GrantOwner> {
    return { tenant, caller, provider, issuer: issuerOf(await this.settings(provider)), account };
  }

  /** Stores a login, in place of an earlier grant of the owner. `requested`: the scopes, for an answer that names none (RFC 6749, 5.1). */
  async save(owner: GrantOwner, tokens: TokenSet, requested: readonly string[]): Promise<Grant> {
    return this.grants.save(newGrant(owner, await this.settings(owner.provider), tokens, requested));
  }

  /** Returns the grants of a holder, by account. */
  async accountsOf({ tenant, caller, provider }: AccountHolder): Promise<readonly Grant[]> {
    const issuer = issuerOf(await this.settings(provider));
    return this.grants.list({ tenant, caller, provider, issuer });
  }

  /** Returns true when a holder has an account that needs no login, or the resolver chain a refresh token for it. */
  async isConnected(holder: AccountHolder): Promise<boolean> {
    const grants = await this.accountsOf(holder);
    if (grants.some(({ needsLogin }) => needsLogin === undefined)) return true;
    if (grants.length > 0 || holder.caller !== 'default' || holder.tenant !== 'default') return false;
    if (isOfClient({ ...holder, account: 'default' }, await this.settings(holder.provider))) return true;
    return this.#services.chain.has(holder.provider);
  }

  /**
   * Returns the grant that a call of the holder uses, with tokens that can be used: refreshed when needed. Undefined without one. Throws
   * AUTH_REQUIRED: several accounts and none chosen, only a new login helps, or `retryable` while another process refreshes.
   */
  async live(holder: AccountName, { isRefused, signal }: LiveOptions): Promise<Grant | undefined> {
    const settings = await this.settings(holder.provider);
    const grant = await this.#used(holder, settings);
    if (grant === undefined) return undefined;
    const refused = isRefused?.(grant.tokens) === true ? { refused: grant.tokens.accessToken } : {};
    try {
      return await this.grants.live(grant.owner, { marginMs: settings.refreshMarginMs, ...refused, signal });
    } catch (error) {
      throw withCommand(error, grant.owner);
    }
  }

  /** Removes a grant and revokes it at its provider. Undefined without one. */
  async logout(owner: GrantOwner, signal?: AbortSignal): Promise<Logout | undefined> {
    return revokeGrant(this, owner, signal);
  }

  /** Returns the error AUTH_REQUIRED for a holder, with the command that logs in. */
  authRequired(holder: AccountName, reason: AuthReason, scopes: readonly string[] = []): ToolkitError {
    return authRequired(this.provider(holder.provider), reason, { holder, scopes });
  }

  close(): Promise<void> {
    return this.grants.close();
  }

  /** Returns the grant that calls use, as stored: the named or configured account, else `default`, else the only one. */
  async #used({ account, ...holder }: AccountName, settings: OAuthSettings): Promise<Grant | undefined> {
    const named = account ?? this.#services.use[holder.provider];
    const owner = await this.ownerOf({ ...holder, ...(named === undefined ? {} : { account: named }) });
    const stored = await this.grants.find(owner);
    if (named !== undefined && named !== 'default') {
      if (stored !== undefined || account !== undefined) return stored;
      throw this.authRequired(holder, { kind: 'absent', account: named });
    }
    if (stored !== undefined) return this.#withoutLogin(owner, settings, stored);
    const { tenant, caller, provider } = holder;
    const connected = await this.grants.list({ tenant, caller, provider });
    const others = connected.filter((other) => other.owner.issuer === owner.issuer);
    if (others.length === 0) {
      const given = await this.#withoutLogin(owner, settings, undefined);
      const [moved] = connected;
      if (given !== undefined || moved === undefined) return given;
      throw this.authRequired(holder, { kind: 'moved', account: moved.owner.account });
    }
    if (named !== undefined) return undefined;
    if (others.length === 1) return others[0];
    throw this.authRequired(holder, { kind: 'ambiguous', accounts: others.map((other) => other.owner.account) });
  }

  /** Returns the grant of an owner that needs no person: of the client itself, or of a refresh token of the resolver chain; else `stored`. */
  #withoutLogin(owner: GrantOwner, settings: OAuthSettings, stored: Grant | undefined): Promise<Grant | undefined> {
    const { chain, grants, defaultScopes } = this.#services;
    if (!isOfClient(owner, settings)) return chain.grantOf(owner, settings, stored);
    return clientGrant(grants, owner, { settings, scopes: settings.scopes ?? defaultScopes(owner.provider) }, stored);
  }
}

/** Returns an AUTH_REQUIRED of a grant with the command that logs in again. */
function withCommand(error: unknown, owner: GrantOwner): unknown {
  if (!ToolkitError.is(error) || error.code !== 'AUTH_REQUIRED' || error.retryable || error.details['command'] !== undefined) return error;
  const command = loginCommand(owner);
  return new ToolkitError(error.code, `${error.message} Type: ${command}`, { ...error.details, command }, { cause: error });
}
