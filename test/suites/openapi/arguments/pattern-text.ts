import type { Random } from '../../../support/random.ts';

interface Atom {
  readonly write: () => string;
}

/**
 * Returns a text that a simple pattern probably takes: literals, escapes, classes, groups, alternatives and counts. The caller
 * checks it; a pattern that this does not understand gives undefined. `minLength`: repetitions go on for it where the text would be shorter.
 */
export function patternText(pattern: string, random: Random, minLength = 0): string | undefined {
  try {
    const text = new PatternReader(pattern, random, 0).read();
    return text.length >= minLength ? text : new PatternReader(pattern, random, minLength).read();
  } catch {
    return undefined;
  }
}

const wordCharacters = 'abcXYZ019_';

class PatternReader {
  readonly #pattern: string;
  readonly #random: Random;
  /** Least number of repetitions where the pattern allows more. */
  readonly #repetitions: number;
  #at = 0;

  constructor(pattern: string, random: Random, repetitions: number) {
    this.#pattern = pattern;
    this.#random = random;
    this.#repetitions = repetitions;
  }

  read(): string {
    const text = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Error('is not understood');
    return text();
  }

  #alternatives(): () => string {
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    return () => this.#random.oneOf(branches)();
  }

  #sequence(): () => string {
    const atoms: Atom[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at] as string)) atoms.push(this.#counted(this.#atom()));
    return () => atoms.map(({ write }) => write()).join('');
  }

  #atom(): Atom {
    const character = this.#pattern[this.#at++] as string;
    if (character === '^' || character === '$') return { write: () => '' };
    if (character === '.') return { write: () => this.#random.oneOf([...wordCharacters]) };
    if (character === '[') return this.#oneOf(this.#class());
    if (character === '(') {
      if (this.#take('?') && !this.#take(':')) {
        if (this.#take('!')) return this.#lookahead();
        if (!this.#take('<')) throw new Error('looks around');
        const end = this.#pattern.indexOf('>', this.#at);
        if (end < 0 || '=!'.includes(this.#pattern[this.#at] as string)) throw new Error('looks around');
        this.#at = end + 1;
      }
      const inside = this.#alternatives();
      if (!this.#take(')')) throw new Error('has an open group');
      return { write: inside };
    }
    if (character === '\\') return this.#oneOf(this.#escape());
    return { write: () => character };
  }

  /** Writes nothing for what may not follow: the text is checked. */
  #lookahead(): Atom {
    this.#alternatives();
    if (!this.#take(')')) throw new Error('has an open group');
    return { write: () => '' };
  }

  #oneOf(characters: readonly string[]): Atom {
    return { write: () => (characters.length === 0 ? '' : this.#random.oneOf(characters)) };
  }

  #escape(): readonly string[] {
    const character = this.#pattern[this.#at++] as string;
    if (character === 'd') return [...'0123456789'];
    if (character === 'w') return [...wordCharacters];
    if (character === 's') return [' '];
    if (character === 'S' || character === 'D' || character === 'W') return character === 'W' ? ['-'] : ['x'];
    if (character === 'b' || character === 'B' || character === 'A' || character === 'Z' || character === 'z') return [''];
    if (character === 'n' || character === 't' || character === 'r') return [{ n: '\n', t: '\t', r: '\r' }[character]];
    if (character === 'u' && /^[0-9A-Fa-f]{4}/.test(this.#pattern.slice(this.#at))) {
      const code = Number.parseInt(this.#pattern.slice(this.#at, this.#at + 4), 16);
      this.#at += 4;
      return [String.fromCharCode(code)];
    }
    if (character === 'p' || character === 'P') {
      const [whole = ''] = /^\{[^}]*\}/.exec(this.#pattern.slice(this.#at)) ?? [];
      this.#at += whole.length;
      return character === 'p' ? [...'abcXYZ'] : ['-'];
    }
    return [character];
  }

  #class(): readonly string[] {
    const isNegated = this.#take('^');
    const characters: string[] = [];
    let isFirst = true;
    while (isFirst || this.#pattern[this.#at] !== ']') {
      isFirst = false;
      if (this.#at >= this.#pattern.length) throw new Error('has an open class');
      const from = this.#classCharacter();
      const dash = this.#pattern[this.#at] === '-' && this.#pattern[this.#at + 1] !== ']';
      if (from.length === 1 && dash) {
        this.#at += 1;
        const to = this.#classCharacter()[0] as string;
        const [start, end] = [(from[0] as string).charCodeAt(0), to.charCodeAt(0)];
        for (let code = start; code <= Math.min(end, start + 128); code += 1) characters.push(String.fromCharCode(code));
      } else {
        characters.push(...from);
      }
    }
    this.#at += 1;
    return isNegated ? [...`${wordCharacters} -`].filter((character) => !characters.includes(character)) : characters;
  }

  #classCharacter(): readonly string[] {
    const character = this.#pattern[this.#at++] as string;
    return character === '\\' ? this.#escape() : [character];
  }

  #counted({ write }: Atom): Atom {
    const [whole, symbol, min, comma, max] = /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (whole === undefined) return { write };
    this.#at += whole.length;
    const least = symbol === undefined ? Number(min) : symbol === '+' ? 1 : 0;
    const limit =
      symbol === '?'
        ? 1
        : symbol !== undefined || (comma !== undefined && max === '')
          ? Math.max(least + 3, this.#repetitions)
          : comma === undefined
            ? least
            : Number(max);
    const from = Math.min(limit, Math.max(least, this.#repetitions));
    const to = Math.min(limit, from + (this.#repetitions > 0 ? 0 : 8));
    return { write: () => Array.from({ length: this.#random.between(from, to) }, write).join('') };
  }

  #take(character: string): boolean {
    if (this.#pattern[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}
