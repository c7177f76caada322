import { pathToFileURL } from 'node:url';
import type { PluginEntry } from '../../../kernel/index.ts';
import { codeModule } from '../../shared/project/layout.ts';
import { builtInPlugin } from './built-in-plugin.ts';
import { type LoadedConfig, loadConfig, resolvePlugins } from './load-config.ts';

/**
 * Modules that a configuration may import, named as in `exports` of package.json. They are imported by address, because they import this file
 * themselves.
 */
const entries = {
  '@toolkit/core': 'plugins/toolkit/index',
  '@toolkit/core/kernel': 'kernel/index',
  '@toolkit/core/standard': 'plugins/toolkit/standard',
  '@toolkit/core/testing': 'plugins/toolkit/testing',
};

/** Loads a configuration in which `import … from '@toolkit/core'` is the running copy. */
export async function loadToolkitConfig(cwd: string, file?: string, onLoad?: (file: string) => void): Promise<LoadedConfig | undefined> {
  return loadConfig({
    cwd,
    modules: ownModules,
    builtInPlugin,
    ...(file === undefined ? {} : { file }),
    ...(onLoad === undefined ? {} : { onLoad }),
  });
}

/** Loads plugins that are listed as in a configuration at this path. Throws CONFIG_INVALID. */
export function loadPlugins(entries: readonly unknown[], file: string): Promise<readonly PluginEntry[]> {
  return resolvePlugins(entries, file, { modules: ownModules, builtInPlugin });
}

/** Imports the modules. Called only for a configuration that is a module, or that names foreign plugins. */
async function ownModules(): Promise<Readonly<Record<string, unknown>>> {
  const loaded = Object.entries(entries).map(async ([name, entry]) => [name, await import(pathToFileURL(codeModule(entry)).href)] as const);
  return Object.fromEntries(await Promise.all(loaded));
}
