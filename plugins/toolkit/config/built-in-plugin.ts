import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean, ToolkitError } from '../../../kernel/index.ts';
import { codeModule, codeRoot } from '../../shared/project/layout.ts';

/** Folders of plugins/ that hold no plugin of their own; adapters are hosts. */
const others = /^(shared|toolkit|adapter-.*)$/;

/**
 * The module that `toolkit/plugins/<name>` names, of this very copy: the project of a configuration need not have one, and another one
 * would bring a second kernel. Undefined for another name. Throws CONFIG_INVALID when there is no such plugin.
 */
export async function builtInPlugin(name: string): Promise<unknown> {
  const [, plugin] = /^toolkit\/plugins\/(.*)$/s.exec(name) ?? [];
  if (plugin === undefined) return undefined;
  const entries = await readdir(path.join(codeRoot(), 'plugins'));
  const known = entries.filter((entry) => !others.test(entry));
  if (known.includes(plugin)) return import(pathToFileURL(codeModule(`plugins/${plugin}/index`)).href);
  throw new ToolkitError('CONFIG_INVALID', `no built-in plugin has that name.${didYouMean(plugin, known)}`);
}
