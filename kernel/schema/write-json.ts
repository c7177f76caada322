import { randomUUID } from 'node:crypto';
import { isPlainObject } from './json.ts';
import { isUnsafeInteger } from './read-json.ts';

/**
 * Writes a value as JSON in which texts of digits at places of type `integer` stand as numbers again, so that a service receives the integer that
 * the caller sent (`readJson` reads it as a text). `isInteger` says of a text's place in the value, a list of keys, that it takes an integer; it
 * is asked only for texts that are integers beyond ±(2^53−1).
 */
export function writeJson(value: unknown, isInteger: (path: readonly (string | number)[]) => boolean): string | undefined {
  const marker = randomUUID();
  let marked = 0;
  const walk = (member: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof member === 'string') {
      if (!isUnsafeInteger(member) || !isInteger(path)) return member;
      marked++;
      return `${marker}${member}`;
    }
    if (Array.isArray(member)) return member.map((item, index) => walk(item, [...path, index]));
    if (!isPlainObject(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([key, inner]) => [key, walk(inner, [...path, key])]));
  };
  const text = JSON.stringify(walk(value, []));
  return marked === 0 ? text : text.replace(new RegExp(`"${marker}(-?\\d+)"`, 'g'), '$1');
}
