import { characterSource, classSource, type PatternPart, wideCharacter } from './candidate-characters.ts';

interface PatternOptions {
  readonly pattern: string;
  readonly regex: boolean;
  readonly case_sensitive: boolean;
}

/** Thrown for syntax that this module cannot translate. */
class UnsupportedSyntax extends Error {}

/** Maximum depth of nested groups. */
const maxDepth = 50;

/** Maximum number of repetitions in the translated pattern: a part that must occur more often also occurs this often. */
const maxRepeats = 8;

/** Maximum length of the translated pattern. An argument of a program has at most 128 KiB on Linux. */
const maxLength = 100_000;

const empty: PatternPart = { source: '', mayBeEmpty: true };
const anything: PatternPart = { source: '[^\\n]*', mayBeEmpty: true };
const character: PatternPart = { source: wideCharacter, mayBeEmpty: false };

/**
 * Translates a JavaScript pattern to a regular expression for ripgrep, in bytes (`--no-unicode --text --encoding none`). It
 * matches in every file in which the pattern matches a line, and in every file with a null byte. It may match in more files:
 * anchors, look-arounds and references are left out, and characters beyond ASCII match any of them. Returns undefined for a
 * pattern that may match an empty text, and for syntax that it cannot translate. Expects a valid JavaScript pattern, with or
 * without flag `u`; takes time in proportion to its length.
 */
export function candidatePattern({ pattern, regex, case_sensitive }: PatternOptions): string | undefined {
  if (!pattern.isWellFormed()) return undefined;
  try {
    const { source, mayBeEmpty } = regex ? new Reader(pattern, !case_sensitive).read() : plainText(pattern, !case_sensitive);
    // ripgrep ends the search of a binary file at a null byte; the reader of candidates decides which files are binary.
    return mayBeEmpty || source.length > maxLength ? undefined : `(?:${source})|\\x00`;
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return undefined;
    throw error;
  }
}

function plainText(pattern: string, ignoresCase: boolean): PatternPart {
  const source = Array.from(pattern, (written) => characterSource(written.codePointAt(0) ?? 0, ignoresCase)).join('');
  return { source, mayBeEmpty: false };
}

/** Escapes of one character, by the letter after the backslash. */
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Escapes of a class of characters; negated classes match any character here. */
const classes: Readonly<Record<string, string>> = { d: 'd', w: 'w', s: 's', D: 'all', W: 'all', S: 'all' };

