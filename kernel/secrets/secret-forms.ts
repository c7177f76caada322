import { foldText } from './fold-text.ts';
import type { Needle } from './many-strings.ts';

/** How a secret may be written, among letters and digits alone. */
export interface SqueezedForm extends Needle {
  /** Symbols of base64 that stand before and behind it, each in the order in which they are met from there. */
  readonly lead: string;
  readonly trail: string;
}

/** Shorter ones, with anything between their characters, are too common to mean anything. */
const shortestSqueezed = 8;

/** A value itself is looked for with something between its characters from so many letters and digits on. */
const shortestSplit = 16;

/**
 * The texts that are looked for as they are, in a text and in what its escapes stand for: the value, and what folding makes of it, so that it does not
 * matter which of its own characters look like an escape.
 */
export function plainForms(value: string): readonly Needle[] {
  const isAnyCase = isDistinct(value);
  const once = foldText(value)?.text ?? value;
  const twice = foldText(once)?.text ?? once;
  // A form writes a blank as a plus.
  const written = [value, once, twice, value.replaceAll(' ', '+')];
  const bytes = Buffer.from(value, 'utf8');
  const base64 = bytes.toString('base64');
  const short = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), base32(bytes, 0).replace(/=+$/, '')];
  return [
    ...[...new Set(written)].map((text) => ({ text, isAnyCase })),
    ...short.filter((text) => letters(text).length < shortestSqueezed).map((text) => ({ text })),
  ];
}

/** The texts that are looked for among letters and digits alone: hexadecimal, base64 and base32, also as a part of something longer. */
export function squeezedForms(value: string): readonly SqueezedForm[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const anyCase = [letters(value).length >= shortestSplit ? value : '', hex, hex.replace(/../g, '0x$&'), ...base32Forms(bytes)];
  return [...anyCase.map((text) => squeezed(text, true)), ...base64Forms(bytes).map((text) => squeezed(text, false))].filter(
    ({ text }) => text.length >= shortestSqueezed,
  );
}

/**
 * True for a value that is unlike ordinary words, so that it is masked in the other case as well: from eight characters on. Letters alone need
 * sixteen, because "postgres" stands in "PostgreSQL".
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

/** At each place that the bytes may have in a group of five: without the characters that they share with their neighbours. */
function base32Forms(bytes: Buffer): readonly string[] {
  const inside = (offset: number): string =>
    base32(bytes, offset).slice(Math.ceil((offset * 8) / 5), Math.floor(((offset + bytes.length) * 8) / 5));
  return [base32(bytes, 0), inside(0), inside(1), inside(2), inside(3), inside(4)];
}

/** RFC 4648, 6. With so many zeros before. */
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
