import nodePath from 'node:path';

/** Part of the result of each tool that walks through a tree. */
export interface LeftOutResult {
  /** What belongs to git and was left out: paths below the top, folders not marked; at most 100, in code unit order. Absent when there is nothing. */
  readonly left_out?: readonly string[];
}

const maxNamed = 100;

/** A folder with these is what git keeps of a repository, whatever it is called: a bare one, or one that a `.git` file leads to. */
const insideGit = ['HEAD', 'objects', 'refs'];

/**
 * What a walk through a tree leaves out because it is git's: `.git`, folder or file, in each spelling that a file system takes for it, and the
 * content of bare repositories. Each walk asks it for every folder that it lists, and its tool names what was left out. What lies below a `.git`
 * that the walk begins in is not left out.
 */
export class LeftOut {
  readonly #top: string;
  readonly #paths = new Set<string>();

  /** `top`: the folder in which the walk begins; paths are named from there. */
  constructor(top: string) {
    this.#top = nodePath.resolve(top);
  }

  /** The entries of a folder, an absolute path, without those that are left out. */
  keep<T>(folder: string, entries: readonly T[], nameOf: (entry: T) => string): T[] {
    const place = nodePath.relative(this.#top, folder);
    if (place !== '' && holdsRepository(entries, nameOf)) {
      this.#add(place);
      return [];
    }
    return entries.filter((entry) => {
      if (!isGit(nameOf(entry))) return true;
      this.#add(nodePath.join(place, nameOf(entry)));
      return false;
    });
  }

  /** The part of the tool's result. */
  get result(): LeftOutResult {
    return leftOutResult([...this.#paths]);
  }

  /** All that was left out, with `/` between names, up to 10,000. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  #add(place: string): void {
    // Far more than is named, so that the first in order are.
    if (this.#paths.size < 100 * maxNamed) this.#paths.add(place.split(nodePath.sep).join('/'));
  }
}

/** The part of a result that names these paths. */
export function leftOutResult(paths: readonly string[]): LeftOutResult {
  return paths.length === 0 ? {} : { left_out: [...paths].sort().slice(0, maxNamed) };
}

function holdsRepository<T>(entries: readonly T[], nameOf: (entry: T) => string): boolean {
  return insideGit.every((name) => entries.some((entry) => nameOf(entry) === name));
}

/** The beginnings of all names that are compared: few have one, and each file of a tree is asked. */
const mayBeGit = /^[.gG\u200c-\uffff]/;

/** As git itself compares where it refuses such names in a tree: HFS Plus passes over some code points, NTFS over dots and blanks at the end. */
function isGit(name: string): boolean {
  if (!mayBeGit.test(name)) return false;
  const folded = name.replace(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').toLowerCase();
  return /^(?:\.git|git~1)[. ]*$/.test(folded);
}
