import { strictUtf8 } from '../../text/utf8.ts';

/** A text that stands encoded within another one. */
export interface EncodedText {
  readonly encoding: 'base64' | 'base32' | 'hexadecimal' | 'percent' | 'character code';
  readonly text: string;
  /** Index of the encoded text. */
  readonly start: number;
  readonly end: number;
}

/** Shortest texts that are decoded, in encoded characters. */
const patterns: readonly (readonly [EncodedText['encoding'], RegExp, (run: string) => Uint8Array | undefined])[] = [
  ['hexadecimal', /(?:(?:0x|\\x)?[\da-f]{2}[\s:,-]?){10,}/gi, (run) => Buffer.from(run.replace(/0x|\\x|[^\da-f]/gi, ''), 'hex')],
  ['base64', /[A-Za-z\d+/_-]{16,}={0,2}(?:\s{1,3}[A-Za-z\d+/_-]{16,}={0,2})*/g, (run) => Buffer.from(run.replace(/\s/g, ''), 'base64')],
  ['base32', /[A-Z2-7]{24,}={0,6}/g, decodeBase32],
  ['percent', /(?:[\w.~+-]{0,40}%[\da-f]{2}){4,}[\w.~+-]{0,400}/gi, decodePercent],
  ['character code', /(?:\b\d{2,3}[\s,;]{1,3}){10,}\d{2,3}/g, (run) => codes(run, /\d+/g, 10)],
  ['character code', /(?:[01]{8}[\s,]?){8,}/g, (run) => codes(run, /[01]{8}/g, 2)],
];

/** Texts that are decoded in one text; further ones count as the same thing. */
const maxTexts = 200;

/** Finds texts that stand encoded, and decodes them. What gives no readable text is left out: keys, images, ids. */
export function encodedTexts(text: string): readonly EncodedText[] {
  if (text.length < 16) return [];
  const found: EncodedText[] = [];
  for (const [encoding, pattern, decode] of patterns)
    for (const { 0: run, index } of text.matchAll(pattern)) {
      const bytes = decode(run);
      const decoded = bytes === undefined || bytes.length < 8 ? undefined : strictUtf8(bytes);
      if (decoded === undefined || !isReadable(decoded)) continue;
      found.push({ encoding, text: decoded, start: index, end: index + run.length });
      if (found.length >= maxTexts) return found;
    }
  return found;
}

/** True for a text of letters, spaces and signs, without controls. */
function isReadable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text with these is no text.
  return !/[\0-\x08\x0e-\x1f\x7f\ufffd]/.test(text) && /\p{L}{2}/u.test(text);
}

function decodeBase32(run: string): Uint8Array {
  const bytes: number[] = [];
  let [buffer, bits] = [0, 0];
  for (const character of run.replaceAll('=', '')) {
    buffer = ((buffer << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

function decodePercent(run: string): Uint8Array {
  return Buffer.from(run.replace(/(?:%[\da-f]{2})+/gi, (part) => Buffer.from(part.replaceAll('%', ''), 'hex').toString()));
}

function codes(run: string, pattern: RegExp, radix: number): Uint8Array | undefined {
  const numbers = [...run.matchAll(pattern)].map(([number]) => Number.parseInt(number, radix));
  return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
}
