/** A part of a text, in UTF-16 code units. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds every match of a pattern that passes the check, in the order of the text. */
export function spansOf(text: string, pattern: RegExp, isValid: (match: RegExpExecArray) => boolean = () => true): Span[] {
  return Array.from(text.matchAll(pattern))
    .filter(isValid)
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}
