import type { TokenSet } from '../../shared/oauth/types.ts';

/** The owner of a grant. Two grants never share one. */
export interface GrantOwner {
  readonly tenant: string;
  readonly caller: string;
  readonly provider: string;
  /** Identifier of the authorization server, or the origin of its token address. */
  readonly issuer: string;
  /** The owner's name for the account, such as `work`. @default 'default' */
  readonly account: string;
}

/** The addresses and the client that a grant is bound to: its refresh token is sent nowhere else. */
export interface GrantBinding {
  readonly clientId: string;
  readonly tokenUrl: string;
  readonly refreshUrl?: string;
  readonly revokeUrl?: string;
}

/** The permission of a person at a provider. */
export interface Grant {
  readonly owner: GrantOwner;
  readonly binding: GrantBinding;
  readonly tokens: TokenSet;
  /** The granted scopes. */
  readonly scopes: readonly string[];
  /** Counts writes, from 1. */
  readonly version: number;
  /** Epoch ms. */
  readonly createdAt: number;
  /** `login`: a person logged in. `client`: the client itself did (`client_credentials`). `chain`: from a refresh token of the resolver chain, by its SHA-256. */
  readonly from: { readonly kind: 'login' | 'client' } | { readonly kind: 'chain'; readonly sha256: string };
  /** Set when only a new login helps. `reason`: the provider refused the refresh token, or the answer of a refresh was lost. */
  readonly needsLogin?: { readonly since: number; readonly reason: 'refused' | 'lost' };
}

/** The parts of a grant that a login gives. */
export type NewGrant = Pick<Grant, 'owner' | 'binding' | 'tokens' | 'scopes' | 'from'>;

/** Sends one refresh for a grant. Throws as `OAuthClient.refresh` does. */
export type RefreshGrant = (grant: Grant, signal: AbortSignal) => Promise<TokenSet>;

/** The grants of all callers. Every method rejects with STATE_UNAVAILABLE when the store is unreachable. */
export interface Grants {
  find(owner: GrantOwner): Promise<Grant | undefined>;
  /** Returns the grants of a tenant's caller, or of all. Sorted by owner. */
  list(filter?: Partial<GrantOwner>): Promise<readonly Grant[]>;
  /**
   * Stores a login; replaces an earlier grant of the owner. `over`: replaces only a grant of this version (0: none), and returns the stored one
   * where there is another. @default any
   */
  save(grant: NewGrant, over?: number): Promise<Grant>;
  /** Deletes a grant and returns it; undefined without one. */
  delete(owner: GrantOwner): Promise<Grant | undefined>;
  /**
   * Returns a grant whose access token can be used: as stored, or after one refresh over all processes, when less than the margin is left or
   * the access token is `refused`. Undefined without a grant. Throws AUTH_REQUIRED: `needsLogin`, or `retryable` while another process refreshes.
   */
  live(
    owner: GrantOwner,
    options: { readonly marginMs: number; readonly refused?: string; readonly signal: AbortSignal },
  ): Promise<Grant | undefined>;
  close(): Promise<void>;
}
