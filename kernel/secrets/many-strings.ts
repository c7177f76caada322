/** What is looked for. */
export interface Needle {
  readonly text: string;
  /** The letters A to Z count in either case; only from `window` characters on. @default false */
  readonly isAnyCase?: boolean;
}

/** A place where one of the strings stands: from `start`, up to but without `end`. */
export interface NeedleMatch<N extends Needle> {
  readonly start: number;
  readonly end: number;
  readonly needle: N;
}

/** Strings of at least so many characters are found by the hash of their last ones. */
const window = 8;
const base = 0x01000193;
/** `base` to the power of `window`, modulo 2^32. */
const outgoing = Array.from({ length: window }).reduce<number>((power) => Math.imul(power, base), 1);
/** Sets the bit in which the cases of a letter differ. What else it makes equal, the comparison tells apart. */
const caseBit = 0x20;

/**
 * Finds thousands of strings in one passage over a text (Rabin and Karp, 1987): the hash of the last eight characters, without their case, is
 * kept while the text goes by, and a bitmap says at nearly every place that nothing ends there. Shorter strings are looked for one by one:
 * there must be few.
 */
export class ManyStrings<N extends Needle> {
  readonly #long = new Map<number, N[]>();
  readonly #short: N[] = [];
  /** Made with the first long string: most calls have no secret of their own, and each has one of these. */
  #bitmap = new Uint32Array(0);

  /** Not twice the same. */
  add(needle: N): void {
    const { text } = needle;
    if (text.length < window) {
      this.#short.push(needle);
      return;
    }
    const hash = hashOf(text, text.length - window);
    const same = this.#long.get(hash);
    if (same !== undefined) same.push(needle);
    else this.#long.set(hash, [needle]);
    if (this.#long.size > this.#bitmap.length) this.#grow();
    else this.#mark(hash);
  }

  /** Everything found, in no particular order; places may overlap. */
  findIn(text: string): NeedleMatch<N>[] {
    return [...this.#findLong(text), ...this.#findShort(text)];
  }

  #findLong(text: string): NeedleMatch<N>[] {
    const found: NeedleMatch<N>[] = [];
    if (this.#long.size === 0 || text.length < window) return found;
    const bitmap = this.#bitmap;
    const shift = 32 - Math.log2(bitmap.length * 32);
    let hash = hashOf(text, 0);
    for (let end = window; ; end++) {
      const slot = hash >>> shift;
      if (((bitmap[slot >>> 5] as number) >>> (slot & 31)) & 1) this.#compare(text, end, hash, found);
      if (end >= text.length) return found;
      const left = text.charCodeAt(end - window) | caseBit;
      hash = (Math.imul(hash, base) + (text.charCodeAt(end) | caseBit) - Math.imul(left, outgoing)) | 0;
    }
  }

  #compare(text: string, end: number, hash: number, found: NeedleMatch<N>[]): void {
    for (const needle of this.#long.get(hash) ?? []) {
      const ends = needle.isAnyCase === true ? endsInAnyCase(text, needle.text, end) : text.endsWith(needle.text, end);
      if (ends) found.push({ start: end - needle.text.length, end, needle });
    }
  }

  #findShort(text: string): NeedleMatch<N>[] {
    return this.#short.flatMap((needle) => {
      const found: NeedleMatch<N>[] = [];
      for (let start = text.indexOf(needle.text); start >= 0; start = text.indexOf(needle.text, start + 1))
        found.push({ start, end: start + needle.text.length, needle });
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
  for (let index = start; index < start + window; index++) hash = (Math.imul(hash, base) + (text.charCodeAt(index) | caseBit)) | 0;
  return hash;
}

function endsInAnyCase(text: string, needle: string, end: number): boolean {
  const start = end - needle.length;
  if (start < 0) return false;
  for (let index = needle.length - 1; index >= 0; index--) {
    if (lowerCase(text.charCodeAt(start + index)) !== lowerCase(needle.charCodeAt(index))) return false;
  }
  return true;
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code | caseBit : code;
}
