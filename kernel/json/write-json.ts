import { randomUUID } from 'node:crypto';
import { isPlainObject } from './json.ts';
import { isUnsafeInteger } from './read-json.ts';

/** Matches a text with enough digits for an integer beyond 2^53. */
const digitsText = /"-?\d{16}/;

type Path = readonly (string | number)[];

/** Prefix of digits that are written as a number. It is unknown outside this process. */
const mark = `${randomUUID()}#`;

const quoted = new RegExp(`"${mark}(-?\\d+)"`, 'g');

/**
 * Writes JSON in which texts of digits become integers again, so that a service receives the integer of the caller (`readJson` returns it as a text).
 * `isInteger` is called with the path of each text that is an integer beyond ±(2^53−1), and returns true for a value of type `integer`.
 */
export function writeJson(value: unknown, isInteger: (path: Path) => boolean): string | undefined {
  const plain = JSON.stringify(value);
  // Most values have no such text, and walking through them costs more than this test.
  if (plain === undefined || !digitsText.test(plain)) return plain;
  return writeMarked(markIntegers(value, isInteger));
}

/**
 * Marks the texts of digits for which `isInteger` returns true. `writeMarked` writes them as numbers, wherever they are then. `unmarked` removes the
 * mark. `path`: the path of the value itself.
 */
export function markIntegers(value: unknown, isInteger: (path: Path) => boolean, path: Path = []): unknown {
  if (typeof value === 'string') return isUnsafeInteger(value) && isInteger(path) ? `${mark}${value}` : value;
  if (Array.isArray(value)) return value.map((item, index) => markIntegers(item, isInteger, [...path, index]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, markIntegers(member, isInteger, [...path, key])]));
}

/** Returns the value as JSON, with marked digits as numbers, or without their mark inside longer texts. */
export function writeMarked(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text?.includes(mark) === true ? unmarked(text.replace(quoted, '$1')) : text;
}

/** Returns the text without marks. */
export function unmarked(text: string): string {
  return text.includes(mark) ? text.replaceAll(mark, '') : text;
}
