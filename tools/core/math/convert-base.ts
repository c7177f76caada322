import { excerpt, ToolkitError } from '../../../kernel/index.ts';

interface ConvertBaseParameters {
  readonly number: string;
  readonly from: number;
  readonly to: number;
}

/** Prefixes of programming languages. None of these letters is a digit of its base. */
const prefixes: Readonly<Record<number, RegExp>> = { 2: /^0b/i, 8: /^0o/i, 16: /^0x/i };

/** Digits to read at once: the most that always make a safe integer (36^10 < 2^53). */
const chunkLength = 10;

/** Converts a whole number to another base. Throws INVALID_PARAMETERS with the index of the first character that is no digit. */
export function convertBase({ number, from, to }: ConvertBaseParameters): { readonly number: string } {
  const [, lead = '', sign = '', written = ''] = /^(\s*([+-]?)\s*)(.*?)\s*$/s.exec(number) ?? [];
  const [prefix = ''] = prefixes[from]?.exec(written) ?? [];
  const digits = written.slice(prefix.length);
  checkDigits(digits, lead.length + prefix.length, number, from);
  const value = integerFrom(digits.replace(/[_ ]/g, ''), from);
  return { number: (sign === '-' ? -value : value).toString(to) };
}

function integerFrom(digits: string, base: number): bigint {
  let value = 0n;
  for (let start = 0; start < digits.length; start += chunkLength) {
    const chunk = digits.slice(start, start + chunkLength);
    value = value * BigInt(base) ** BigInt(chunk.length) + BigInt(Number.parseInt(chunk, base));
  }
  return value;
}

function checkDigits(digits: string, offset: number, number: string, base: number): void {
  if (digits === '') throw badNumber(`expected digits of base ${base}, received "${excerpt(number, 60)}"`);
  const place = Array.from(digits.matchAll(/./gsu)).find(
    ({ 0: character, index }) => !isDigit(character, base) && !isBetween(digits, index),
  );
  if (place === undefined) return;
  const [character] = place;
  const what = `expected digits of base ${base} (${digitsOf(base)}), received "${character}" at character ${offset + place.index + 1}`;
  throw badNumber(`${what}${hintFor(character, base)}`, offset + place.index + 1);
}

function isDigit(character: string, base: number): boolean {
  return /^[0-9a-z]$/i.test(character) && Number.parseInt(character, 36) < base;
}

/** True when a separator stands between two other characters. */
function isBetween(digits: string, index: number): boolean {
  return /^[^_ ][_ ][^_ ]$/.test(digits.slice(Math.max(0, index - 1), index + 2));
}

function digitsOf(base: number): string {
  if (base <= 10) return `0 to ${base - 1}`;
  return base === 11 ? '0 to 9 and a' : `0 to 9 and a to ${(base - 1).toString(36)}`;
}

function hintFor(character: string, base: number): string {
  if (character === '.' || character === ',') return '. Only whole numbers can be converted; for groups of digits write _ or a space';
  if (character === '_' || character === ' ') return '. A separator stands alone, between two digits';
  return /^[0-9a-z]$/i.test(character) && base < 36 ? '. Correct it, or set "from" to the base in which it is written' : '';
}

function badNumber(message: string, position?: number): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "number": ${message}.`, {
    issues: [{ path: 'number', message }],
    ...(position === undefined ? {} : { position }),
  });
}
