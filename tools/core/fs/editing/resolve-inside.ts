import { lstatSync, realpathSync, type Stats } from 'node:fs';
import nodePath from 'node:path';
import { excerpt } from '../../../../kernel/index.ts';
import { patchRefusal } from './file-patch.ts';

/**
 * Resolves a name in a patch to its real path. Folders above the file may be links that stay inside the root; the file itself
 * may not be a link. Throws INVALID_PARAMETERS for a name that leaves the root, by its text or through a link.
 */
export function resolveInside(root: string, name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (nodePath.isAbsolute(name) || /^[A-Za-z]:/.test(name) || parts.includes('..') || parts.length === 0 || name.includes('\0')) {
    throw patchRefusal(`expected the name of a file below root, received "${excerpt(name)}"`);
  }
  let path = root;
  for (const [index, part] of parts.entries()) {
    const next = nodePath.join(path, part);
    const found = statOf(next);
    if (found === undefined) return nodePath.join(path, ...parts.slice(index));
    const isLast = index === parts.length - 1;
    if (found.isSymbolicLink() && isLast)
      throw patchRefusal(`expected a file, found a symbolic link at "${excerpt(name)}". Name the file that it leads to`);
    path = found.isSymbolicLink() ? linkInside(root, next, name) : next;
  }
  return path;
}

function linkInside(root: string, link: string, name: string): string {
  const real = realOf(link);
  if (real !== undefined && (real === root || real.startsWith(root.endsWith(nodePath.sep) ? root : `${root}${nodePath.sep}`))) return real;
  throw patchRefusal(`expected a name that stays inside root, received "${excerpt(name)}", which leads outside through a symbolic link`);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
