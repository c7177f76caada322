import type { ControlFiles } from '../../../kernel/index.ts';
import type { NamedPaths } from './named-paths.ts';
import { withoutOwnPrograms } from './programs.ts';
import type { Fingerprint } from './repository-fingerprint.ts';
import type { Settings } from './settings.ts';

/** Within so many milliseconds a file may change twice and have one time: FAT counts in steps of two seconds. */
const clockStepMs = 2000;

/** Answers that are kept of each kind; the oldest goes. */
const maxAnswers = 64;

/** The Git folder that git found for a working tree, and the settings of places that it listed there: it listed no programs. */
export interface OpenedRepository {
  readonly gitFolder: string;
  readonly settings: Settings;
}

/** Answers of git by what they were about, each true for as long as the fingerprint of the files that decide it is the same. */
export class Answers<T> {
  readonly #answers = new Map<string, { readonly fingerprint: string; readonly answer: T }>();
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** The answer, to be used when the fingerprint is still this one. */
  get(about: string): { readonly fingerprint: string; readonly answer: T } | undefined {
    return this.#answers.get(about);
  }

  /**
   * Keeps an answer that was given between two fingerprints, in place of the one before. Not when these differ, and not while a file may change
   * once more without another time.
   */
  keep(about: string, answer: T, before: Fingerprint | undefined, after: Fingerprint | undefined): void {
    this.#answers.delete(about);
    if (before === undefined || before.text !== after?.text || after.changedAtMs >= this.#now() - clockStepMs) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= maxAnswers) this.#answers.delete(oldest);
    this.#answers.set(about, { fingerprint: after.text, answer });
  }
}

/**
 * True for settings that depend on no file but those of `fingerprintOfSettings`. Others have files that they include, or programs in whose place
 * the person's own run, which the configuration of the system may name, and nobody says where that is.
 */
export function dependOnKnownFiles(settings: Settings): boolean {
  const isIncluding = [...settings.own, ...settings.users].some(({ key }) => /^include(if)?\./.test(key));
  return !isIncluding && withoutOwnPrograms(settings).length === 0;
}

/** The files that `git status` passes over because of their entries in the index. */
export interface OfIndex {
  readonly submodules: NamedPaths | undefined;
  readonly hidden: NamedPaths | undefined;
}

/** Answers about repositories, for tools that only read. */
export class RepositoryMemory {
  readonly opened = new Answers<OpenedRepository>();
  readonly ofIndex = new Answers<OfIndex>();
}

const memories = new WeakMap<ControlFiles, RepositoryMemory>();

/** Returns the memory of a kernel, which is known by its control files. */
export function memoryOf(controlFiles: ControlFiles): RepositoryMemory {
  const memory = memories.get(controlFiles) ?? new RepositoryMemory();
  memories.set(controlFiles, memory);
  return memory;
}
