import { existsSync, type FSWatcher, lstatSync, readdirSync, realpathSync, type Stats, statSync, watch } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../../kernel/index.ts';

export interface WatchListeners {
  onChange(file: string): void;
  /** Called once, when the system cannot watch all folders. */
  onError(message: string): void;
}

/** Filter of paths to watch and to report. */
export interface Choice {
  isWatched(place: string): boolean;
  /** True when a change of the path is reported; for a folder, its removal. */
  isTold(place: string, isFolder: boolean): boolean;
}

/**
 * Watches folders with everything in them. A folder is watched before it is read, in one synchronous step, so that no new entry is missed.
 * Follows links, but not in circles. Keeps no process alive.
 */
export class FolderWatch {
  readonly #choice: Choice;
  readonly #listeners: WatchListeners;
  /** Watchers by folder, or by file that is a link. */
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly real: string }>();
  readonly #files = new Set<string>();
  /** Real path of each link; undefined when it leads nowhere. */
  readonly #links = new Map<string, string | undefined>();
  #hasFailed = false;

  constructor(choice: Choice, listeners: WatchListeners) {
    this.#choice = choice;
    this.#listeners = listeners;
  }

  /** Begins to watch a folder, and reports files in it that were written after `since` (epoch ms). */
  enter(folder: string, since: number): void {
    const isWatched = this.#watch(folder, (type, name) => {
      if (name === null) this.#lookIn(folder);
      // A folder's own watcher reports its content; a new folder of the same name needs a new watcher.
      else if (type === 'rename' || !this.#watchers.has(path.join(folder, name))) this.#look(path.join(folder, name));
      if (type === 'rename') this.#lookAtLinks();
    });
    if (isWatched) this.#lookIn(folder, since);
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #lookIn(folder: string, since?: number): void {
    for (const name of namesIn(folder)) this.#look(path.join(folder, name), since);
  }

  /** Rechecks the links: a link may lead through others, which can change. */
  #lookAtLinks(): void {
    for (const [place, real] of this.#links) if (realOf(place) !== real) this.#look(place);
  }

  #look(place: string, since = Number.NEGATIVE_INFINITY): void {
    if (!this.#choice.isWatched(place)) return;
    const stats = statsOf(place);
    if (isLink(place)) this.#links.set(place, realOf(place));
    else this.#links.delete(place);
    if (stats === undefined) this.#forget(place);
    else if (stats.isDirectory()) this.enter(place, since);
    else if (stats.isFile() && this.#choice.isTold(place, false)) {
      this.#files.add(place);
      // The folder's watcher does not see writes to the target of a link.
      if (this.#links.has(place)) this.#watch(place, () => this.#look(place));
      if (stats.mtimeMs > since) this.#listeners.onChange(place);
    }
  }

  /** Watches a path. Returns false when it cannot be watched, or is a link to a folder above. */
  #watch(place: string, onEvent: (type: string, name: string | null) => void): boolean {
    try {
      const real = realpathSync(place);
      if (this.#isAbove(place, real)) return false;
      const watcher = watch(place, { persistent: false }, onEvent);
      watcher.on('error', (error) => (existsSync(place) ? this.#fail(error) : this.#forget(place)));
      this.#watchers.get(place)?.watcher.close();
      this.#watchers.set(place, { watcher, real });
      return true;
    } catch (error) {
      if (existsSync(place)) this.#fail(error);
      return false;
    }
  }

  #isAbove(place: string, real: string): boolean {
    const above = path.dirname(place);
    return above !== place && (this.#watchers.get(above)?.real === real || this.#isAbove(above, real));
  }

  /** Reports that a path is gone, with all that was in it. */
  #forget(place: string): void {
    const known = new Set([...this.#files, ...this.#watchers.keys()]);
    for (const gone of known) {
      if (gone !== place && !gone.startsWith(place + path.sep)) continue;
      this.#watchers.get(gone)?.watcher.close();
      this.#watchers.delete(gone);
      const isFolder = !this.#files.delete(gone);
      if (this.#choice.isTold(gone, isFolder)) this.#listeners.onChange(gone);
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
function realOf(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

/** Returns the file metadata, links followed. Undefined when nothing exists there or it cannot be reached. */
function statsOf(place: string): Stats | undefined {
  try {
    return statSync(place);
  } catch {
    return undefined;
  }
}

function isLink(place: string): boolean {
  try {
    return lstatSync(place).isSymbolicLink();
  } catch {
    return false;
  }
}
