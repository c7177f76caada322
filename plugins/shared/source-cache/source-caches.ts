import type { CachedListing, SourceCache } from '../../../kernel/index.ts';
import { HostCache } from '../host-cache/host-cache.ts';
import { build } from '../project/build.ts';
import { runsFromSource } from '../project/layout.ts';
import { readStoredListing, serializeListing } from './stored-listing.ts';

export interface SourceCachesOptions {
  /**
   * Name of the code that generates, checks and links definitions, part of each key. Undefined turns the cache off. @default this program; none
   * when it runs from its sources
   */
  readonly build?: string | undefined;
  /** Cache of the host. @default that of this account */
  readonly cache?: HostCache;
}

/**
 * The caches of the sources of one plugin, for `extend.source`. The listings are files of this account, one for each version.
 * @example
 * const caches = new SourceCaches();
 * kernel.hooks.dispose.tapPromise('openapi', () => caches.settled());
 * kernel.extend.source('box', { cache: caches.of('box'), list({ sink }) { if (sink.useCached(version)) return; … } });
 */
export class SourceCaches {
  readonly #build: string | undefined;
  readonly #cache: HostCache;
  #written: Promise<unknown> = Promise.resolve();

  constructor(options: SourceCachesOptions = {}) {
    // Listings of tests exist only once, and are not worth a cache.
    this.#build = 'build' in options ? options.build : runsFromSource ? undefined : build;
    this.#cache = options.cache ?? new HostCache();
  }

  /** Returns the cache of a source. It never throws: an unreadable, incomplete or foreign file counts as missing. */
  of(source: string): SourceCache {
    const keyOf = (key: string): string => JSON.stringify([source, this.#build, process.version, key]);
    return {
      read: (key): CachedListing | undefined => {
        const content = this.#build === undefined ? undefined : this.#cache.read('listings', keyOf(key));
        return content === undefined ? undefined : readStoredListing(content);
      },
      store: (key, listing) => {
        if (this.#build === undefined) return;
        const content = serializeListing(listing);
        this.#written = this.#written.then(async () => this.#cache.write('listings', keyOf(key), await content)).catch(() => {});
      },
    };
  }

  /** Resolves when all writes are done. */
  async settled(): Promise<void> {
    await this.#written;
  }
}
