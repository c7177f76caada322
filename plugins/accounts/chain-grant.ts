import { createHash } from 'node:crypto';
import type { OAuthSettings } from '../shared/oauth/types.ts';
import type { AccountHolder } from './accounts.ts';
import type { ChainValues } from './chain-values.ts';
import type { Grant, Grants } from './grants/grant.ts';
import { bindingOf, issuerOf } from './new-grant.ts';

/** Returns the name of a provider's refresh token in the resolver chain, such as `GMAIL_REFRESH_TOKEN`. */
export function refreshTokenName(provider: string): string {
  return `${provider.toUpperCase().replaceAll('-', '_')}_REFRESH_TOKEN`;
}

/**
 * Makes a refresh token of the resolver chain the first grant of the caller `default`. The provider may rotate it: the rotated one is stored, and
 * the chain's is used again only when it changes.
 */
export class ChainGrants {
  readonly #values: Pick<ChainValues, 'find'>;
  readonly #grants: Pick<Grants, 'save'>;

  constructor(values: Pick<ChainValues, 'find'>, grants: Pick<Grants, 'save'>) {
    this.#values = values;
    this.#grants = grants;
  }

  /** Returns true when the chain has a refresh token for the provider. */
  async has(provider: string): Promise<boolean> {
    return (await this.#tokenOf(provider)) !== undefined;
  }

  /**
   * Stores the chain's refresh token as the account `default`, when the holder has no account, or one of an earlier token of the chain. Returns
   * the grants of the holder.
   */
  async adopt({ tenant, caller, provider }: AccountHolder, settings: OAuthSettings, known: readonly Grant[]): Promise<readonly Grant[]> {
    if (caller !== 'default' || tenant !== 'default' || settings.grant === 'client_credentials') return known;
    const stored = known.find(({ from }) => from.kind === 'chain');
    if (stored === undefined && known.length > 0) return known;
    const token = await this.#tokenOf(provider);
    if (token === undefined) return known;
    const sha256 = createHash('sha256').update(token).digest('hex');
    if (stored?.from.kind === 'chain' && stored.from.sha256 === sha256) return known;
    const owner = stored?.owner ?? { tenant, caller, provider, issuer: issuerOf(settings), account: 'default' };
    const grant = await this.#grants.save({
      owner,
      binding: bindingOf(settings),
      // A life of 0 ms: the first use refreshes it.
      tokens: { accessToken: '', refreshToken: token, receivedAt: 0, lifetimeMs: 0, values: {} },
      scopes: [],
      from: { kind: 'chain', sha256 },
    });
    return [...known.filter(({ owner: { account } }) => account !== owner.account), grant];
  }

  async #tokenOf(provider: string): Promise<string | undefined> {
    const name = refreshTokenName(provider);
    return (await this.#values.find([name])).get(name);
  }
}
