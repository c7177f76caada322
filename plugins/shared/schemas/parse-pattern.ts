/** A set of characters: one bit for each ASCII character, and one for all others. */
export type CharacterSet = bigint;

/** A part of a regular expression, as far as its time of matching depends on it. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly part: PatternNode }
  | { readonly kind: 'start' | 'end' };

const other = 1n << 128n;
const all: CharacterSet = (1n << 129n) - 1n;

function range(from: string, to: string): CharacterSet {
  let set = 0n;
  for (let code = from.codePointAt(0) ?? 0; code <= (to.codePointAt(0) ?? 0) && code < 128; code++) set |= 1n << BigInt(code);
  return set;
}

function one(character: string): CharacterSet {
  const code = character.codePointAt(0) ?? 128;
  return code < 128 ? 1n << BigInt(code) : other;
}

const digit = range('0', '9');
const word = digit | range('a', 'z') | range('A', 'Z') | one('_');
const space = range('\t', '\r') | one(' ') | other;
const dot = all & ~one('\n') & ~one('\r');

/** Returns the parts of a valid pattern (ECMA-262, flag `u`); undefined for one with a back-reference. */
export function parsePattern(pattern: string): PatternNode | undefined {
  try {
    const parser = new PatternParser([...pattern]);
    return parser.choice();
  } catch (error) {
    if (error === unsupported) return undefined;
    throw error;
  }
}

const unsupported = new Error('a back-reference');

class PatternParser {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #atom(): PatternNode {
    const character = this.#next();
    if (character === '^') return { kind: 'start' };
    if (character === '$') return { kind: 'end' };
    if (character === '.') return { kind: 'set', set: dot };
    if (character === '[') return { kind: 'set', set: this.#class() };
    if (character === '(') return this.#group();
    if (character !== '\\') return { kind: 'set', set: one(character) };
    if (this.#take('b') || this.#take('B')) return { kind: 'sequence', parts: [] };
    return { kind: 'set', set: this.#escape(false) };
  }

  #group(): PatternNode {
    let isLook = false;
    if (this.#take('?')) {
      const mark = this.#next();
      if (mark === '=' || mark === '!') isLook = true;
      else if (mark === '<' && (this.#take('=') || this.#take('!'))) isLook = true;
      else if (mark === '<') while (this.#next() !== '>');
      else if (mark !== ':') throw unsupported;
    }
    const part = this.choice();
    this.#next();
    return isLook ? { kind: 'look', part } : part;
  }

  #repeated(part: PatternNode): PatternNode {
    const next = this.#peek();
    const limits = this.#quantifier(next);
    if (limits === undefined) return part;
    this.#take('?');
    return { kind: 'repeat', part, ...limits };
  }

  #quantifier(next: string | undefined): { readonly min: number; readonly max: number } | undefined {
    const max = Number.POSITIVE_INFINITY;
    if (next === '*' || next === '+' || next === '?') this.#at++;
    if (next === '*') return { min: 0, max };
    if (next === '+') return { min: 1, max };
    if (next === '?') return { min: 0, max: 1 };
    if (next !== '{') return undefined;
    let text = '';
    for (this.#at++; !this.#take('}'); ) text += this.#next();
    const [from = '0', to] = text.split(',');
    return { min: Number(from), max: to === undefined ? Number(from) : to === '' ? max : Number(to) };
  }

  #class(): CharacterSet {
    const isNegated = this.#take('^');
    let set = 0n;
    while (!this.#take(']')) {
      const from = this.#next();
      const escaped = from === '\\' ? this.#escape(true) : undefined;
      if (escaped !== undefined || this.#peek() !== '-' || this.#characters[this.#at + 1] === ']') {
        set |= escaped ?? one(from);
        continue;
      }
      this.#at++;
      const to = this.#next();
      // The end of such a range is an escape: all that may be in it.
      if (to === '\\') this.#escape(true);
      const isKnown = to !== '\\' && (to.codePointAt(0) ?? 0) < 128;
      set |= isKnown ? range(from, to) : all;
    }
    return isNegated ? (all & ~set) | other : set;
  }

  /** Reads what stands behind a backslash. What cannot be told is any character. */
  #escape(isInClass: boolean): CharacterSet {
    const character = this.#next();
    if (/[1-9k]/.test(character) && !isInClass) throw unsupported;
    const known: Readonly<Record<string, CharacterSet>> = {
      d: digit,
      D: all & ~digit,
      w: word,
      W: all & ~word,
      s: space,
      S: (all & ~space) | other,
      n: one('\n'),
      r: one('\r'),
      t: one('\t'),
    };
    if (/[pPuxc]/.test(character)) {
      if (this.#take('{')) while (this.#next() !== '}');
      else this.#at += { u: 4, x: 2, c: 1 }[character] ?? 0;
      return all;
    }
    return known[character] ?? one(character);
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(character: string): boolean {
    const isNext = this.#peek() === character;
    if (isNext) this.#at++;
    return isNext;
  }

  #next(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw unsupported;
    return character;
  }
}
