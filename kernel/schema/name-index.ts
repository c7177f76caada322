import { nearest } from './nearest.ts';

/** Names that are compared letter by letter for one question. */
const maxCompared = 250;

/** Names of which it is asked whether they are known, for one question. */
const maxCandidates = 5_000;

/** Longer names resemble none, and would take long to compare. */
const maxNameLength = 200;

/** How many pairs of letters are told apart: bits in two numbers. */
const pairKinds = 64;

/**
 * Finds the names nearest to one among a hundred thousand: those that share the most pairs of letters with it are compared, and no others. Made
 * once for names that stay.
 */
export class NameIndex {
  readonly #names: readonly string[];
  /** Of each name its pairs, in two numbers, and how many they are. */
  readonly #pairs: Int32Array;
  readonly #counts: Uint8Array;
  /** How alike each is to the name that is looked for: one for all questions, so that none leaves much behind. */
  readonly #levels: Uint8Array;

  constructor(names: Iterable<string>) {
    this.#names = [...names];
    this.#pairs = new Int32Array(this.#names.length * 2);
    this.#counts = new Uint8Array(this.#names.length);
    this.#levels = new Uint8Array(this.#names.length);
    for (let place = 0; place < this.#names.length; place++)
      this.#counts[place] = writePairs(this.#pairs, place * 2, this.#names[place] as string);
  }

  /** As `nearest` does, among the names of which `isKnown` says yes. */
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

  /** Places of the names that share most with this one, the most alike first. How alike: what both have, against what only the other has. */
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
    // Where the names of each level begin.
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

/** Each pair of letters is one of 64 bits; several pairs share one. Returns how many bits are set. */
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

/** How many bits are set in both. */
function ones(low: number, high: number): number {
  const fours = onesOfFours(low) + onesOfFours(high);
  return Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}

/** Of each four bits how many are set, in their place. */
function onesOfFours(bits: number): number {
  const pairs = (bits - ((bits >>> 1) & 0x55555555)) | 0;
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}
