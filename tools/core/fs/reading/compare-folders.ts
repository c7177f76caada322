import type { Dirent } from 'node:fs';
import type { ControlFiles } from '../../../../kernel/index.ts';
import { Unreadable, type UnreadableResult, unreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { type EnterFolder, withEnterFolder } from '../files/entered-folder.ts';
import { GitExclusions, type LeftOutResult, leftOutResult } from '../files/git-exclusions.ts';
import { below, pathKey } from '../files/path-order.ts';
import { FilePairs, type PairResult } from './file-pairs.ts';

/** `not_compared`: the entry holds secrets, which tools do not read, or is a pipe, a socket or a device. */
type Status = 'differs' | 'only_left' | 'only_right' | 'not_compared';

interface FolderDifference {
  /** Relative path with `/` between names. A folder that is on one side only ends with `/` and stands for all its content. */
  readonly path: string;
  readonly status: Status;
}

export interface FolderComparison extends LeftOutResult, UnreadableResult {
  /** True when nothing differs and everything could be compared. */
  readonly equal: boolean;
  readonly counts: Readonly<Record<'same' | Status, number>>;
  /** Sorted by path, in code unit order. */
  readonly differences: readonly FolderDifference[];
}

interface CompareOptions {
  readonly controlFiles: ControlFiles;
  /** Receives the number of compared entries; called any number of times. */
  readonly onProgress: (entries: number) => void;
}

/**
 * Compares the content of two folders: names, kinds, bytes of files and the texts of links, which are not followed; not times
 * and permissions. Excludes git's own files. Synchronous, for child processes. Throws what `node:fs` throws for one of the two
 * folders themselves.
 */
export function compareFolders(left: string, right: string, options: CompareOptions): FolderComparison {
  return withEnterFolder((enter) => {
    const walk = new FolderWalk([left, right], enter, options);
    walk.compare('');
    return walk.result;
  });
}

/** Two entries with the same name. */
type EntryPair = readonly [left: Dirent, right: Dirent];

class FolderWalk {
  readonly #tops: readonly [left: string, right: string];
  readonly #enter: EnterFolder;
  readonly #options: CompareOptions;
  readonly #leftOut: readonly [GitExclusions, GitExclusions];
  readonly #unreadable: readonly [Unreadable, Unreadable];
  readonly #files: FilePairs;
  readonly #differences: FolderDifference[] = [];
  readonly #counts = { same: 0, differs: 0, only_left: 0, only_right: 0, not_compared: 0 };
  #seen = 0;

  constructor(tops: readonly [left: string, right: string], enter: EnterFolder, options: CompareOptions) {
    const [left, right] = tops;
    this.#tops = tops;
    this.#enter = enter;
    this.#options = options;
    this.#leftOut = [new GitExclusions(left), new GitExclusions(right)];
    this.#unreadable = [new Unreadable(left), new Unreadable(right)];
    this.#files = new FilePairs(enter);
  }

  get result(): FolderComparison {
    const unread = [...new Set(this.#unreadable.flatMap((one) => one.paths))];
    return {
      equal: this.#differences.length === 0 && unread.length === 0,
      counts: this.#counts,
      differences: this.#differences,
      ...unreadableResult(unread),
      ...leftOutResult([...new Set(this.#leftOut.flatMap((one) => one.paths))]),
    };
  }

  /** Compares one folder on both sides. `prefix`: its path relative to both tops, with `/` after each name. */
  compare(prefix: string): void {
    const [left, right] = [this.#indexEntries(0, prefix), this.#indexEntries(1, prefix)];
    if (left === undefined || right === undefined) return;
    const members = merged(left, right);
    const pairs = members.filter((member): member is EntryPair => member.every((entry) => entry?.isFile() === true));
    const names = this.#readable(
      prefix,
      pairs.map(([{ name }]) => name),
    );
    const compared = this.#files.compare([this.#folder(0, prefix), this.#folder(1, prefix)], names);
    for (const member of members) this.#take(prefix, member, compared);
    this.#seen += members.length;
    this.#options.onProgress(this.#seen);
  }

  /** Records the result for one name. A file and a folder with the same name are two entries, each on one side only. */
  #take(prefix: string, [left, right]: MergedEntry, compared: ReadonlyMap<string, PairResult>): void {
    if (left === undefined || right === undefined) {
      const entry = left ?? right;
      if (entry !== undefined) this.#differ(prefix + pathKey(entry), left === undefined ? 'only_right' : 'only_left');
    } else if (left.isDirectory()) this.compare(`${prefix}${left.name}/`);
    else {
      const path = prefix + left.name;
      const found = compared.get(left.name) ?? this.#compareOther(prefix, left, right);
      if (typeof found === 'object') this.#unreadable[found.side].add(below(this.#tops[found.side], path), found.error);
      else if (found === 'same') this.#counts.same += 1;
      else this.#differ(path, found);
    }
  }

  /** Compares pairs other than two readable files. */
  #compareOther(prefix: string, left: Dirent, right: Dirent): PairResult | 'not_compared' {
    if (this.#readable(prefix, [left.name]).length === 0) return 'not_compared';
    if (left.isSymbolicLink() && right.isSymbolicLink()) return this.#compareLinks(prefix, left.name);
    const isPlain = [left, right].some((entry) => entry.isFile() || entry.isSymbolicLink());
    return isPlain ? 'differs' : 'not_compared';
  }

  #compareLinks(prefix: string, name: string): PairResult {
    const targets: string[] = [];
    for (const side of [0, 1] as const) {
      try {
        targets.push(this.#enter(this.#folder(side, prefix)).target(name));
      } catch (error) {
        return { side, error };
      }
    }
    return targets[0] === targets[1] ? 'same' : 'differs';
  }

  /** Returns the names that no policy rule blocks on either side. Checks one folder at a time, which is fastest for the rules. */
  #readable(prefix: string, names: readonly string[]): readonly string[] {
    const { controlFiles } = this.#options;
    return this.#tops.reduce(
      (left, top) => left.filter((name) => controlFiles.find(below(top, prefix + name), 'read') === undefined),
      names,
    );
  }

  #differ(path: string, status: Status): void {
    this.#counts[status] += 1;
    this.#differences.push({ path, status });
  }

  #folder(side: 0 | 1, prefix: string): string {
    return prefix === '' ? this.#tops[side] : below(this.#tops[side], prefix.slice(0, -1));
  }

  /** Returns the entries of a folder; undefined for a folder below the top that cannot be listed. */
  #indexEntries(side: 0 | 1, prefix: string): readonly Dirent[] | undefined {
    const folder = this.#folder(side, prefix);
    try {
      return this.#enter(folder).list(this.#leftOut[side]);
    } catch (error) {
      if (prefix === '') throw error;
      this.#unreadable[side].add(folder, error);
      return undefined;
    }
  }
}

/** Entries with one name in both folders, or in one of them. */
type MergedEntry = readonly [left: Dirent | undefined, right: Dirent | undefined];

/** Merges two lists that are in the order of whole paths. */
function merged(left: readonly Dirent[], right: readonly Dirent[]): readonly MergedEntry[] {
  const members: MergedEntry[] = [];
  for (let [at, other] = [0, 0]; at < left.length || other < right.length; ) {
    const [one, two] = [left[at], right[other]];
    const order = compareEntries(one, two);
    members.push([order <= 0 ? one : undefined, order >= 0 ? two : undefined]);
    if (order <= 0) at += 1;
    if (order >= 0) other += 1;
  }
  return members;
}

function compareEntries(left: Dirent | undefined, right: Dirent | undefined): number {
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  const [key, other] = [pathKey(left), pathKey(right)];
  return key === other ? 0 : key < other ? -1 : 1;
}
