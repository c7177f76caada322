import type { Tool } from '../../../kernel/index.ts';
import type { AuthorizationRequest } from '../../shared/oauth/types.ts';
import type { GrantOwner, NewGrant } from '../grants/grant.ts';

/** A caller's account at a provider. */
export interface ConnectHolder {
  readonly tenant: string;
  readonly caller: string;
  readonly provider: string;
  /** @default 'default' */
  readonly account?: string;
}

/** The accounts as connecting needs them. */
export interface ConnectAccounts {
  /** Returns the owner of an account, with the issuer of its provider. */
  ownerOf(holder: ConnectHolder): Promise<GrantOwner>;
  /** True when a person logs in at the provider by a browser that comes back here: not by device, and not without a person. */
  hasLinks(provider: string): Promise<boolean>;
  /**
   * Returns the scopes that a login for a tool asks for: those of the owner's grant too, which the new one replaces. `lacked`: those that the call
   * lacks. @default those that the tool requires
   */
  scopesFor(owner: GrantOwner, tool: Tool, lacked?: readonly string[]): Promise<readonly string[]>;
  /** Begins a login with the given `state`. */
  begin(
    owner: GrantOwner,
    request: { readonly redirectUri: string; readonly scopes: readonly string[]; readonly state: string },
  ): Promise<AuthorizationRequest>;
  /**
   * Checks the redirect and exchanges its code. Stores nothing. The grant is bound to the addresses that gave the tokens. Throws as
   * `OAuthClient.finish` does, and when the owner's issuer is no longer that of the provider.
   */
  finish(owner: GrantOwner, request: AuthorizationRequest, redirect: URLSearchParams): Promise<NewGrant>;
  save(grant: NewGrant): Promise<unknown>;
  /** Revokes the tokens of a login that is not stored, where they came from. */
  revoke(grant: NewGrant): Promise<unknown>;
  /** Returns the name of a provider for people. */
  titleOf(provider: string): string;
}
