import { normalizeText } from '../../../kernel/index.ts';
import { segmentsOf } from './segments.ts';

/** Splits an identifier or a title into words, where lower case turns to upper case and at every other character than letters, marks and digits. */
export function identifierWords(text: string): string[] {
  return (
    // Composes a letter and its accent into one character.
    normalizeText(text)
      .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
      .replace(/([\p{Ll}\p{N}]\p{M}*)(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu}\p{M}*)(\p{Lu}\p{M}*\p{Ll})/gu, '$1 $2')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== '')
  );
}

/** Puts `_` before a number that follows a number, so that the two do not become one. */
export function withNumbersApart(words: readonly string[]): string[] {
  return words.map((word, index) => (/^\p{N}/u.test(word) && /\p{N}$/u.test(words[index - 1] ?? '') ? `_${word}` : word));
}

export function titleCase(line: string): string {
  if (isIdentifier(line)) return identifierWords(line).map(capitalized).join(' ');
  return Array.from(segmentsOf(line, 'word'), ({ segment, isWordLike }) => (isWordLike === true ? capitalized(segment) : segment)).join('');
}

export function sentenceCase(line: string): string {
  const text = isIdentifier(line) ? identifierWords(line).join(' ') : line;
  return text.toLowerCase().replace(sentenceStart, (start) => start.replace(/\p{L}$/u, capitalized));
}

/**
 * Matches the first letter of a line or a sentence. UAX #29 sees no start at a lower-case letter. A full stop after a single letter belongs to
 * an abbreviation, such as e.g.
 */
const sentenceStart = /(?:^\s*|(?:[!?…]|(?<!(?<!\p{L})\p{L})\.)["'’”»)\]]*\s+)[^\p{L}\p{N}\s]*\p{L}/gu;

/** True for several words without a space, as in someName, some_name and some-name. */
function isIdentifier(line: string): boolean {
  return /^[\p{L}\p{M}\p{N}_-]+$/u.test(line) && identifierWords(line).length > 1;
}

/** Returns a word with the first letter in upper case and the others in lower case. */
function capitalized(word: string): string {
  // Converts the whole word first, because a letter at the end may have another form (Greek sigma).
  const [first = '', ...rest] = word.toLowerCase();
  const [large = '', ...more] = first.toUpperCase();
  return large + more.join('').toLowerCase() + rest.join('');
}
