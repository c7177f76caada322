import { existsSync, type FSWatcher, lstatSync, readdirSync, realpathSync, type Stats, statSync, watch } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../../kernel/index.ts';

export interface WatchListeners {
  onChange(file: string): void;
  /** Called once, when the system cannot watch all folders. */
  onError(message: string): void;
}

/** Filter of paths to watch and to report. */
export interface WatchFilter {
  isWatched(place: string): boolean;
  /** True when a change of the path is reported; for a folder, its removal. */
  isTold(place: string, isFolder: boolean): boolean;
}

/**
 * Watches folders with everything in them. A folder is watched before it is read, in one synchronous step, so that no new entry is missed.
 * Follows links, but not in circles. Keeps no process alive.
 */
export class FolderWatch {
  readonly #filter: WatchFilter;
  readonly #listeners: WatchListeners;
  /** Watchers by folder, or by file that is a link. */
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly real: string }>();
  readonly #files = new Set<string>();
  /** Real path of each link; undefined when it leads nowhere. */
  readonly #links = new Map<string, string | undefined>();
  #hasFailed = false;

  constructor(choice: WatchFilter, listeners: WatchListeners) {
    this.#filter = choice;
    this.#listeners = listeners;
  }

  /** Begins to watch a folder, and reports files in it that were written after `since` (epoch ms). */
  enter(folder: string, since: number): void {
    const isWatched = this.#watch(folder, (type, name) => {
      if (name === null) this.#checkEntries(folder);
      // A folder's own watcher reports its content; a new folder of the same name needs a new watcher.
      else if (type === 'rename' || !this.#watchers.has(path.join(folder, name))) this.#check(path.join(folder, name));
      if (type === 'rename') this.#recheckLinks();
    });
    if (isWatched) this.#checkEntries(folder, since);
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #checkEntries(folder: string, since?: number): void {
    for (const name of namesIn(folder)) this.#check(path.join(folder, name), since);
  }

  /** Rechecks the links: a link may lead through others, which can change. */
  #recheckLinks(): void {
    for (const [link, real] of this.#links) if (realOf(link) !== real) this.#check(link);
  }

  #check(file: string, since = Number.NEGATIVE_INFINITY): void {
    if (!this.#filter.isWatched(file)) return;
    const stats = statsOf(file);
    if (isLink(file)) this.#links.set(file, realOf(file));
    else this.#links.delete(file);
    if (stats === undefined) this.#forget(file);
    else if (stats.isDirectory()) this.enter(file, since);
    else if (stats.isFile() && this.#filter.isTold(file, false)) {
      this.#files.add(file);
      // The folder's watcher does not see writes to the target of a link.
      if (this.#links.has(file)) this.#watch(file, () => this.#check(file));
      if (stats.mtimeMs > since) this.#listeners.onChange(file);
    }
  }

  /** Watches a path. Returns false when it cannot be watched, or is a link to a folder above. */
  #watch(file: string, onEvent: (type: string, name: string | null) => void): boolean {
    try {
      const real = realpathSync(file);
      if (this.#isAbove(file, real)) return false;
      const watcher = watch(file, { persistent: false }, onEvent);
      watcher.on('error', (error) => (existsSync(file) ? this.#fail(error) : this.#forget(file)));
      this.#watchers.get(file)?.watcher.close();
      this.#watchers.set(file, { watcher, real });
      return true;
    } catch (error) {
      if (existsSync(file)) this.#fail(error);
      return false;
    }
  }

  #isAbove(file: string, real: string): boolean {
    const parent = path.dirname(file);
    return parent !== file && (this.#watchers.get(parent)?.real === real || this.#isAbove(parent, real));
  }

  /** Reports that a path is gone, with all that was in it. */
  #forget(removed: string): void {
    const known = new Set([...this.#files, ...this.#watchers.keys()]);
    for (const gone of known) {
      if (gone !== removed && !gone.startsWith(removed + path.sep)) continue;
      this.#watchers.get(gone)?.watcher.close();
      this.#watchers.delete(gone);
      const isFolder = !this.#files.delete(gone);
      if (this.#filter.isTold(gone, isFolder)) this.#listeners.onChange(gone);
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#listeners.onError(messageOf(error));
  }
}

/** Returns the names in a folder. Empty when it cannot be read; discovery reports that. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the real path. Undefined when nothing exists there or it cannot be reached. */
function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

/** Returns the file metadata, links followed. Undefined when nothing exists there or it cannot be reached. */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}
