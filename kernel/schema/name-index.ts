import { nearest } from './nearest.ts';

/** Maximum number of names that one search compares by edit distance. */
const maxCompared = 250;

/** Maximum number of candidates that one search passes to `isKnown`. */
const maxCandidates = 5_000;

/** Maximum length of a searched name. A longer one resembles no name, and would take long to compare. */
const maxNameLength = 200;

/** Number of distinct bits for pairs of letters: two 32-bit numbers. */
const pairKinds = 64;

/**
 * Finds the nearest names among a hundred thousand. It compares only those that share the most pairs of letters with the searched one. Create it
 * once for a list of names.
 */
export class NameIndex {
  readonly #names: readonly string[];
  /** The pairs of letters of each name, in two numbers. */
  readonly #pairs: Int32Array;
  readonly #counts: Uint8Array;
  /** The similarity of each name to the searched one. One array for all searches, to save memory. */
  readonly #levels: Uint8Array;

  constructor(names: Iterable<string>) {
    this.#names = [...names];
    this.#pairs = new Int32Array(this.#names.length * 2);
    this.#counts = new Uint8Array(this.#names.length);
    this.#levels = new Uint8Array(this.#names.length);
    for (let place = 0; place < this.#names.length; place++)
      this.#counts[place] = writePairs(this.#pairs, place * 2, this.#names[place] as string);
  }

  /** Does the same as `nearest`, among the names for which `isKnown` returns true. */
  nearest(name: string, isKnown: (name: string) => boolean = () => true): string[] {
    if (name.length > maxNameLength) return [];
    const known: string[] = [];
    for (const place of this.#alike(name)) {
      const candidate = this.#names[place] as string;
      if (isKnown(candidate)) known.push(candidate);
      if (known.length === maxCompared) break;
    }
    return nearest(name, known);
  }

  /** Returns the indexes of similar names, the most similar first. Shared pairs raise the similarity, the name's other pairs lower it. */
  #alike(name: string): Uint32Array {
    const pairs = this.#pairs;
    const wanted = new Int32Array(2);
    writePairs(wanted, 0, name);
    const [low = 0, high = 0] = wanted;
    const levels = this.#levels.fill(0);
    const counts = new Uint32Array(pairKinds * 2 + 1);
    for (let place = 0; place < levels.length; place++) {
      const shared = ones((pairs[place * 2] as number) & low, (pairs[place * 2 + 1] as number) & high);
      if (shared === 0) continue;
      const level = pairKinds + 2 * shared - (this.#counts[place] as number);
      levels[place] = level;
      counts[level] = (counts[level] as number) + 1;
    }
    // The index of the first name of each level.
    const next = new Uint32Array(counts.length);
    let found = 0;
    for (let level = counts.length - 1; level > 0; level--) {
      next[level] = found;
      found += counts[level] as number;
    }
    const places = new Uint32Array(Math.min(found, maxCandidates));
    for (let place = 0; place < levels.length; place++) {
      const level = levels[place] as number;
      const at = next[level] as number;
      if (level === 0 || at >= places.length) continue;
      places[at] = place;
      next[level] = at + 1;
    }
    return places;
  }
}

/** Sets one of 64 bits for each pair of letters; several pairs share a bit. Returns the number of set bits. */
function writePairs(pairs: Int32Array, at: number, name: string): number {
  const written = name.toLowerCase();
  let low = 0;
  let high = 0;
  let letter = written.charCodeAt(0);
  for (let place = 1; place < written.length; place++) {
    const next = written.charCodeAt(place);
    const bit = Math.imul(letter * 31 + next, 0x9e3779b1) >>> 26;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit & 31);
    letter = next;
  }
  pairs[at] = low;
  pairs[at + 1] = high;
  return ones(low, high);
}

/** Returns the number of set bits in both numbers. */
function ones(low: number, high: number): number {
  const fours = onesOfFours(low) + onesOfFours(high);
  return Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}

/** Returns the number of set bits of each group of four, in the bits of that group. */
function onesOfFours(bits: number): number {
  const pairs = (bits - ((bits >>> 1) & 0x55555555)) | 0;
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}
