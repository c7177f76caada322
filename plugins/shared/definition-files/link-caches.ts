import path from 'node:path';
import type { DiscoverSink, Origin } from '../../../kernel/index.ts';
import { HostCache } from '../host-cache/host-cache.ts';
import { build } from '../project/build.ts';
import { codeRoot, runsFromSource } from '../project/layout.ts';
import { readBuiltLinkCache } from './built-link-cache.ts';
import { LinkCache } from './link-cache.ts';
import type { ManifestName } from './manifest.ts';

type Owner = Pick<Origin, 'trust' | 'package'>;

export interface LinkCacheOptions {
  /**
   * Name of the code that checks and links definitions, part of the cache key. Undefined turns the cache off. @default this program; when
   * run from sources, only for its own folders
   */
  readonly build?: string | undefined;
  /** Cache of the host. @default that of this account */
  readonly cache?: HostCache;
  /** Link cache of the build, which is read first. @default none */
  readonly built?: ManifestName;
}

/** Link caches of the folders that one plugin reads: from the build, else from an earlier start. */
export class LinkCaches {
  readonly #buildFor: (root: string) => string | undefined;
  readonly #cache: HostCache;
  readonly #built: ManifestName | undefined;
  readonly #known = new Map<string, LinkCache>();
  readonly #ofBuild = new Map<string, LinkCache>();
  #written: Promise<unknown> = Promise.resolve();

  constructor(options: LinkCacheOptions = {}) {
    this.#buildFor = 'build' in options ? () => options.build : ownBuild;
    this.#cache = options.cache ?? new HostCache();
    this.#built = options.built;
  }

  /** Returns the link cache of a folder. New link results are written to disk when linking is complete. Undefined when caching is off. */
  forRoot(
    root: string,
    { trust, package: owner }: Owner,
    { schemaVersion: language, onLinked }: Pick<DiscoverSink, 'schemaVersion' | 'onLinked'>,
  ): LinkCache | undefined {
    const name = this.#buildFor(root);
    if (name === undefined) return undefined;
    const key = JSON.stringify([name, process.version, language, root, trust, owner?.name]);
    const cache = this.#known.get(key) ?? this.#open(key, language);
    this.#known.set(key, cache);
    cache.beginScan();
    onLinked(() => {
      if (!cache.isChanged) return;
      // Collects the results now: the next discovery starts a new set.
      const content = cache.serialize();
      this.#written = this.#written.then(async () => this.#cache.write('definitions', key, await content));
    });
    return cache;
  }

  /** Resolves when all writes are done. */
  async settled(): Promise<void> {
    await this.#written;
  }

  #open(key: string, schemaVersion: string): LinkCache {
    const built = this.#built === undefined ? undefined : this.#builtCache(this.#built, schemaVersion);
    try {
      return new LinkCache(this.#cache.read('definitions', key), built);
    } catch {
      return new LinkCache(undefined, built);
    }
  }

  #builtCache(name: ManifestName, schemaVersion: string): LinkCache {
    const cache = this.#ofBuild.get(schemaVersion) ?? readBuiltLinkCache(name, schemaVersion);
    this.#ofBuild.set(schemaVersion, cache);
    return cache;
  }
}

/** Returns no build for folders of tests: they exist only once, and are not worth a cache. */
function ownBuild(root: string): string | undefined {
  return runsFromSource && !root.startsWith(codeRoot() + path.sep) ? undefined : build;
}
