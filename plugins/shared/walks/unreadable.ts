import nodePath from 'node:path';

/** Part of the result of each tool that walks a file tree. */
export interface UnreadableResult {
  /** Files and folders that could not be read. Absent when there are none. */
  readonly unreadable?: {
    /** Number of all of them. */
    readonly count: number;
    /** The first 20 in code unit order, relative to the top of the walk, separated by `/`; folders are not marked. */
    readonly paths: readonly string[];
  };
}

const maxNamed = 20;

/** Maximum paths that are collected, so that the first in order are among them. */
const maxKept = 10_000;

/** Collects files and folders that a walk could not read, so that its tool reports an incomplete result. */
export class Unreadable {
  readonly #top: string;
  readonly #paths = new Set<string>();
  #others = 0;

  /** `top`: the folder where the walk begins, or its only file. Paths are relative to it. */
  constructor(top: string) {
    this.#top = nodePath.resolve(top);
  }

  /**
   * Records a failed `node:fs` call for a path, absolute or relative to the top. Ignores a path that was removed since it was listed.
   * Counts a name that is not UTF-8, although the file system cannot find it by its decoded name.
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

  /** Records an error when the file system threw it. Ignores others: they say nothing about readability. */
  addSystemError(path: string, error: unknown): void {
    if (typeof (error as NodeJS.ErrnoException | undefined)?.errno === 'number') this.add(path, error);
  }

  /** All paths, up to 10,000. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  /** Part of the tool's result. */
  get result(): UnreadableResult {
    return unreadableResult([...this.#paths], this.#paths.size + this.#others);
  }
}

/** Returns the part of a result that names these relative paths. */
export function unreadableResult(paths: readonly string[], count = paths.length): UnreadableResult {
  return count === 0 ? {} : { unreadable: { count, paths: [...paths].sort().slice(0, maxNamed) } };
}
