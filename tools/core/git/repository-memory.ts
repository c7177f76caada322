import type { ControlFiles } from '../../../kernel/index.ts';
import type { NamedPaths } from './named-paths.ts';
import { withoutOwnPrograms } from './programs.ts';
import type { Fingerprint } from './repository-fingerprint.ts';
import type { Settings } from './settings.ts';

/** Resolution of file times, in milliseconds. A file may change twice within it and keep its time: FAT has steps of two seconds. */
const clockStepMs = 2000;

/** Maximum number of cached answers of each kind; the oldest is removed. */
const maxAnswers = 64;

/** Git folder that git found for a working tree, and the path settings that it listed there, without programs. */
export interface OpenedRepository {
  readonly gitFolder: string;
  readonly settings: Settings;
}

/** Cache of git's answers. An entry is valid while the fingerprint of its files is unchanged. */
export class AnswerCache<T> {
  readonly #answers = new Map<string, { readonly fingerprint: string; readonly answer: T }>();
  readonly #now: () => number;

  /** `now`: returns epoch milliseconds. */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** Returns the cached answer. The caller checks that the fingerprint is still the same. */
  get(key: string): { readonly fingerprint: string; readonly answer: T } | undefined {
    return this.#answers.get(key);
  }

  /**
   * Caches an answer that was given between two fingerprints. Does not cache it when these differ, or while a file may change
   * again without a new time.
   */
  store(key: string, answer: T, before: Fingerprint | undefined, after: Fingerprint | undefined): void {
    this.#answers.delete(key);
    if (before === undefined || before.text !== after?.text || after.changedAtMs >= this.#now() - clockStepMs) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= maxAnswers) this.#answers.delete(oldest);
    this.#answers.set(key, { fingerprint: after.text, answer });
  }
}

/**
 * Returns true for settings that depend only on the files of `fingerprintOfSettings`. Other settings include files, or name
 * programs that the user's own replace; the system configuration may name those, and its path is unknown.
 */
export function dependOnKnownFiles(settings: Settings): boolean {
  const isIncluding = [...settings.own, ...settings.users].some(({ key }) => /^include(if)?\./.test(key));
  return !isIncluding && withoutOwnPrograms(settings).length === 0;
}

/** Files that `git status` omits because of flags in the index. */
export interface IndexFlags {
  readonly submodules: NamedPaths | undefined;
  readonly hidden: NamedPaths | undefined;
}

/** Caches of git's answers about repositories, for tools that only read. */
export class RepositoryMemory {
  readonly opened = new AnswerCache<OpenedRepository>();
  readonly indexFlags = new AnswerCache<IndexFlags>();
}

const memories = new WeakMap<ControlFiles, RepositoryMemory>();

/** Returns the caches of a kernel, which its control files identify. */
export function memoryOf(controlFiles: ControlFiles): RepositoryMemory {
  const memory = memories.get(controlFiles) ?? new RepositoryMemory();
  memories.set(controlFiles, memory);
  return memory;
}
