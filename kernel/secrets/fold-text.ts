import { entityCode } from './entity-names.ts';
import { unitsOf } from './squeeze-text.ts';

/** A text with its escapes read, and the place in the first text of each of its units: `starts` has one entry more than `text` has units. */
export interface FoldedText {
  readonly text: string;
  readonly starts: Uint32Array;
}

/**
 * The most that one character may take in the first text, in UTF-16 units, over all levels: six units of `\uXXXX`, each written so again. What takes
 * more is not read, so that what stands in for a secret has a greatest length.
 */
export const widestCharacter = 36;

const percent = 0x25;
const backslash = 0x5c;
const ampersand = 0x26;
const introducers: ReadonlySet<number> = new Set([percent, backslash, ampersand]);
/** Digits of a character reference that are read, zeros in front included. */
const maxDigits = 30;
/** Letters and digits of the longest name of an entity. */
const maxNameLength = 8;

/** `\n` and its like, by the letter. */
const controls: ReadonlyMap<number, number> = new Map(
  [...'bfnrtv0'].map((letter, n) => [letter.charCodeAt(0), [8, 12, 10, 13, 9, 11, 0][n] ?? 0]),
);

/**
 * Reads every escape once, in one passage: percent-encoding in UTF-8 or Latin-1, also `%uXXXX`; the escapes of JSON, JavaScript, C and shells
 * (`\/`, `\n`, `\xXX`, `\101`, `\uXXXX`, `\u{…}`, `\UXXXXXXXX`); character references of HTML. `before` has the places of the text in a first one,
 * for a second level. Undefined where there is nothing to read. What is left as it is, and which case digits have, makes no difference.
 */
