/** A limit where none is given: what a count can be. */
export const mostCounted = Number.MAX_SAFE_INTEGER;

/** Behind all keys that begin with the prefix: nothing is written with the last character of Unicode, which stands for none. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}${'\u{10ffff}'.repeat(4)}`;
}
