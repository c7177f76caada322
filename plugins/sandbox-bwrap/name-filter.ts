import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ControlFiles } from '../../kernel/index.ts';

/** Rules out by the name alone that a file is protected, so that not every path of a large tree is compared with every rule. */
export class NameFilter {
  readonly #controlFiles: ControlFiles;
  /** Last components of the paths that rules name, in lower case, with `*` for any characters. */
  readonly #pathNames: ReadonlySet<string>;
  readonly #pathPatterns: readonly RegExp[];
  readonly #known = new Map<string, boolean>();

  constructor(controlFiles: ControlFiles, placeNames: readonly string[]) {
    this.#controlFiles = controlFiles;
    this.#pathNames = new Set(placeNames.filter((name) => !name.includes('*')));
    this.#pathPatterns = [...new Set(placeNames)].filter((name) => name.includes('*')).map(patternOf);
  }

  /** False when no rule protects a file with this name in an unprotected folder. True may be wrong. */
  mayBeProtected(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const answer = this.#test(name);
    if (this.#known.size < maxNames) this.#known.set(name, answer);
    return answer;
  }

  #test(name: string): boolean {
    // Outside of ASCII, rules fold more than case.
    if (!/^[ -~]+$/.test(name)) return true;
    const folded = name.toLowerCase();
    if (this.#pathNames.has(folded) || this.#pathPatterns.some((pattern) => pattern.test(folded))) return true;
    return this.#controlFiles.find(path.join('/', name), 'write') !== undefined;
  }
}

/** Limit of names that one filter caches. */
const maxNames = 100_000;

const filters = new WeakMap<ControlFiles, Promise<NameFilter>>();

/** Returns the filter of these rules, cached. */
export function nameFilterOf(controlFiles: ControlFiles): Promise<NameFilter> {
  const known = filters.get(controlFiles) ?? makeFilter(controlFiles);
  filters.set(controlFiles, known);
  return known;
}

async function makeFilter(controlFiles: ControlFiles): Promise<NameFilter> {
  const rulePaths = controlFiles.rules.flatMap(({ pattern }) => (path.isAbsolute(pattern) ? [pattern] : []));
  // A path is protected under its real name too, if it exists.
  const real = await Promise.all(
    rulePaths.map((rulePath) => (rulePath.includes('*') ? rulePath : realpath(rulePath).catch(() => rulePath))),
  );
  return new NameFilter(
    controlFiles,
    [...rulePaths, ...real].map((rulePath) => path.basename(rulePath).toLowerCase()),
  );
}

function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
