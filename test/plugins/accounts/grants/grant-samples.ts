import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import type { Grant, GrantOwner, Grants, NewGrant } from '../../../../plugins/accounts/grants/grant.ts';
import { type OpenGrantsOptions, openGrants } from '../../../../plugins/accounts/grants/open-grants.ts';
import { Cipher } from '../../../../plugins/shared/keys/cipher.ts';
import type { OAuthFailureKind, TokenSet } from '../../../../plugins/shared/oauth/types.ts';
import { afterEach } from '../../../support/after-each.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const cipher = new Cipher(() => [new Uint8Array(32).fill(9)]);

export const keys: OpenGrantsOptions['keys'] = { cipher: () => cipher, isPersistent: true };

export const ada: GrantOwner = { tenant: '', caller: 'ada', provider: 'gmail', issuer: 'https://issuer.example', account: 'default' };

export const hourMs = 3_600_000;

export const signal = new AbortController().signal;

export function tokenSet(parts: Partial<TokenSet> = {}): TokenSet {
  return { accessToken: 'access-1', refreshToken: 'refresh-1', receivedAt: 0, lifetimeMs: hourMs, values: {}, ...parts };
}

export function newGrant(owner: GrantOwner = ada, tokens: Partial<TokenSet> = {}): NewGrant {
  const binding = { clientId: 'client', tokenUrl: 'https://issuer.example/token' };
  return { owner, binding, tokens: tokenSet(tokens), scopes: ['read'], from: { kind: 'login' } };
}

/** An error of the OAuth client. */
export function oauthError(kind: OAuthFailureKind, error?: string): ToolkitError {
  const code = kind === 'refused' ? 'AUTH_FAILED' : 'UPSTREAM_UNAVAILABLE';
  return new ToolkitError(code, `the token server: ${kind}`, { oauth: { kind, ...(error === undefined ? {} : { error }) } });
}

/** A provider that replaces each refresh token by a new one, and accepts only the last. */
export class RotatingProvider {
  /** Refresh tokens that were sent. */
  readonly sent: (string | undefined)[] = [];
  /** Runs before each answer. */
  before: (grant: Grant) => Promise<void> | void = () => {};
  /** Runs once the provider has acted. */
  after: (grant: Grant) => Promise<void> | void = () => {};
  now = 0;
  #current: string | undefined = 'refresh-1';

  readonly refresh = async (grant: Grant): Promise<TokenSet> => {
    this.sent.push(grant.tokens.refreshToken);
    await this.before(grant);
    if (grant.tokens.refreshToken !== this.#current) throw oauthError('refused', 'invalid_grant');
    this.#current = `refresh-${randomUUID()}`;
    const tokens = tokenSet({ accessToken: `access-${randomUUID()}`, refreshToken: this.#current, receivedAt: this.now });
    await this.after(grant);
    return tokens;
  };

  /** Forgets the refresh token, as a person may ask the provider to. */
  revoke(): void {
    this.#current = undefined;
  }
}

export interface OpenedGrants {
  readonly grants: Grants;
  readonly warnings: string[];
}

/** Opens the grants of one process, closed after the test. */
export function open(options: Partial<OpenGrantsOptions> & Pick<OpenGrantsOptions, 'folder'>): OpenedGrants {
  const warnings: string[] = [];
  const grants = openGrants({
    state: new MemoryStore(Date.now),
    keys,
    refresh: () => Promise.reject(new Error('no refresh is expected')),
    now: () => 0,
    logger: { warn: (message) => void warnings.push(String(message)) },
    ...options,
  });
  opened.push(grants);
  return { grants, warnings };
}

const opened: Grants[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((grants) => grants.close()));
});

export async function grantsFolder(): Promise<string> {
  return path.join(await temporaryFolder(), 'accounts');
}
