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
  /** Names the code that checks and links definitions: nothing is kept where it has no name. @default this program; of sources, for their own folders alone */
  readonly build?: string | undefined;
  /** @default that of this account */
  readonly cache?: HostCache;
  /** What this program was built with, which is looked into first. @default none */
  readonly built?: ManifestName;
}

/** What is kept of the definition files below the folders that one plugin reads: by the build, else by an earlier start in the cache of the host. */
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

  /** What is kept of one of the folders; what is kept from now on is written when all is linked. */
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
      // Now: the next discovery begins anew.
      const content = forms.content();
      this.#written = this.#written.then(async () => this.#cache.write('definitions', key, await content));
    });
    return forms;
  }

  /** Resolves when nothing is left to be written. */
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

/** The folders of tests are there once. */
function ownBuild(root: string): string | undefined {
  return runsFromSource && !root.startsWith(codeRoot() + path.sep) ? undefined : build;
}
