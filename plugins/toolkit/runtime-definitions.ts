import type { DiscoverSink, Logger, Origin, Plugin } from '../../kernel/index.ts';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { LinkCaches } from '../shared/definition-files/link-caches.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';

/** Providers and directories that a program adds at run time. */
export class RuntimeDefinitions {
  readonly #providers = new Map<string, unknown>();
  readonly #directories = new Map<string, Pick<Origin, 'trust' | 'package'>>();
  readonly #linkCaches = new LinkCaches();

  /** Adds a provider; one with the same name is replaced. */
  addProvider(name: string, definition: unknown): void {
    this.#providers.set(name, definition);
  }

  addDirectory(directory: string, owner: Pick<Origin, 'trust' | 'package'>): void {
    this.#directories.set(directory, owner);
  }

  plugin(): Plugin {
    const create = definePlugin({
      name: 'own-definitions',
      apiVersion,
      apply: (kernel) => {
        kernel.extend.controlFiles(() => [...this.#directories.keys()], { what: 'tool definitions and their code' });
        kernel.hooks.discover.tapPromise('own-definitions', (sink, { logger }) => this.#discover(sink, logger));
        kernel.hooks.dispose.tapPromise('own-definitions', () => this.#linkCaches.settled());
      },
    });
    return create();
  }

  async #discover(sink: DiscoverSink, logger: Logger): Promise<void> {
    for (const definition of this.#providers.values()) sink.addProvider(definition, { trust: 'operator' });
    const seen = new Set<string>();
    for (const [directory, owner] of this.#directories)
      await scanDirectory(directory, sink, logger, { ...owner, seen, linkCache: this.#linkCaches.forRoot(directory, owner, sink) });
  }
}
