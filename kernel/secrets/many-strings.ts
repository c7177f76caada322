/** A string to find. */
export interface Needle {
  readonly text: string;
  /** True to ignore the case of A to Z. Only for strings of at least `window` characters. @default false */
  readonly isAnyCase?: boolean;
}

/** An occurrence of a string, from `start` up to but without `end`. */
export interface NeedleMatch<N extends Needle> {
  readonly start: number;
  readonly end: number;
  readonly needle: N;
}

/** Minimum length of a string that is found by its last characters; also their number. */
const window = 8;
/** Number of characters that are hashed together to find the next step. */
const block = 4;
/** Step when no string has the block in its window. */
const widest = window - block + 1;
/** Slots of the table for each string. The table stays nearly empty. */
const slotsOfOne = 32;
const leastSlots = 1 << 12;
/** The FNV-1a prime. */
const base = 0x01000193;
/** Sets the bit in which both cases of a letter differ. It also makes other characters equal; the comparison tells them apart. */
const caseBit = 0x20;

/**
 * Finds thousands of strings in one pass over a text, ignoring case (Wu and Manber, 1994). A table has the distance of each block of characters
 * from the end of the nearest string, so most characters of a text are skipped. Shorter strings are searched one by one: there must be few.
 */
export class ManyStrings<N extends Needle> {
  /** The long strings by the hash of their last characters. */
  readonly #long = new Map<number, N[]>();
  readonly #short: N[] = [];
  #shortest = Number.POSITIVE_INFINITY;
  /** The step from the end of a block, by its hash. Created with the first long string: most calls have no own secret. */
  #steps = new Uint8Array(0);

  /** Length of the shortest string. */
  get shortest(): number {
    return this.#shortest;
  }

  /** Adds a string. It must not have been added before. */
  add(needle: N): void {
    const { text } = needle;
    this.#shortest = Math.min(this.#shortest, text.length);
    if (text.length < window) {
      this.#short.push(needle);
      return;
    }
    const hash = hashOf(text, text.length - window, window);
    const same = this.#long.get(hash);
    if (same !== undefined) same.push(needle);
    else this.#long.set(hash, [needle]);
    if (this.#long.size * slotsOfOne > this.#steps.length) this.#grow();
    else this.#mark(text);
  }

  /** Returns all occurrences, in no particular order. They may overlap. */
  findIn(text: string): NeedleMatch<N>[] {
    return [...this.#findLong(text), ...this.#findShort(text)];
  }

  #findLong(text: string): NeedleMatch<N>[] {
    const found: NeedleMatch<N>[] = [];
    if (this.#long.size === 0) return found;
    const steps = this.#steps;
    const shift = 32 - Math.log2(steps.length);
    for (let end = window; end <= text.length; ) {
      const step = steps[hashOf(text, end - block, block) >>> shift] as number;
      if (step === 0) this.#compare(text, end, found);
      end += step === 0 ? 1 : step;
    }
    return found;
  }

  #compare(text: string, end: number, found: NeedleMatch<N>[]): void {
    for (const needle of this.#long.get(hashOf(text, end - window, window)) ?? []) {
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

  #grow(): void {
    this.#steps = new Uint8Array(Math.max(leastSlots, this.#steps.length * 4)).fill(widest);
    for (const same of this.#long.values()) for (const { text } of same) this.#mark(text);
  }

  /** Writes the steps for a string: none after the block that ends its window, the longest after the block that begins it. */
  #mark(text: string): void {
    const shift = 32 - Math.log2(this.#steps.length);
    for (let away = 0; away < widest; away++) {
      const slot = hashOf(text, text.length - block - away, block) >>> shift;
      this.#steps[slot] = Math.min(this.#steps[slot] as number, away);
    }
  }
}

function hashOf(text: string, start: number, length: number): number {
  let hash = 0;
  for (let index = start; index < start + length; index++) hash = Math.imul(hash ^ (text.charCodeAt(index) | caseBit), base);
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
