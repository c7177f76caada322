import { defineFact } from '../../../kernel/index.ts';
import type { OAuthSettings } from './types.ts';

/** The values of one caller's grant at one authorization server, for a plugin that sends them itself. */
export interface AccountAccess {
  readonly accessToken: string;
  /** The owner's name for the account. */
  readonly account: string;
  /** Differs between two logins of one account, not between the tokens of one login. @default not told */
  readonly grant?: string;
}

/** The use of settings: a client that was registered automatically may not fit all. */
export interface SettingsUse {
  /** The redirect address of a login. @default one on this machine, with any port */
  readonly redirectUri?: string;
  /** True for the beginning of a login: a client that the server has forgotten is registered anew. @default false */
  readonly isLogin?: boolean;
  /** The client to which a grant is bound: settings of another one are of no use for it. @default the newest */
  readonly clientId?: string;
  /** True for a login by device, false for another login. A provider with an address for devices may have a client without a secret there. @default no login begins */
  readonly byDevice?: boolean;
}

/** Grants for plugins other than `accounts`, such as connections to MCP servers. */
export interface AccountService {
  /**
   * Adds a provider that no definition describes, such as an MCP server. `settings` is called for each use: discovery and registration take requests,
   * and the issuer may be another one later.
   */
  addProvider(name: string, settings: (use?: SettingsUse) => Promise<OAuthSettings>): void;
  /** Returns those of the secrets that a connected account of the caller supplies, by names of `oauth2.provides`. */
  connected?(owner: { readonly caller: string; readonly tenant: string }, secrets: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns live access of a caller at a provider. `refused`: an access token that got 401. Throws AUTH_REQUIRED with the way to log in, and
   * with the scopes that are missing.
   */
  access(request: {
    readonly provider: string;
    readonly caller: string;
    readonly tenant: string;
    readonly scopes?: readonly string[];
    readonly refused?: string;
    /**
     * True to get a link for the caller's person too, in the error and its details (`url`), where an HTTP server runs. Only for an answer to that
     * caller: the link connects an account to it. @default false
     */
    readonly offersLink?: boolean;
    readonly signal: AbortSignal;
  }): Promise<AccountAccess>;
}

/** Stated by the plugin that keeps accounts. */
export const accountService = defineFact<AccountService>('accounts at providers');
