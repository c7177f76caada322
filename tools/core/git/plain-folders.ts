import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';

/** Folders of a working tree to which no symbolic link leads, as they are at the first look of a call. */
export class PlainFolders {
  readonly #repository: string;
  readonly #known = new Map<string, boolean>();

  constructor(repository: string) {
    this.#repository = repository;
  }

  /** False for a folder that is a symbolic link or lies behind one, is not there, or lies elsewhere. Takes an absolute path. */
  isPlain(folder: string): boolean {
    const known = this.#known.get(folder) ?? this.#look(folder);
    this.#known.set(folder, known);
    return known;
  }

  // Without waiting, as it is for each folder of a result: that takes a tenth of the time, and git has just been there.
  #look(folder: string): boolean {
    try {
      if (folder === this.#repository) return realpathSync(folder) === folder;
      if (!isInside(folder, this.#repository) || !this.isPlain(path.dirname(folder))) return false;
      return lstatSync(folder).isDirectory();
    } catch {
      return false;
    }
  }
}
