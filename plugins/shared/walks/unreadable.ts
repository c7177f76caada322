import nodePath from 'node:path';

/** Part of the result of each tool that walks through a tree. */
export interface UnreadableResult {
  /** Files and folders that the walk met and could not read. Absent when there are none. */
  readonly unreadable?: {
    /** All of them. */
    readonly count: number;
    /** The first 20 in code unit order, below the top of the walk, with `/` between names, folders not marked. */
    readonly paths: readonly string[];
  };
}

const maxNamed = 20;

/** Paths that are kept, so that the first in order are among them. */
const maxKept = 10_000;

/** Collects what a walk through a tree could not read, so that its tool says so and a part is not taken for the whole. */
export class Unreadable {
  readonly #top: string;
  readonly #paths = new Set<string>();
  #others = 0;

  /** `top`: the folder in which the walk begins, or the file that is all of it; paths are named from there. */
  constructor(top: string) {
    this.#top = nodePath.resolve(top);
  }

  /**
   * Takes what a failed call of `node:fs` says about a path, absolute or relative to the top. What is gone since it was listed is no part of the
   * tree. A name that is not UTF-8 cannot be given back to the file system, which then finds nothing there; it counts.
   */
  add(path: string, error: unknown): void {
    const errno = (error as NodeJS.ErrnoException | undefined)?.code;
    const isGone = (errno === 'ENOENT' || errno === 'ENOTDIR') && !path.includes('\uFFFD');
    if (isGone) return;
    const place = nodePath.relative(this.#top, nodePath.resolve(this.#top, path)).split(nodePath.sep).join('/');
    const name = place === '' ? '.' : place;
    if (this.#paths.has(name)) return;
    if (this.#paths.size < maxKept) this.#paths.add(name);
    else this.#others += 1;
  }

  /** The same for an error of any kind: one that the file system did not throw says nothing about what can be read. */
  addSystemError(path: string, error: unknown): void {
    if (typeof (error as NodeJS.ErrnoException | undefined)?.errno === 'number') this.add(path, error);
  }

  /** All of them, up to 10,000. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  /** The part of the tool's result. */
  get result(): UnreadableResult {
    return unreadableResult([...this.#paths], this.#paths.size + this.#others);
  }
}

/** The part of a result that names these relative paths. */
export function unreadableResult(paths: readonly string[], count = paths.length): UnreadableResult {
  return count === 0 ? {} : { unreadable: { count, paths: [...paths].sort().slice(0, maxNamed) } };
}
