import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isPlainObject } from '../../../../kernel/index.ts';
import { isInside } from '../../../shared/project/is-inside.ts';
import { strictUtf8 } from '../../../shared/text/utf8.ts';

interface Package {
  readonly name: string;
  /** Folder of its package.json. */
  readonly folder: string;
}

/**
 * The definitions at the paths of the command line, under any path that leads to them. Includes those in another copy of the same package,
 * such as the build of this program or an installed one, so that a copy is not reported as a duplicate.
 */
export class GivenDefinitions {
  readonly #files: ReadonlySet<string>;
  readonly #packages = new Map<string, Package | undefined>();
  /** By package name, the given folders and files inside it. An empty path means the whole package. */
  readonly #given = new Map<string, Set<string>>();

  /** `roots`: absolute paths of the command line. `files`: real paths of the files read there. */
  constructor(roots: readonly string[], files: ReadonlySet<string>) {
    this.#files = files;
    const realRoots = roots.map(realOf);
    for (const file of files) {
      const owner = this.#packageOf(path.dirname(file));
      if (owner === undefined) continue;
      const parts = this.#given.get(owner.name) ?? new Set();
      this.#given.set(owner.name, parts);
      const enclosingRoots = realRoots.filter((root) => isInside(file, root));
      // A provider above the paths is read too, but no other file next to it.
      for (const root of enclosingRoots.length === 0 ? [file] : enclosingRoots)
        parts.add(isInside(root, owner.folder) ? path.relative(owner.folder, root) : '');
    }
  }

  /** True when the file is one of these definitions, or another copy of one. */
  includes(file: string): boolean {
    const real = realOf(file);
    if (this.#files.has(real)) return true;
    if (this.#given.size === 0) return false;
    const owner = this.#packageOf(path.dirname(real));
    const parts = this.#given.get(owner?.name ?? '');
    if (owner === undefined || parts === undefined) return false;
    // The build of a package has its definitions at the same paths below dist.
    const relative = path.relative(owner.folder, real).replace(/^dist[\\/]/, '');
    return [...parts].some((part) => part === '' || isInside(relative, part));
  }

  #packageOf(folder: string): Package | undefined {
    if (this.#packages.has(folder)) return this.#packages.get(folder);
    const above = path.dirname(folder);
    const name = nameIn(path.join(folder, 'package.json'));
    const found = name !== undefined ? { name, folder } : above === folder ? undefined : this.#packageOf(above);
    this.#packages.set(folder, found);
    return found;
  }
}

/** Reads the name in a package.json; undefined without a file or a name. */
function nameIn(file: string): string | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    // No number: the name of a package is a text
    const manifest: unknown = JSON.parse(strictUtf8(readFileSync(file)) ?? '');
    const name = isPlainObject(manifest) ? manifest['name'] : undefined;
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}

function realOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
