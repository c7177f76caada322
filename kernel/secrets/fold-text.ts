import { entityCode } from './entity-names.ts';
import { unitsOf } from './squeeze-text.ts';

/** A text with decoded escapes, and the index of each of its units in the original text. `starts` has one entry more than `text` has units. */
export interface FoldedText {
  readonly text: string;
  readonly starts: Uint32Array;
}

/**
 * Maximum width of one character in the original text over all levels, in UTF-16 units: the six units of `\uXXXX`, each escaped again. A longer
 * escape is not decoded, so that the length of an escaped secret is bounded.
 */
export const widestCharacter = 36;

const percent = 0x25;
const backslash = 0x5c;
const ampersand = 0x26;
const introducers: ReadonlySet<number> = new Set([percent, backslash, ampersand]);
/** Maximum number of digits in a character reference, including leading zeros. */
const maxDigits = 30;
/** Length of the longest entity name. */
const maxNameLength = 8;

/** The characters of `\n` and similar escapes, by their letter. */
const controls: ReadonlyMap<number, number> = new Map(
  [...'bfnrtv0'].map((letter, n) => [letter.charCodeAt(0), [8, 12, 10, 13, 9, 11, 0][n] ?? 0]),
);

/**
 * Decodes each escape once, in one pass: percent-encoding in UTF-8 or Latin-1, also `%uXXXX`; the escapes of JSON, JavaScript, C and shells
 * (`\/`, `\n`, `\xXX`, `\101`, `\uXXXX`, `\u{…}`, `\UXXXXXXXX`); character references of HTML. Returns undefined when there is no escape.
 * `before`: the indexes of this text in an original text, for a second level. Unescaped characters, and the case of digits, make no difference.
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
    // Decoded text is never longer than its escape, so unread units are not overwritten.
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

/** Decodes one escape at a time. The result is in its members, because an object for each escape would cost more than the decoding. */
class EscapeReader {
  /** Length of the escape, in UTF-16 units. */
  length = 0;
  /** The decoded unit, or the first of a surrogate pair. */
  high = 0;
  /** The second unit of a surrogate pair, else 0. */
  low = 0;
  readonly #text: string;
  readonly #before: Uint32Array | undefined;

  constructor(text: string, before: Uint32Array | undefined) {
    this.#text = text;
    this.#before = before;
  }

  /** Returns the index of the next escape, from `start` on. */
  firstFrom(start: number): number | undefined {
    const pattern = /[%\\&]/g;
    pattern.lastIndex = start;
    for (let found = pattern.exec(this.#text); found !== null; found = pattern.exec(this.#text))
      if (this.read(found.index)) return found.index;
    return undefined;
  }

  /** Decodes the escape at the index. Returns false when there is none. The unit there must be one of the three introducers. */
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
    // A letter or digit may be the beginning of an escape of the next level.
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

  /** Decodes one byte, or the bytes of one UTF-8 character. */
  #bytes(index: number): boolean {
    const first = this.#byteAt(index);
    if (first < 0) return false;
    const width = this.#widthOf(index);
    const more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 0;
    let code = more === 0 ? first : first & (0x3f >> more);
    for (let n = 1; n <= more; n++) {
      const place = index + n * width;
      const byte = this.#text.charCodeAt(place) === this.#text.charCodeAt(index) ? this.#byteAt(place) : -1;
      // Not valid UTF-8: read as Latin-1.
      if (byte < 0x80 || byte > 0xbf || this.#widthOf(place) !== width) return this.#character(first, width);
      code = code * 64 + (byte & 0x3f);
    }
    return this.#character(code, width * (more + 1)) || this.#character(first, width);
  }

  /** Returns the width of an escaped byte: 3 for `%41`, 4 for `\x41` and `\101`. */
  #widthOf(index: number): number {
    return this.#text.charCodeAt(index) === percent ? 3 : 4;
  }

  /** Returns the byte of `%41`, `\x41` or `\101`; -1 if there is none. */
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

  /** Decodes `&#115;`, `&#x73;`, `&sol;`. The semicolon may be missing (HTML, character reference state). */
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
    // The rest may be escaped at the next level.
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

/** Returns the value of a digit; -1 for another character, or for NaN after the end of the text. */
function digitOf(code: number, base: number): number {
  const letter = code | 0x20;
  const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : letter >= 0x61 && letter <= 0x7a ? letter - 0x57 : base;
  return digit < base ? digit : -1;
}
