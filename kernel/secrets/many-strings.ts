/** A place where one of the strings stands: from `start`, up to but without `end`. */
export interface NeedleMatch {
  readonly start: number;
  readonly end: number;
  readonly needle: string;
}

/** Strings of at least so many characters are found by the hash of their last ones. */
const window = 8;
const base = 0x01000193;
/** `base` to the power of `window`, modulo 2^32. */
const outgoing = Array.from({ length: window }).reduce<number>((power) => Math.imul(power, base), 1);

/**
 * Finds thousands of strings in one passage over a text (Rabin and Karp, 1987): the hash of the last eight characters is kept while the
 * text goes by, and a bitmap says at nearly every place that nothing ends there. Shorter strings are looked for one by one: there must be
 * few.
 */
export class ManyStrings {
  readonly #long = new Map<number, string[]>();
  readonly #short = new Set<string>();
  /** Made with the first long string: most calls have no secret of their own, and each has one of these. */
  #bitmap = new Uint32Array(0);

  add(needle: string): void {
    if (needle.length < window) {
      this.#short.add(needle);
      return;
    }
    const hash = hashOf(needle, needle.length - window);
    const same = this.#long.get(hash);
    if (same !== undefined) same.push(needle);
    else this.#long.set(hash, [needle]);
    if (this.#long.size > this.#bitmap.length) this.#grow();
    else this.#mark(hash);
  }

  /** Everything found, in no particular order; places may overlap. */
  findIn(text: string): NeedleMatch[] {
    return [...this.#findLong(text), ...this.#findShort(text)];
  }

  #findLong(text: string): NeedleMatch[] {
    const found: NeedleMatch[] = [];
    if (this.#long.size === 0 || text.length < window) return found;
    const bitmap = this.#bitmap;
    const shift = 32 - Math.log2(bitmap.length * 32);
    let hash = hashOf(text, 0);
    for (let end = window; ; end++) {
      const slot = hash >>> shift;
      if (((bitmap[slot >>> 5] as number) >>> (slot & 31)) & 1) this.#compare(text, end, hash, found);
      if (end >= text.length) return found;
      hash = (Math.imul(hash, base) + text.charCodeAt(end) - Math.imul(text.charCodeAt(end - window), outgoing)) | 0;
    }
  }

  #compare(text: string, end: number, hash: number, found: NeedleMatch[]): void {
    for (const needle of this.#long.get(hash) ?? []) {
      if (text.endsWith(needle, end)) found.push({ start: end - needle.length, end, needle });
    }
  }

  #findShort(text: string): NeedleMatch[] {
    return [...this.#short].flatMap((needle) => {
      const found: NeedleMatch[] = [];
      for (let start = text.indexOf(needle); start >= 0; start = text.indexOf(needle, start + 1))
        found.push({ start, end: start + needle.length, needle });
      return found;
    });
  }

  /** 32 bits for each string keep the bitmap nearly empty. */
  #grow(): void {
    this.#bitmap = new Uint32Array(Math.max(1 << 12, this.#bitmap.length * 4));
    for (const hash of this.#long.keys()) this.#mark(hash);
  }

  #mark(hash: number): void {
    const slot = hash >>> (32 - Math.log2(this.#bitmap.length * 32));
    this.#bitmap[slot >>> 5] = (this.#bitmap[slot >>> 5] as number) | (1 << (slot & 31));
  }
}

function hashOf(text: string, start: number): number {
  let hash = 0;
  for (let index = start; index < start + window; index++) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0;
  return hash;
}
