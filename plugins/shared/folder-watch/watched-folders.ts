import path from 'node:path';
import type { Kernel } from '../../../kernel/index.ts';
import { definitionFolders } from '../definition-files/definition-folders.ts';

/** Returns the folders in which the project's tools are edited: the configured paths, and packages inside the project. */
export function watchedFolders(kernel: Kernel, project: string): readonly string[] {
  const configured = kernel.facts(definitionFolders).flatMap(({ value }) => (value.holds === 'packages' ? [] : value.paths));
  const all = new Set([...configured.map((place) => path.resolve(project, place)), ...packageFolders(kernel, project)]);
  return [...all].filter((folder) => ![...all].some((other) => other !== folder && isBelow(folder, other))).sort();
}

/** Returns the folders of packages in the project. Leaves out installed packages and those of this program: they are not edited in place. */
function packageFolders(kernel: Kernel, project: string): string[] {
  const { registry } = kernel;
  const readers = new Set(kernel.facts(definitionFolders).flatMap(({ plugin, value }) => (value.holds === 'packages' ? plugin : [])));
  const things = [...registry.tools.values(), ...registry.providers.values(), ...registry.skills.values()];
  const origins = things.map(({ origin }) => origin).filter(({ plugin }) => readers.has(plugin));
  const broken = registry.problems.filter(({ plugin }) => plugin !== undefined && readers.has(plugin)).flatMap(({ file }) => file ?? []);
  const folders = [...origins.flatMap(({ directory }) => directory ?? []), ...broken.map((file) => path.dirname(file))];
  return [...new Set(folders)].filter((folder) => isBelow(folder, project) && !folder.includes(`${path.sep}node_modules${path.sep}`));
}

function isBelow(folder: string, above: string): boolean {
  return folder.startsWith(above.endsWith(path.sep) ? above : above + path.sep);
}
