import { createHash } from 'node:crypto';
import { ToolkitError } from '../../kernel/index.ts';
import { refreshTokenName } from '../shared/oauth/client-values.ts';
import type { OAuthSettings } from '../shared/oauth/types.ts';
import { loginCommand } from './auth-required.ts';
import type { ChainValues } from './chain-values.ts';
import type { Grant, GrantOwner, Grants } from './grants/grant.ts';
import { bindingOf, isBoundTo } from './new-grant.ts';

/**
 * Makes a refresh token of the resolver chain the first grant of the caller `default`. The provider may rotate it: the rotated one is stored, and
 * the chain's is used again only when it changes.
 */
export class ChainGrants {
  readonly #values: Pick<ChainValues, 'find'>;
  readonly #grants: Pick<Grants, 'save' | 'list'>;

  constructor(values: Pick<ChainValues, 'find'>, grants: Pick<Grants, 'save' | 'list'>) {
    this.#values = values;
    this.#grants = grants;
  }

  /** Returns true when the chain has a refresh token for the provider. */
  async has(provider: string): Promise<boolean> {
    return (await this.#tokenOf(provider)) !== undefined;
  }

  /**
   * Returns the grant of an owner that the chain's refresh token gives: `stored`, when it is of that token or of a login; else a new one, which is
   * written. Undefined without both.
   */
  async grantOf(owner: GrantOwner, settings: OAuthSettings, stored: Grant | undefined): Promise<Grant | undefined> {
    if (!isOfChain(owner, settings) || stored?.from.kind === 'login') return stored;
    const token = await this.#tokenOf(owner.provider);
    if (token === undefined) return stored;
    const sha256 = createHash('sha256').update(token).digest('hex');
    if (stored?.from.kind === 'chain' && stored.from.sha256 === sha256) return stored;
    await this.#refuseMoved(owner, settings, sha256);
    const grant = {
      owner,
      binding: bindingOf(settings),
      // A life of 0 ms: the first use refreshes it.
      tokens: { accessToken: '', refreshToken: token, receivedAt: 0, lifetimeMs: 0, values: {} },
      scopes: [],
      from: { kind: 'chain', sha256 },
    } as const;
    // Over another version: another process was first, and has perhaps refreshed already.
    return this.#grants.save(grant, stored?.version ?? 0);
  }

  /**
   * Refuses to send a token elsewhere than before: another issuer is another owner, without a grant. Throws AUTH_REQUIRED. A token that is set for
   * the first time goes to the addresses of the configuration.
   */
  async #refuseMoved({ issuer: _, ...owner }: GrantOwner, settings: OAuthSettings, sha256: string): Promise<void> {
    const earlier = (await this.#grants.list(owner)).filter(({ from }) => from.kind === 'chain' && from.sha256 === sha256);
    if (earlier.every(({ binding }) => isBoundTo(binding, settings))) return;
    const { provider } = owner;
    const name = refreshTokenName(provider);
    throw new ToolkitError(
      'AUTH_REQUIRED',
      `${name} was used with other addresses or another client of "${provider}" than those of the configuration now, and is sent nowhere else. Set ${name} to a refresh token of the present ones, or log in: ${loginCommand(owner)}`,
      { provider, command: loginCommand(owner) },
    );
  }

  async #tokenOf(provider: string): Promise<string | undefined> {
    const name = refreshTokenName(provider);
    return (await this.#values.find([name])).get(name);
  }
}

function isOfChain({ caller, tenant, account }: GrantOwner, { grant }: OAuthSettings): boolean {
  return caller === 'default' && tenant === 'default' && account === 'default' && grant !== 'client_credentials';
}
