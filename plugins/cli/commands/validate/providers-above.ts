import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { DiscoverSink, Logger } from '../../../../kernel/index.ts';
import { scanDirectory } from '../../../shared/definition-files/scan-directory.ts';

/**
 * Finds the provider of tools at given paths as a full load would: in the nearest folder above with a provider file. The search stops at
 * the working directory and at a package.json. Ignores all other definitions in these folders.
 */
export class ProvidersAbove {
  readonly #cwd: string;
  readonly #folders = new Set<string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Returns a sink that also remembers the folders of its providers. */
  tracking(sink: DiscoverSink): DiscoverSink {
    return {
      ...sink,
      addProvider: (definition, origin) => {
        if (origin?.file !== undefined) this.#folders.add(path.dirname(origin.file));
        sink.addProvider(definition, origin);
      },
    };
  }

  /** Adds the provider above a path to the sink. Skips files in `seen` (real paths) and adds those that it reads. */
  async addTo(sink: DiscoverSink, root: string, logger: Logger, seen: Set<string>): Promise<void> {
    const providersOnly: DiscoverSink = { ...this.tracking(sink), addTool() {}, addSkill() {}, addProblem() {} };
    if (this.#folders.has(root)) return;
    for (let folder = path.dirname(root); ; folder = path.dirname(folder)) {
      const names: readonly string[] = await readdir(folder).catch(() => []);
      for (const name of names.filter((file) => /\.ya?ml$/.test(file)))
        await scanDirectory(path.join(folder, name), providersOnly, logger, { trust: 'operator', seen }).catch(() => {});
      const isEnd = folder === this.#cwd || folder === path.dirname(folder) || names.includes('package.json');
      if (isEnd || this.#folders.has(folder)) return;
    }
  }
}
