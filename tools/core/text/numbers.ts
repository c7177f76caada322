import { type Span, spansOf } from './span.ts';

/** Letters of scripts that write no words without a space between them: digits beside them are a part of the word. */
const wordLetter = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{M}_';
const digits = [
  // 1,234,567.89
  '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?',
  // 1.234.567,89
  '\\d{1,3}(?:\\.\\d{3})+,\\d+',
  '\\d{1,3}(?:\\.\\d{3}){2,}',
  // 1 234 567,89 with spaces that do not break, and 1'234'567.89
  "\\d{1,3}(?:[\\u00A0\\u2009\\u202F'’]\\d{3})+(?:[.,]\\d+)?",
  '\\d+(?:[.,]\\d+)?(?:[eE][+-]?\\d+)?',
].join('|');
const number = new RegExp(
  `(?<![${wordLetter}\\d#@]|\\d[.,:/])(?:(?<![\\p{L}\\p{M}\\p{N})\\]])[+\\-−])?(?:${digits})(?![${wordLetter}\\d]|[.,:/]\\d)`,
  'gu',
);

/** Whole and decimal numbers with sign, thousands separators and exponent. Not the digits of a word, a version or a time of day. */
export function numbersIn(text: string): readonly Span[] {
  return spansOf(text, number);
}
