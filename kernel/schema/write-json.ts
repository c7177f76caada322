import { randomUUID } from 'node:crypto';
import { isPlainObject } from './json.ts';
import { isUnsafeInteger } from './read-json.ts';

/** A text of so many digits that it may be an integer beyond 2^53. */
const digitsText = /"-?\d{16}/;

type Path = readonly (string | number)[];

/** Stands before the digits of an integer that is to be written as a number. Nobody outside of this process knows it. */
const mark = `${randomUUID()}#`;

const quoted = new RegExp(`"${mark}(-?\\d+)"`, 'g');

/**
 * Writes a value as JSON in which texts of digits at places of type `integer` stand as numbers again, so that a service receives the integer that
 * the caller sent (`readJson` reads it as a text). `isInteger` says of a text's place in the value, a list of keys, that it takes an integer; it
 * is asked only for texts that are integers beyond ±(2^53−1).
 */
export function writeJson(value: unknown, isInteger: (path: Path) => boolean): string | undefined {
  const plain = JSON.stringify(value);
  // Nearly all values have no such text; a walk through them costs more than looking.
  if (plain === undefined || !digitsText.test(plain)) return plain;
  return writeMarked(markIntegers(value, isInteger));
}

/**
 * Marks the texts of digits that `isInteger` says to be integers, so that `writeMarked` writes numbers of them, wherever they have been put
 * meanwhile. `unmarked` takes the mark off. `path`: where the value itself is.
 */
export function markIntegers(value: unknown, isInteger: (path: Path) => boolean, path: Path = []): unknown {
  if (typeof value === 'string') return isUnsafeInteger(value) && isInteger(path) ? `${mark}${value}` : value;
  if (Array.isArray(value)) return value.map((item, index) => markIntegers(item, isInteger, [...path, index]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, markIntegers(member, isInteger, [...path, key])]));
}

/** A value as JSON, with numbers for what is marked; inside of longer texts the digits alone. */
export function writeMarked(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text?.includes(mark) === true ? unmarked(text.replace(quoted, '$1')) : text;
}

/** A text without marks. */
export function unmarked(text: string): string {
  return text.includes(mark) ? text.replaceAll(mark, '') : text;
}