export function foldText(text: string, before?: Uint32Array): FoldedText | undefined {
  if (!text.includes('%') && !text.includes('\\') && !text.includes('&')) return undefined;
  const reader = new EscapeReader(text, before);
  const first = reader.firstFrom(0);
  if (first === undefined) return undefined;
  const units = unitsOf(text);
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let index = 0;
  const put = (unit: number): void => {
    starts[length] = index;
    units[length++] = unit;
  };
  while (index < text.length) {
    // What has been read takes no more room than it took before: nothing is written over that is still to be read.
    const code = units[index] as number;
    if (index >= first && (code === percent || code === backslash || code === ampersand) && reader.read(index)) {
      put(reader.high);
      if (reader.low !== 0) put(reader.low);
      index += reader.length;
    } else {
      starts[length] = index++;
      units[length++] = code;
    }
  }
  starts[length] = text.length;
  if (before !== undefined) for (let unit = 0; unit <= length; unit++) starts[unit] = before[starts[unit] as number] as number;
  return { text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'), starts };
}

/** One escape at a time: what was read is in its members, because an object for each would cost more than the reading. */
class EscapeReader {
  /** Units of the text that the escape takes. */
  length = 0;
  /** The unit that it stands for; of a surrogate pair the first. */
  high = 0;
  /** The second of a pair, else 0. */
  low = 0;
  readonly #text: string;
  readonly #before: Uint32Array | undefined;

  constructor(text: string, before: Uint32Array | undefined) {
    this.#text = text;
    this.#before = before;
  }

  /** The first place from there on at which an escape begins. */
  firstFrom(start: number): number | undefined {
    const pattern = /[%\\&]/g;
    pattern.lastIndex = start;
    for (let found = pattern.exec(this.#text); found !== null; found = pattern.exec(this.#text))
      if (this.read(found.index)) return found.index;
    return undefined;
  }

  /** True where an escape stands there, whose first unit is one of the three. */
  read(index: number): boolean {
    const code = this.#text.charCodeAt(index);
    const isRead = code === percent ? this.#percent(index) : code === backslash ? this.#backslash(index) : this.#reference(index);
    if (!isRead) return false;
    const before = this.#before;
    return before === undefined || (before[index + this.length] as number) - (before[index] as number) <= widestCharacter;
  }

  #percent(index: number): boolean {
    const next = this.#text.charCodeAt(index + 1) | 0x20;
    return next === 0x75 ? this.#character(this.#hex(index + 2, 4), 6) : this.#bytes(index);
  }

  #backslash(index: number): boolean {
    const next = this.#text.charCodeAt(index + 1);
    if (Number.isNaN(next)) return false;
    if (next === 0x75 && this.#text[index + 2] === '{') return this.#braced(index);
    if (next === 0x75) return this.#character(this.#hex(index + 2, 4), 6);
    if (next === 0x55) return this.#character(this.#hex(index + 2, 8), 10);
    if (next === 0x78 || (next >= 0x30 && next <= 0x33 && this.#byteAt(index) >= 0)) return this.#bytes(index);
    // Of a letter or digit, it may be the beginning of what the next level writes out.
    const known = digitOf(next, 36) < 0 ? next : controls.get(next);
    return known !== undefined && this.#character(known, 2);
  }

  /** `\u{1F511}` */
  #braced(index: number): boolean {
    let digits = 0;
    while (digits < 8 && digitOf(this.#text.charCodeAt(index + 3 + digits), 16) >= 0) digits++;
    const isClosed = digits > 0 && this.#text[index + 3 + digits] === '}';
    return isClosed && this.#character(this.#hex(index + 3, digits), digits + 4);
  }

  /** One byte, or those of one character of UTF-8. */
  #bytes(index: number): boolean {
    const first = this.#byteAt(index);
    if (first < 0) return false;
    const width = this.#widthOf(index);
    const more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 0;
    let code = more === 0 ? first : first & (0x3f >> more);
    for (let n = 1; n <= more; n++) {
      const place = index + n * width;
      const byte = this.#text.charCodeAt(place) === this.#text.charCodeAt(index) ? this.#byteAt(place) : -1;
      // Latin-1, or broken.
      if (byte < 0x80 || byte > 0xbf || this.#widthOf(place) !== width) return this.#character(first, width);
      code = code * 64 + (byte & 0x3f);
    }
    return this.#character(code, width * (more + 1)) || this.#character(first, width);
  }

  /** Of `%41` 3, of `\x41` and `\101` 4. */
  #widthOf(index: number): number {
    return this.#text.charCodeAt(index) === percent ? 3 : 4;
  }

  /** The byte of `%41`, `\x41` or `\101`; -1 for what is none. */
  #byteAt(index: number): number {
    if (this.#text.charCodeAt(index) === percent) return this.#hex(index + 1, 2);
    if (this.#text.charCodeAt(index + 1) === 0x78) return this.#hex(index + 2, 2);
    let byte = 0;
    for (let place = index + 1; place < index + 4; place++) {
      const digit = this.#text.charCodeAt(place) - 0x30;
      if (!(digit >= 0 && digit <= 7)) return -1;
      byte = byte * 8 + digit;
    }
    return byte <= 0xff ? byte : -1;
  }

  /** `&#115;`, `&#x73;`, `&sol;`: the semicolon may be missing (HTML, character reference state). */
  #reference(index: number): boolean {
    const text = this.#text;
    const isNumber = text[index + 1] === '#';
    const isHex = isNumber && (text.charCodeAt(index + 2) | 0x20) === 0x78;
    const start = index + (isHex ? 3 : isNumber ? 2 : 1);
    const maxLength = start + (isNumber ? maxDigits : maxNameLength);
    let end = start;
    let code = 0;
    while (end < maxLength) {
      const digit = digitOf(text.charCodeAt(end), isNumber && !isHex ? 10 : isNumber ? 16 : 36);
      if (digit < 0) break;
      if (isNumber) code = Math.min(code * (isHex ? 16 : 10) + digit, 0x110000);
      end++;
    }
    // The next level may write out the rest of it.
    if (end === start || introducers.has(text.charCodeAt(end))) return false;
    const known = isNumber ? code : entityCode(text.slice(start, end));
    return known !== undefined && this.#character(known, end - index + (text[end] === ';' ? 1 : 0));
  }

  #character(code: number, length: number): boolean {
    if (code < 0 || code > 0x10ffff) return false;
    this.length = length;
    this.high = code > 0xffff ? 0xd800 + ((code - 0x10000) >> 10) : code;
    this.low = code > 0xffff ? 0xdc00 + (code & 0x3ff) : 0;
    return true;
  }

  #hex(start: number, count: number): number {
    let value = 0;
    for (let place = start; place < start + count; place++) {
      const digit = digitOf(this.#text.charCodeAt(place), 16);
      if (digit < 0) return -1;
      value = value * 16 + digit;
    }
    return value;
  }
}

/** -1 for what is no digit of the base; NaN, behind the end, is none. */
function digitOf(code: number, base: number): number {
  const letter = code | 0x20;
  const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : letter >= 0x61 && letter <= 0x7a ? letter - 0x57 : base;
  return digit < base ? digit : -1;
}
