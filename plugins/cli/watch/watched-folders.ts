import path from 'node:path';
import { isPlainObject, type Kernel } from '../../../kernel/index.ts';

/** Returns the folders in which the project's tools are edited: the configured paths, and packages inside the project. */
export function watchedFolders(kernel: Kernel, project: string): readonly string[] {
  const configured = [...pathsOf(kernel, 'tool-files', 'toolPaths'), ...pathsOf(kernel, 'skill-files', 'skillPaths')];
  const all = new Set([...configured.map((place) => path.resolve(project, place)), ...packageFolders(kernel, project)]);
  return [...all].filter((folder) => ![...all].some((other) => other !== folder && isBelow(folder, other))).sort();
}

function pathsOf(kernel: Kernel, plugin: string, option: string): readonly string[] {
  const options = kernel.plugins.find(({ name }) => name === plugin)?.options;
  const paths = isPlainObject(options) ? options[option] : undefined;
  return Array.isArray(paths) ? paths.map(String) : [];
}

/** Returns the folders of packages in the project. Leaves out installed packages and those of this program: they are not edited in place. */
function packageFolders({ registry }: Kernel, project: string): string[] {
  const things = [...registry.tools.values(), ...registry.providers.values(), ...registry.skills.values()];
  const origins = things.map(({ origin }) => origin).filter(({ plugin }) => plugin === 'tool-packages');
  const broken = registry.problems.filter(({ plugin }) => plugin === 'tool-packages').flatMap(({ file }) => file ?? []);
  const folders = [...origins.flatMap(({ directory }) => directory ?? []), ...broken.map((file) => path.dirname(file))];
  return [...new Set(folders)].filter((folder) => isBelow(folder, project) && !folder.includes(`${path.sep}node_modules${path.sep}`));
}

function isBelow(folder: string, above: string): boolean {
  return folder.startsWith(above.endsWith(path.sep) ? above : above + path.sep);
}
