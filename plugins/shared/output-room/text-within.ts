/**
 * Returns the longest beginning of a text that takes at most `room` characters (UTF-16 units) as JSON, without quotes. A line end takes
 * two characters, a control character six. Never splits a surrogate pair.
 */
export function textWithin(text: string, room: number): string {
  const maxUnits = Math.min(text.length, Math.max(0, room));
  // Most texts have little to escape.
  if (escapedLength(beginning(text, maxUnits)) <= room) return beginning(text, maxUnits);
  let low = 0;
  for (let high = maxUnits - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (escapedLength(beginning(text, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return beginning(text, low);
}

/** Returns the first `units` UTF-16 units of a text, one less when that would split a surrogate pair. */
export function beginning(text: string, units: number): string {
  return text.slice(0, isPair(text, units) ? units - 1 : units);
}

/** Returns the size of a text as JSON, in UTF-16 units, without quotes. */
export function escapedLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

/** True when the index lies inside a surrogate pair. */
export function isPair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
}
