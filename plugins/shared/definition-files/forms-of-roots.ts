import path from 'node:path';
import type { DiscoverSink, Origin } from '../../../kernel/index.ts';
import { HostCache } from '../host-cache/host-cache.ts';
import { build } from '../project/build.ts';
import { codeRoot, runsFromSource } from '../project/layout.ts';
import { builtForms } from './built-forms.ts';
import { KeptForms } from './kept-forms.ts';
import type { ManifestName } from './manifest.ts';

type Owner = Pick<Origin, 'trust' | 'package'>;

export interface FormsOptions {
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
export class FormsOfRoots {
  readonly #buildFor: (root: string) => string | undefined;
  readonly #cache: HostCache;
  readonly #built: ManifestName | undefined;
  readonly #known = new Map<string, KeptForms>();
  readonly #ofBuild = new Map<string, KeptForms>();
  #written: Promise<unknown> = Promise.resolve();

  constructor(options: FormsOptions = {}) {
    this.#buildFor = 'build' in options ? () => options.build : ownBuild;
    this.#cache = options.cache ?? new HostCache();
    this.#built = options.built;
  }

  /** Returns the link cache of a folder. New link results are written to disk when linking is complete. Undefined when caching is off. */
  of(
    root: string,
    { trust, package: owner }: Owner,
    { language, onLinked }: Pick<DiscoverSink, 'language' | 'onLinked'>,
  ): KeptForms | undefined {
    const name = this.#buildFor(root);
    if (name === undefined) return undefined;
    const key = JSON.stringify([name, process.version, language, root, trust, owner?.name]);
    const forms = this.#known.get(key) ?? this.#open(key, language);
    this.#known.set(key, forms);
    forms.renew();
    onLinked(() => {
      if (!forms.isChanged) return;
      // Collects the results now: the next discovery starts a new set.
      const content = forms.content();
      this.#written = this.#written.then(async () => this.#cache.write('definitions', key, await content));
    });
    return forms;
  }

  /** Resolves when all writes are done. */
  async settled(): Promise<void> {
    await this.#written;
  }

  #open(key: string, language: string): KeptForms {
    const below = this.#built === undefined ? undefined : this.#formsOfBuild(this.#built, language);
    try {
      return new KeptForms(this.#cache.read('definitions', key), below);
    } catch {
      return new KeptForms(undefined, below);
    }
  }

  #formsOfBuild(name: ManifestName, language: string): KeptForms {
    const forms = this.#ofBuild.get(language) ?? builtForms(name, language);
    this.#ofBuild.set(language, forms);
    return forms;
  }
}

/** Returns no build for folders of tests: they exist only once, and are not worth a cache. */
function ownBuild(root: string): string | undefined {
  return runsFromSource && !root.startsWith(codeRoot() + path.sep) ? undefined : build;
}
