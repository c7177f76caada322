import nodePath from 'node:path';

/** Part of the result of every tool that walks a tree. */
export interface LeftOutResult {
  /**
   * Git's own paths that were left out, relative to the top; folders are not marked. At most 100, in code unit order. Absent when
   * there are none.
   */
  readonly left_out?: readonly string[];
}

const maxNamed = 100;

/**
 * Entries of a git repository: a folder with all of them is a bare repository, or one that a `.git` file points to, whatever
 * its name.
 */
const repositoryEntries = ['HEAD', 'objects', 'refs'];

/**
 * Excludes git's own files from a walk: `.git`, file or folder, in each spelling that a file system accepts, and the content of
 * bare repositories. A walk passes every folder that it lists through it, and the tool names the excluded paths. Content below
 * a `.git` in which the walk begins is not excluded.
 */
export class GitExclusions {
  readonly #top: string;
  readonly #paths = new Set<string>();

  /** `top`: the folder in which the walk begins; excluded paths are relative to it. */
  constructor(top: string) {
    this.#top = nodePath.resolve(top);
  }

  /** Returns the entries of a folder, an absolute path, without the excluded ones. */
  filter<T>(folder: string, entries: readonly T[], nameOf: (entry: T) => string): T[] {
    const relativePath = nodePath.relative(this.#top, folder);
    if (relativePath !== '' && holdsRepository(entries, nameOf)) {
      this.#add(relativePath);
      return [];
    }
    return entries.filter((entry) => {
      if (!isGit(nameOf(entry))) return true;
      this.#add(nodePath.join(relativePath, nameOf(entry)));
      return false;
    });
  }

  /** Part of the tool's result. */
  get result(): LeftOutResult {
    return leftOutResult([...this.#paths]);
  }

  /** All excluded paths, with `/` between names, at most 10,000. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  #add(place: string): void {
    // Collects more than the result names, so that sorting finds the first ones.
    if (this.#paths.size < 100 * maxNamed) this.#paths.add(place.split(nodePath.sep).join('/'));
  }
}

/** Returns the part of a result that names these paths. */
export function leftOutResult(paths: readonly string[]): LeftOutResult {
  return paths.length === 0 ? {} : { left_out: [...paths].sort().slice(0, maxNamed) };
}

function holdsRepository<T>(entries: readonly T[], nameOf: (entry: T) => string): boolean {
  return repositoryEntries.every((name) => entries.some((entry) => nameOf(entry) === name));
}

/** Cheap test before the exact one: possible first characters of a spelling of `.git`. */
const mayBeGit = /^[.gG\u200c-\uffff]/;

/**
 * Compares as git does when it refuses such names in a tree: HFS Plus ignores some code points, NTFS ignores dots and blanks at
 * the end.
 */
function isGit(name: string): boolean {
  if (!mayBeGit.test(name)) return false;
  const folded = name.replace(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').toLowerCase();
  return /^(?:\.git|git~1)[. ]*$/.test(folded);
}
