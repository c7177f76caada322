import { type Span, spansOf } from './span.ts';

/** Letters of scripts that put spaces between words: digits next to them are part of the word. */
const wordLetter = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{M}_';
const digits = [
  // 1,234,567.89
  '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?',
  // 1.234.567,89
  '\\d{1,3}(?:\\.\\d{3})+,\\d+',
  '\\d{1,3}(?:\\.\\d{3}){2,}',
  // 1 234 567,89 with no-break spaces, and 1'234'567.89
  "\\d{1,3}(?:[\\u00A0\\u2009\\u202F'’]\\d{3})+(?:[.,]\\d+)?",
  '\\d+(?:[.,]\\d+)?(?:[eE][+-]?\\d+)?',
].join('|');
const number = new RegExp(
  `(?<![${wordLetter}\\d#@]|\\d[.,:/])(?:(?<![\\p{L}\\p{M}\\p{N})\\]])[+\\-−])?(?:${digits})(?![${wordLetter}\\d]|[.,:/]\\d)`,
  'gu',
);

/** Finds whole and decimal numbers with sign, thousands separators and exponent. Skips the digits of words, versions and times of day. */
export function numbersIn(text: string): readonly Span[] {
  return spansOf(text, number);
}
