import { foldText } from './fold-text.ts';
import type { Needle } from './many-strings.ts';

/** A spelling of a secret, reduced to letters and digits. */
export interface SqueezedForm extends Needle {
  /** Base64 symbols before and after the secret, from the nearest to the farthest. */
  readonly lead: string;
  readonly trail: string;
}

/** Minimum length of a spelling that is found with separators inside: shorter ones match by chance. */
const shortestSqueezed = 8;

/** Minimum number of letters and digits of a value that is found with separators inside. */
const shortestSplit = 16;

/**
 * Returns the spellings that are searched without change, in a text and in its decoded forms: the value, the value with its own escapes
 * decoded, and its base64 and base32 when they are short.
 */
export function plainForms(value: string): readonly Needle[] {
  const isAnyCase = isDistinct(value);
  const once = foldText(value)?.text ?? value;
  const twice = foldText(once)?.text ?? once;
  // HTML forms encode a blank as a plus.
  const written = [value, once, twice, value.replaceAll(' ', '+')];
  const bytes = Buffer.from(value, 'utf8');
  const base64 = bytes.toString('base64');
  const short = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), base32(bytes, 0).replace(/=+$/, '')];
  return [
    ...[...new Set(written)].map((text) => ({ text, isAnyCase })),
    ...short.filter((text) => letters(text).length < shortestSqueezed).map((text) => ({ text })),
  ];
}

/** Returns the spellings that are searched among letters and digits only: hexadecimal, base64 and base32, also inside a longer encoded text. */
export function squeezedForms(value: string): readonly SqueezedForm[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const anyCase = [letters(value).length >= shortestSplit ? value : '', hex, hex.replace(/../g, '0x$&'), ...base32Forms(bytes)];
  return [...anyCase.map((text) => squeezed(text, true)), ...base64Forms(bytes).map((text) => squeezed(text, false))].filter(
    ({ text }) => text.length >= shortestSqueezed,
  );
}

/**
 * True for a value that resembles no word, and is therefore masked in any case: from eight characters on. A value of letters only needs
 * sixteen, because "postgres" is part of "PostgreSQL".
 */
function isDistinct(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && !/^[a-z]*$/i.test(value));
}

function squeezed(text: string, isAnyCase: boolean): SqueezedForm {
  const [lead = ''] = /^[+/]*/.exec(text) ?? [];
  const [trail = ''] = /[+/=]*$/.exec(text) ?? [];
  return { text: letters(text), isAnyCase, lead: [...lead].reverse().join(''), trail };
}

function letters(text: string): string {
  return text.replace(/[^a-z0-9]+/gi, '');
}

function base64Forms(bytes: Buffer): readonly string[] {
  const inside = (offset: number): string =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, Math.floor((offset + bytes.length) / 3) * 4);
  return [bytes.toString('base64'), inside(0), inside(1), inside(2)];
}

/** Returns the base32 spelling for each offset in a group of five bytes, without the characters that it shares with its neighbours. */
function base32Forms(bytes: Buffer): readonly string[] {
  const inside = (offset: number): string =>
    base32(bytes, offset).slice(Math.ceil((offset * 8) / 5), Math.floor(((offset + bytes.length) * 8) / 5));
  return [base32(bytes, 0), inside(0), inside(1), inside(2), inside(3), inside(4)];
}

/** Encodes the bytes after `offset` zero bytes (RFC 4648, 6). */
function base32(bytes: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of padded) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += base32Digits[(held >> (bits - 5)) & 31];
  }
  if (bits > 0) text += base32Digits[(held << (5 - bits)) & 31];
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
}

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
