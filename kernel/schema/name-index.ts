import { nearest } from './nearest.ts';

/** Names that are compared letter by letter for one question. */
const maxCompared = 250;

/** Longer names resemble none, and would take long to compare. */
const longestAsked = 200;

/** Each name is written down as the set of its pairs of letters, in two times 32 bits. */
const words = 2;

/**
 * Finds the names nearest to one among ten thousands: those that share the most pairs of letters with it are compared, and no others. Made
 * once for names that stay.
 */
export class NameIndex {
  readonly #names: readonly string[];
  readonly #pairs: Uint32Array;

  constructor(names: Iterable<string>) {
    this.#names = [...names];
    this.#pairs = new Uint32Array(this.#names.length * words);
    for (const [place, name] of this.#names.entries()) this.#pairs.set(pairsOf(name), place * words);
  }

  /** As `nearest` does, among the names of which `isKnown` says yes. */
  nearest(name: string, isKnown: (name: string) => boolean = () => true): string[] {
    if (name.length > longestAsked) return [];
    const likeness = this.#likeness(pairsOf(name));
    const few = this.#known(likeness, leastOfBest(likeness), isKnown);
    return nearest(name, few.length > 0 ? few : this.#known(likeness, 1, isKnown));
  }

  /** Known names that are at least so like, the most alike first, and no more of them than are compared. */
  #known(likeness: Uint16Array, least: number, isKnown: (name: string) => boolean): string[] {
    const places: number[] = [];
    for (let place = 0; place < likeness.length; place++) if ((likeness[place] as number) >= least) places.push(place);
    places.sort((a, b) => (likeness[b] as number) - (likeness[a] as number));
    const known: string[] = [];
    for (const place of places) {
      if (known.length === maxCompared) break;
      const name = this.#names[place] as string;
      if (isKnown(name)) known.push(name);
    }
    return known;
  }

  /** Of each name what it shares, against what it has beside that. 0: it shares nothing. */
  #likeness(wanted: Uint32Array): Uint16Array {
    const [low = 0, high = 0] = wanted;
    const likeness = new Uint16Array(this.#names.length);
    for (let place = 0; place < likeness.length; place++) {
      const ownLow = this.#pairs[place * words] as number;
      const ownHigh = this.#pairs[place * words + 1] as number;
      const shared = ones(ownLow & low) + ones(ownHigh & high);
      if (shared > 0) likeness[place] = 64 + 2 * shared - ones(ownLow) - ones(ownHigh);
    }
    return likeness;
  }
}

/** What the names to be compared have at least. */
function leastOfBest(likeness: Uint16Array): number {
  const counts = new Uint32Array(64 * 3 + 1);
  for (const value of likeness) counts[value] = (counts[value] as number) + 1;
  let found = 0;
  let least = counts.length - 1;
  for (; least > 1 && found < maxCompared; least--) found += counts[least] as number;
  return least;
}

function pairsOf(name: string): Uint32Array {
  const pairs = new Uint32Array(words);
  const written = name.toLowerCase();
  for (let place = 0; place + 1 < written.length; place++) {
    const bit = (Math.imul(written.charCodeAt(place) * 31 + written.charCodeAt(place + 1), 0x9e3779b1) >>> 26) & 63;
    pairs[bit >>> 5] = (pairs[bit >>> 5] as number) | (1 << (bit & 31));
  }
  return pairs;
}

/** How many bits are set. */
function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
