import { schemaVersionOf } from '../definition/cache/schema-version.ts';
import type { LinkOptions } from '../definition/link/link.ts';
import { keyOfDerivation } from '../definition/link/linked-tool.ts';
import type { OriginSource } from '../definition/schema/origin.ts';
import type { Derivation } from '../definition/schema/tool.ts';
import type { DeclaredSource } from './declared-sources.ts';
import { linkSource } from './link-source.ts';
import type { LinkedSource } from './linked-source.ts';
import type { Listing, SourceItem } from './listing.ts';
import { ListingCache } from './listing-cache.ts';

/** The link results of one source: the last one, and those in its cache. */
export class SourceLinks {
  readonly #plugin: string;
  readonly #origin: OriginSource;
  readonly #services: { readonly linkOptions: () => LinkOptions };
  readonly #cache: ListingCache | undefined;
  #last: { readonly items: readonly SourceItem[]; readonly result: LinkedSource } | undefined;

  constructor({ plugin, source: { cache } }: DeclaredSource, origin: OriginSource, services: { readonly linkOptions: () => LinkOptions }) {
    this.#plugin = plugin;
    this.#origin = origin;
    this.#services = services;
    if (cache !== undefined) this.#cache = new ListingCache(cache, () => [plugin, origin, schemaVersionOf(services.linkOptions())]);
  }

  /** Returns the cached listing of a version. */
  cachedListing(version: string): Listing | undefined {
    return this.#cache?.read(version);
  }

  /** Links the items, unless they are the same as the last time or their link result is cached. `listing`: the newest one. */
  async link(items: readonly SourceItem[], listing: Listing | undefined, derivations: readonly Derivation[]): Promise<LinkedSource> {
    const defined = items.filter(({ kind }) => kind === 'tool' || kind === 'provider');
    if (this.#last !== undefined && areSame(this.#last.items, defined)) return this.#last.result;
    const result = await this.#linkAnew(defined, listing, derivations);
    this.#last = { items: defined, result };
    return result;
  }

  async #linkAnew(defined: readonly SourceItem[], listing: Listing | undefined, derivations: readonly Derivation[]): Promise<LinkedSource> {
    const small = derivations.filter(({ isSmall }) => isSmall === true);
    const derived = small.flatMap((derivation) => keyOfDerivation(derivation) ?? []);
    const whole = listing !== undefined && areSame(listing.items, defined) ? listing : undefined;
    const { cached } = whole ?? {};
    if (cached !== undefined && derived.every((key) => cached.derived.includes(key)))
      return cached.link({ plugin: this.#plugin, trust: 'package', source: this.#origin });
    const by = { plugin: this.#plugin, source: this.#origin, derivations: small };
    const { forms, ...linked } = await linkSource(defined, by, this.#services.linkOptions());
    if (whole !== undefined) this.#cache?.store(whole, linked, forms, derived);
    return linked;
  }
}

function areSame(some: readonly SourceItem[], others: readonly SourceItem[]): boolean {
  return some.length === others.length && some.every((item, index) => item === others[index]);
}
