/** Limit of a count when none is given. */
export const maxCount = Number.MAX_SAFE_INTEGER;

/** Returns a text above all keys with this prefix. It ends with the last Unicode code point, a noncharacter that no key contains. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}${'\u{10ffff}'.repeat(4)}`;
}
