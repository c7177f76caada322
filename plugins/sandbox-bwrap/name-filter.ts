import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ControlFiles } from '../../kernel/index.ts';

/** Tells by a name alone that no rule holds a file, so that not every path of a large tree is compared with every rule. */
export class NameFilter {
  readonly #controlFiles: ControlFiles;
  /** Last names of places that rules name, folded, with `*` for any characters. */
  readonly #placeNames: ReadonlySet<string>;
  readonly #placePatterns: readonly RegExp[];
  readonly #known = new Map<string, boolean>();

  constructor(controlFiles: ControlFiles, placeNames: readonly string[]) {
    this.#controlFiles = controlFiles;
    this.#placeNames = new Set(placeNames.filter((name) => !name.includes('*')));
    this.#placePatterns = [...new Set(placeNames)].filter((name) => name.includes('*')).map(patternOf);
  }

  /** False where no rule holds a file of this name, in a folder that none holds. True may be an error. */
  mayBeHeld(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const answer = this.#answer(name);
    if (this.#known.size < maxNames) this.#known.set(name, answer);
    return answer;
  }

  #answer(name: string): boolean {
    // Rules fold more than case outside of ASCII.
    if (!/^[ -~]+$/.test(name)) return true;
    const folded = name.toLowerCase();
    if (this.#placeNames.has(folded) || this.#placePatterns.some((pattern) => pattern.test(folded))) return true;
    return this.#controlFiles.find(path.join('/', name), 'write') !== undefined;
  }
}

/** Names that one filter remembers. */
const maxNames = 100_000;

const filters = new WeakMap<ControlFiles, Promise<NameFilter>>();

/** The filter of these rules, made once. */
export function nameFilterOf(controlFiles: ControlFiles): Promise<NameFilter> {
  const known = filters.get(controlFiles) ?? makeFilter(controlFiles);
  filters.set(controlFiles, known);
  return known;
}

async function makeFilter(controlFiles: ControlFiles): Promise<NameFilter> {
  const places = controlFiles.rules.flatMap(({ pattern }) => (path.isAbsolute(pattern) ? [pattern] : []));
  // A place is held by its real name too, as far as it is there.
  const real = await Promise.all(places.map((place) => (place.includes('*') ? place : realpath(place).catch(() => place))));
  return new NameFilter(
    controlFiles,
    [...places, ...real].map((place) => path.basename(place).toLowerCase()),
  );
}

function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
