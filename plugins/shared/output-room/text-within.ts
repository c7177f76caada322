/**
 * Returns the longest beginning of a text that takes at most `room` characters (UTF-16 units) as JSON, without its quotes: a line end takes two, a
 * control character six. It ends in no character's middle.
 */
export function textWithin(text: string, room: number): string {
  const most = Math.min(text.length, Math.max(0, room));
  // Most texts have little to escape.
  if (escapedLength(beginning(text, most)) <= room) return beginning(text, most);
  let low = 0;
  for (let high = most - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (escapedLength(beginning(text, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return beginning(text, low);
}

/** Returns at most so many UTF-16 units of a text, and no half of a character. */
export function beginning(text: string, units: number): string {
  return text.slice(0, isPair(text, units) ? units - 1 : units);
}

/** Returns how many characters (UTF-16 units) a text takes as JSON, without its quotes. */
export function escapedLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

/** True where the two halves of one character meet. */
export function isPair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
}
