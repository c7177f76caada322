import { type FSWatcher, lstatSync, mkdirSync, watch } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, type ListOptions, type Liveness, messageOf, type StateEntry, ToolkitError } from '../../../kernel/index.ts';
import { refuseForeignFolder } from '../../shared/cluster/local-folder.ts';
import { ProcessMembers } from '../../shared/cluster/process-members.ts';
import { SocketPresence } from '../../shared/cluster/socket-presence.ts';
import { Watchers } from '../../shared/state/watchers.ts';
import { FolderLock } from './folder-lock.ts';
import type { GrantsStore } from './grants-store.ts';
import { LockedChanges } from './locked-changes.ts';
import { isPart, replaceFile, syncFolder } from './replace-file.ts';

/**
 * Texts by key in files of one folder, for the processes of one account on one machine. All changes are made under one lock, which the death of
 * its holder frees; each file is replaced by rename, so readers need no lock.
 */
export class FileStore implements GrantsStore {
  readonly #folder: string;
  readonly #presence: SocketPresence;
  readonly #members: ProcessMembers;
  readonly #changes: LockedChanges;
  readonly #watchers = new Watchers();
  #watcher: FSWatcher | undefined;
  #isSwept = false;

  /**
   * Creates the folder. Throws file system errors when it cannot, and PLUGIN_INVALID when another account or another machine may share the
   * folder. `presence`: the folder beside which processes have their sockets, a short path, the same in every process.
   */
  constructor(folder: string, presence = folder) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseForeignFolder(folder);
    this.#folder = path.join(folder, 'entries');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    refuseForeignFolder(this.#folder);
    this.#presence = new SocketPresence(presence);
    this.#members = new ProcessMembers(async () => this.#presence);
    const lock = new FolderLock(path.join(folder, 'lock'), () => this.#members.join());
    this.#changes = new LockedChanges({
      hold: (work) => this.#usable(() => lock.hold(() => this.#removeParts().then(work))),
      flush: () => this.#usable(() => syncFolder(this.#folder)),
    });
  }

  async get(key: string): Promise<string | undefined> {
    return this.#usable(() => readText(this.#fileOf(key)));
  }

  compareAndSet(key: string, expected: string | undefined, value: string | undefined): Promise<boolean> {
    return this.#change(key, async (file) => {
      if ((await readText(file)) !== expected) return false;
      if (value === undefined) await rm(file, { force: true });
      else await replaceFile(file, value);
      return true;
    });
  }

  delete(key: string): Promise<boolean> {
    return this.#change(key, async (file) => {
      const was = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
      await rm(file, { force: true });
      return was;
    });
  }

  async list(prefix: string, { after, limit = 1000 }: ListOptions = {}): Promise<readonly StateEntry[]> {
    const keys = (await this.#usable(() => readdir(this.#folder))).flatMap((name) => keyOf(name) ?? []);
    const found = keys
      .filter((key) => key.startsWith(prefix) && (after === undefined || byBytes(key, after) > 0))
      .sort(byBytes)
      .slice(0, limit);
    const entries: StateEntry[] = [];
    for (const key of found) {
      const value = await this.get(key);
      if (value !== undefined) entries.push({ key, value });
    }
    return entries;
  }

  async watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>> {
    const stop = this.#watchers.add(prefix, onChange);
    this.#watcher ??= this.#observe();
    return async () => stop();
  }

  join(): Liveness {
    return this.#members.join();
  }

  async close(): Promise<void> {
    await this.#changes.idle();
    this.#watcher?.close();
    await this.#presence.close();
  }

  #change<T>(key: string, change: (file: string) => Promise<T>): Promise<T> {
    return this.#changes.run(key, () => this.#usable(() => change(this.#fileOf(key))));
  }

  /** Removes the parts of files whose writer was killed: only the holder of the lock writes. */
  async #removeParts(): Promise<void> {
    if (this.#isSwept) return;
    const parts = (await readdir(this.#folder)).filter(isPart);
    await Promise.all(parts.map((name) => rm(path.join(this.#folder, name), { force: true })));
    this.#isSwept = true;
  }

  /** Throws STATE_UNAVAILABLE for an error of the file system. */
  async #usable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (ToolkitError.is(error)) throw error;
      const message = `The accounts in ${excerpt(this.#folder)} cannot be read or written: ${excerpt(messageOf(error))}. Repair the folder, and repeat the call.`;
      throw new ToolkitError('STATE_UNAVAILABLE', message, {}, { cause: error });
    }
  }

  /** Reports changes of files. Without it, such as when the system has no watch left, waiters poll. */
  #observe(): FSWatcher | undefined {
    try {
      return watch(this.#folder, { persistent: false }, (_, name) => {
        const key = name === null ? undefined : keyOf(name);
        if (key !== undefined) this.#watchers.notify(key);
      }).on('error', () => {});
    } catch {
      return undefined;
    }
  }

  #fileOf(key: string): string {
    return path.join(this.#folder, encodeURIComponent(key));
  }
}

/** Returns the key of a file. Undefined for a file that is being written, and for a foreign one. */
function keyOf(name: string): string | undefined {
  if (isPart(name)) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    // Own text: sealed by this program, in ASCII
    return await readFile(file, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
