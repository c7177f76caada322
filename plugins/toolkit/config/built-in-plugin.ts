import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean, ToolkitError } from '../../../kernel/index.ts';
import { codeModule, codeRoot } from '../../shared/project/layout.ts';

/** Entries of plugins/ that are not plugins: shared folders, adapters, other hosts, and pages. */
const notPlugins = /^(shared|toolkit|python-sdk|adapter-.*|.*\.md)$/;

/**
 * Imports the module of `toolkit/standard` or `toolkit/plugins/<name>`, also below `@toolkit/core`, from the running copy: the project of a
 * configuration need not have one, and another copy would load a second kernel. Undefined for any other name. Throws CONFIG_INVALID when there
 * is no such plugin.
 */
export async function builtInPlugin(name: string): Promise<unknown> {
  const [, part, plugin] = /^(?:@toolkit\/core|toolkit)\/(standard$|plugins\/(.*)$)/s.exec(name) ?? [];
  if (part === undefined) return undefined;
  if (plugin === undefined) return moduleOf('plugins/toolkit/standard');
  const entries = await readdir(path.join(codeRoot(), 'plugins'));
  const known = entries.filter((entry) => !notPlugins.test(entry));
  if (known.includes(plugin)) return moduleOf(`plugins/${plugin}/index`);
  throw new ToolkitError('CONFIG_INVALID', `no built-in plugin has that name.${didYouMean(plugin, known)}`);
}

function moduleOf(entry: string): Promise<unknown> {
  return import(pathToFileURL(codeModule(entry)).href);
}
