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

/** Strings of at least so many characters are found by their last ones. */
const window = 8;
/** Characters that are looked at together to know how far to go on. */
const block = 4;
/** So far at once, where no string has the block in its window. */
const widest = window - block + 1;
/** Slots of the table for each string: so many keep it nearly empty. */
const slotsOfOne = 32;
const leastSlots = 1 << 12;
/** FNV-1a. */
const base = 0x01000193;
/** Sets the bit in which the cases of a letter differ. What else it makes equal, the comparison tells apart. */
const caseBit = 0x20;

/**
 * Finds thousands of strings in one passage over a text (Wu and Manber, 1994), without their case: a table says of each block of characters how
 * far from the end of any string it stands, so that most places of a text are never looked at. Shorter strings are looked for one by one: there
 * must be few.
 */
export class ManyStrings<N extends Needle> {
  /** By the hash of their last characters. */
  readonly #long = new Map<number, N[]>();
  readonly #short: N[] = [];
  #shortest = Number.POSITIVE_INFINITY;
  /** By the hash of a block, how far to go on from its end. Made with the first long string: most calls have no secret of their own. */
  #steps = new Uint8Array(0);

  /** The length of the shortest string. */
  get shortest(): number {
    return this.#shortest;
  }

  /** Not twice the same. */
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

  /** Everything found, in no particular order; places may overlap. */
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

  /** A block that ends the window of a string stands at its end; one that begins it, as far away as can be. */
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
