import { createRequire } from 'node:module';
import path from 'node:path';
import type { ConfiguredPlugin, JsonObject, Kernel } from '../../../kernel/index.ts';
import { baseOf, codeFilesOf } from './code-files.ts';
import { codeDigest, definitionDigest, plainJson } from './digests.ts';
import type { LockItem } from './lock-item.ts';

/** Returns the plugins that the configuration lists by a module. Those of this program come with it. `folder`: that of the configuration. */
export function pluginItems(
  { plugins }: Pick<Kernel, 'plugins'>,
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): readonly LockItem[] {
  const reads = new Map<string, unknown>();
  return plugins.flatMap((plugin) => {
    const module = moduleOf(plugin, folder);
    return module === undefined || !isWanted(plugin.name) ? [] : [itemOf(plugin, module, folder, reads)];
  });
}

/** Returns the path of a plugin's module. Undefined for a plugin of this program, and for an object of a configuration in code. */
function moduleOf({ from }: ConfiguredPlugin, folder: string): string | undefined {
  if (from === undefined || from === 'standard()' || from === 'toolkit' || from.startsWith('toolkit/')) return undefined;
  if (path.isAbsolute(from) || from.startsWith('.')) return path.resolve(folder, from);
  const require = createRequire(path.join(folder, 'package.json'));
  try {
    return require.resolve(from);
  } catch {
    // A package with only an `import` condition: its whole manifest still counts.
    return path.join(folder, 'node_modules', from, 'package.json');
  }
}

function itemOf(
  { name, version, from, commands = [], checks = [] }: ConfiguredPlugin,
  module: string,
  folder: string,
  reads: Map<string, unknown>,
): LockItem {
  const base = baseOf(module, folder);
  const entries = base.isPackage ? [module, path.join(base.folder, 'package.json')] : [module];
  const files = codeFilesOf(entries, [], base, reads);
  const code = codeDigest(files);
  const named = (things: readonly { readonly name: string }[]): readonly string[] => things.map((thing) => thing.name);
  const definition = (): JsonObject => plainJson({ name, version, from, commands: named(commands), checks: named(checks) });
  return { section: 'plugins', name, digest: definitionDigest(definition()), ...(code === undefined ? {} : { code }), definition, files };
}
