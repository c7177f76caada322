/** Part of a pattern in ripgrep's syntax. */
export interface PatternPart {
  readonly source: string;
  /** True when the part may match an empty text. */
  readonly mayBeEmpty: boolean;
}

/** Item of a class: a code point, a range of them, or `d`, `w`, `s` or `all`. */
type ClassItem = number | string | readonly [from: number, to: number];

/** Bytes of a character beyond ASCII, or of bytes that were decoded to U+FFFD. */
const beyondAscii = '[\\x80-\\xff]{1,4}';

/** Bytes of any character of a line. */
export const wideCharacter = `(?:[\\x00-\\x09\\x0b-\\x7f]|${beyondAscii})`;

const lineFeed = 10;

/** White space in ASCII; other white space counts as beyond ASCII. */
const spaces = [9, 11, 12, 13, 32];

/** ASCII letters that are another case of a character beyond ASCII: U+017F and U+212A. */
const foldedFromBeyond = /[skSK]/;

/**
 * Returns a pattern for the bytes of a character, and with `ignoresCase` those of its other cases. For a line feed, which no
 * line contains, it matches any character.
 */
export function characterSource(codePoint: number, ignoresCase: boolean): string {
  if (codePoint === lineFeed) return wideCharacter;
  if (codePoint < 128) return ignoresCase ? anyCaseSource(codePoint) : byteSource(codePoint);
  // Cases beyond ASCII are in tables that grow with each version of Unicode. U+FFFD may stand for bytes that are not UTF-8.
  if (ignoresCase) return wideCharacter;
  if (codePoint === 0xfffd) return beyondAscii;
  return `(?:${Array.from(Buffer.from(String.fromCodePoint(codePoint)), byteSource).join('')})`;
}

/** Returns a pattern for the bytes of a class of characters. */
export function classSource(items: readonly ClassItem[], ignoresCase: boolean): string {
  const bytes = new Set<number>();
  let isBeyond = false;
  for (const item of items) {
    if (item === 'all') return wideCharacter;
    const [from, to] = typeof item === 'number' ? [item, item] : typeof item === 'string' ? [0, -1] : item;
    for (const byte of item === 's' ? spaces : item === 'd' || item === 'w' ? wordBytes(item) : []) bytes.add(byte);
    for (let byte = from; byte <= Math.min(to, 127); byte++) bytes.add(byte);
    isBeyond ||= to > 127 || item === 's';
  }
  if (ignoresCase && isBeyond) return wideCharacter;
  if (ignoresCase) {
    for (const byte of [...bytes]) for (const other of casesOf(byte)) bytes.add(other);
    isBeyond = [...bytes].some((byte) => foldedFromBeyond.test(String.fromCharCode(byte)));
  }
  bytes.delete(lineFeed);
  if (bytes.size === 0) return isBeyond ? beyondAscii : wideCharacter;
  const ascii = `[${Array.from(bytes, byteSource).join('')}]`;
  return isBeyond ? `(?:${ascii}|${beyondAscii})` : ascii;
}

function anyCaseSource(byte: number): string {
  const cases = casesOf(byte);
  const ascii = cases.length === 1 ? byteSource(byte) : `[${cases.map(byteSource).join('')}]`;
  return foldedFromBeyond.test(String.fromCharCode(byte)) ? `(?:${ascii}|${beyondAscii})` : ascii;
}

function casesOf(byte: number): readonly number[] {
  const text = String.fromCharCode(byte);
  return [...new Set([text.toLowerCase(), text.toUpperCase()])].map((one) => one.charCodeAt(0));
}

function wordBytes(kind: 'd' | 'w'): readonly number[] {
  const expected = kind === 'd' ? /\d/ : /\w/;
  return Array.from({ length: 128 }, (_, byte) => byte).filter((byte) => expected.test(String.fromCharCode(byte)));
}

function byteSource(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