class Reader {
  readonly #pattern: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, ignoresCase: boolean) {
    this.#pattern = pattern;
    this.#ignoresCase = ignoresCase;
  }

  read(): PatternPart {
    const whole = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new UnsupportedSyntax();
    return whole;
  }

  #alternatives(): PatternPart {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return { source: parts.map(({ source }) => source).join('|'), mayBeEmpty: parts.some(({ mayBeEmpty }) => mayBeEmpty) };
  }

  #sequence(): PatternPart {
    const parts: PatternPart[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at] ?? '')) parts.push(this.#repeated(this.#atom()));
    return { source: parts.map(({ source }) => source).join(''), mayBeEmpty: parts.every(({ mayBeEmpty }) => mayBeEmpty) };
  }

  #repeated(part: PatternPart): PatternPart {
    const found = this.#match(/[*+?]\??|\{(\d+)(?:,\d*)?\}\??/y);
    if (found === undefined) return part;
    const [text = '', least] = found;
    if (part.source === '') return part;
    const count = least === undefined ? (text.startsWith('+') ? 1 : 0) : Number(least);
    const repeats = text.startsWith('?') ? '?' : count === 0 ? '*' : `{${Math.min(count, maxRepeats)},}`;
    return { source: `(?:${part.source})${repeats}`, mayBeEmpty: part.mayBeEmpty || count === 0 };
  }

  #atom(): PatternPart {
    if (this.#match(/[\^$]/y) !== undefined) return empty;
    if (this.#takes('.')) return character;
    if (this.#takes('(')) return this.#group();
    if (this.#takes('[')) return this.#class();
    if (this.#takes('\\')) return this.#escape();
    if ('*+?{'.includes(this.#pattern[this.#at] ?? '')) throw new UnsupportedSyntax();
    return this.#single(this.#take());
  }

  #group(): PatternPart {
    const isAround = this.#match(/\?(?:<?[=!])/y) !== undefined;
    if (!isAround && this.#match(/\?(?::|<[^>=!][^>]*>)/y) === undefined && this.#pattern[this.#at] === '?') throw new UnsupportedSyntax();
    if (++this.#depth > maxDepth) throw new UnsupportedSyntax();
    const { source, mayBeEmpty } = this.#alternatives();
    this.#depth -= 1;
    if (!this.#takes(')')) throw new UnsupportedSyntax();
    return isAround ? empty : { source: `(?:${source})`, mayBeEmpty };
  }

  #escape(): PatternPart {
    if (this.#match(/[bB]/y) !== undefined) return empty;
    if (this.#match(/[1-9]\d*|k<[^>]*>/y) !== undefined) return anything;
    const one = this.#escaped();
    return typeof one === 'number' ? this.#single(one) : { source: classSource([one], this.#ignoresCase), mayBeEmpty: false };
  }

  /** Parses an escape: returns a code point, or the name of a class. */
  #escaped(): number | string {
    const [property] = this.#match(/[pP]\{[^}]*\}/y) ?? [];
    if (property !== undefined) return 'all';
    const [, hex] = this.#match(/x([\da-fA-F]{2})/y) ?? this.#match(/u([\da-fA-F]{4})/y) ?? this.#match(/u\{([\da-fA-F]{1,8})\}/y) ?? [];
    if (hex !== undefined) return Number.parseInt(hex, 16);
    const [, control] = this.#match(/c([a-zA-Z])/y) ?? [];
    if (control !== undefined) return control.charCodeAt(0) % 32;
    if (this.#match(/0(?!\d)/y) !== undefined) return 0;
    const letter = this.#pattern[this.#at] ?? '';
    if (/[\dA-Za-z]|^$/.test(letter) && !(letter in controls) && !(letter in classes)) throw new UnsupportedSyntax();
    const written = this.#take();
    return controls[letter] ?? classes[letter] ?? written;
  }

  #class(): PatternPart {
    const isNegated = this.#takes('^');
    const items: (number | string | readonly [number, number])[] = [];
    while (!this.#takes(']')) {
      const from = this.#classItem();
      const isRange = typeof from === 'number' && this.#match(/-(?!\])/y) !== undefined;
      const to = isRange ? this.#classItem() : from;
      if (!isRange) items.push(from);
      else if (typeof to === 'number') items.push([from, to]);
      else items.push(from, 0x2d, to);
    }
    return { source: classSource(isNegated ? ['all'] : items, this.#ignoresCase), mayBeEmpty: false };
  }

  #classItem(): number | string {
    if (this.#at >= this.#pattern.length) throw new UnsupportedSyntax();
    if (!this.#takes('\\')) return this.#take();
    return this.#takes('b') ? 8 : this.#escaped();
  }

  #single(codePoint: number): PatternPart {
    // Half of a surrogate pair, which texts of files do not have, or no code point at all.
    if ((codePoint >= 0xd800 && codePoint <= 0xdfff) || codePoint > 0x10ffff) throw new UnsupportedSyntax();
    return { source: characterSource(codePoint, this.#ignoresCase), mayBeEmpty: false };
  }

  #take(): number {
    const codePoint = this.#pattern.codePointAt(this.#at) ?? 0;
    this.#at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  #takes(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expected: RegExp): RegExpExecArray | undefined {
    expected.lastIndex = this.#at;
    const found = expected.exec(this.#pattern) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}
