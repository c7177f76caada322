import { pathToFileURL } from 'node:url';
import type { PluginEntry } from '../../../kernel/index.ts';
import { codeModule } from '../../shared/project/layout.ts';
import { builtInPlugin } from './built-in-plugin.ts';
import { type LoadedConfig, loadConfig, resolvePlugins } from './load-config.ts';

/**
 * What a configuration may import by name, as `exports` of package.json names it: by address, as the front doors stand above this file and
 * lead to it.
 */
const entries = {
  '@toolkit/core': 'plugins/toolkit/index',
  '@toolkit/core/kernel': 'kernel/index',
  '@toolkit/core/standard': 'plugins/toolkit/standard',
  '@toolkit/core/testing': 'plugins/toolkit/testing',
};

/** Loads a configuration in which `import … from '@toolkit/core'` gives this very copy. */
export async function loadToolkitConfig(cwd: string, file?: string, onLoad?: (file: string) => void): Promise<LoadedConfig | undefined> {
  return loadConfig({
    cwd,
    modules: ownModules,
    builtInPlugin,
    ...(file === undefined ? {} : { file }),
    ...(onLoad === undefined ? {} : { onLoad }),
  });
}

/** The plugins that somebody lists as in a configuration at this place. Throws CONFIG_INVALID. */
export function pluginsNamed(entries: readonly unknown[], file: string): Promise<readonly PluginEntry[]> {
  return resolvePlugins(entries, file, { modules: ownModules, builtInPlugin });
}

/** Only a configuration that is a module needs them, or one that names plugins of others. */
async function ownModules(): Promise<Readonly<Record<string, unknown>>> {
  const loaded = Object.entries(entries).map(async ([name, entry]) => [name, await import(pathToFileURL(codeModule(entry)).href)] as const);
  return Object.fromEntries(await Promise.all(loaded));
}
