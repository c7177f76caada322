import { type Dirent, lstatSync, type Stats } from 'node:fs';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { Unreadable, type UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { type EnteredFolder, type EnterFolder, withEnterFolder } from '../files/entered-folder.ts';
import { fileError } from '../files/file-error.ts';
import { GitExclusions, type LeftOutResult } from '../files/git-exclusions.ts';
import { below, pathKey } from '../files/path-order.ts';
import { entryStep, stepProgress } from '../files/step-progress.ts';

interface DiskUsageParameters {
  readonly path: string;
  readonly depth: number;
  readonly include_git: boolean;
}

interface DiskUsageResult extends LeftOutResult, UnreadableResult {
  readonly total_bytes: number;
  readonly entries: readonly { readonly path: string; readonly bytes: number }[];
  readonly truncated: boolean;
}

/** Maximum number of entries in the result. */
const maxShown = 1000;

/**
 * Adds up the sizes of files; a file with several hard links counts once. Runs in a child process, so the file system calls are
 * synchronous. Throws NOT_FOUND and EXECUTION_FAILED for the folder itself.
 */
export function diskUsage(
  { path, depth, include_git }: DiskUsageParameters,
  { progress }: Pick<FunctionContext, 'progress'>,
): DiskUsageResult {
  const leftOut = include_git ? undefined : new GitExclusions(path);
  const report = stepProgress(progress, { step: entryStep, message: 'entries seen' });
  const survey = new Survey(path, { depth, leftOut, report });
  try {
    const stats = lstatSync(path);
    const total = stats.isDirectory() ? withEnterFolder((enter) => survey.sizeOfFolder(path, enter)) : survey.sizeOfFile(stats);
    const shown = survey.shown.sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
    return {
      total_bytes: total,
      entries: shown.slice(0, maxShown),
      truncated: shown.length > maxShown,
      ...survey.unreadable.result,
      ...leftOut?.result,
    };
  } catch (error) {
    throw fileError(error, 'list', path);
  }
}

interface SurveyOptions {
  readonly depth: number;
  readonly leftOut: GitExclusions | undefined;
  readonly report: (done: number) => void;
}

class Survey {
  readonly shown: { path: string; bytes: number }[] = [];
  readonly unreadable: Unreadable;
  /** Counted files that have several hard links, by device and inode. */
  readonly #counted = new Set<string>();
  readonly #options: SurveyOptions;
  #seen = 0;

  constructor(top: string, options: SurveyOptions) {
    this.unreadable = new Unreadable(top);
    this.#options = options;
  }

  /** Returns the size of a file; 0 when it was counted under another name, and for links, pipes and devices. */
  sizeOfFile(stats: Stats): number {
    if (!stats.isFile()) return 0;
    if (stats.nlink < 2) return stats.size;
    const file = `${stats.dev}:${stats.ino}`;
    if (this.#counted.has(file)) return 0;
    this.#counted.add(file);
    return stats.size;
  }

  /**
   * Returns the size of a folder. `prefix`: its path relative to the surveyed folder, with `/` after each name. `level`: number
   * of names in it. Does not follow links.
   */
  sizeOfFolder(folder: string, enter: EnterFolder, prefix = '', level = 0): number {
    const folders: Dirent[] = [];
    let bytes = 0;
    const add = (entry: Dirent, size: number): void => {
      bytes += size;
      if (level < this.#options.depth) this.shown.push({ path: prefix + pathKey(entry), bytes: size });
    };
    const [entered, entries] = this.#enter(folder, enter, prefix === '');
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(entry);
      else {
        const size = entry.isFile() ? this.#sizeOf(entered, entry.name, folder) : 0;
        if (size !== undefined) add(entry, size);
      }
    }
    this.#seen += entries.length;
    this.#options.report(this.#seen);
    // Subfolders come last: entering one of them leaves this folder.
    for (const entry of folders) add(entry, this.sizeOfFolder(below(folder, entry.name), enter, `${prefix}${entry.name}/`, level + 1));
    return bytes;
  }

  #enter(folder: string, enter: EnterFolder, isTop: boolean): readonly [EnteredFolder | undefined, readonly Dirent[]] {
    try {
      const entered = enter(folder);
      return [entered, entered.list(this.#options.leftOut)];
    } catch (error) {
      if (isTop) throw error;
      this.unreadable.add(folder, error);
      return [undefined, []];
    }
  }

  /** Returns the size of an entry; undefined when it is gone or cannot be read. */
  #sizeOf(folder: EnteredFolder | undefined, name: string, path: string): number | undefined {
    try {
      return folder === undefined ? undefined : this.sizeOfFile(folder.stat(name));
    } catch (error) {
      this.unreadable.add(below(path, name), error);
      return undefined;
    }
  }
}
