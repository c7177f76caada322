import { normalizeText } from '../../../kernel/index.ts';
import { segmentsOf } from './segments.ts';

/** The words of an identifier or a title, where letters change from small to capital and where anything but letters, marks and digits is. */
export function identifierWords(text: string): string[] {
  return (
    // A letter and its accent would otherwise be two things.
    normalizeText(text)
      .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
      .replace(/([\p{Ll}\p{N}]\p{M}*)(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu}\p{M}*)(\p{Lu}\p{M}*\p{Ll})/gu, '$1 $2')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== '')
  );
}

/** Keeps two numbers in a row from becoming one. */
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
 * The first letter of a line, and that behind the end of a sentence; UAX #29 would take a small letter there for no start. A full stop
 * behind a single letter belongs to an abbreviation, such as e.g.
 */
const sentenceStart = /(?:^\s*|(?:[!?…]|(?<!(?<!\p{L})\p{L})\.)["'’”»)\]]*\s+)[^\p{L}\p{N}\s]*\p{L}/gu;

/** Several words without a space between them, as in someName, some_name and some-name. */
function isIdentifier(line: string): boolean {
  return /^[\p{L}\p{M}\p{N}_-]+$/u.test(line) && identifierWords(line).length > 1;
}

/** The first letter large and the others small. */
function capitalized(word: string): string {
  // Of the small form, because what stands at the end of a word may look different there (Greek sigma).
  const [first = '', ...rest] = word.toLowerCase();
  const [large = '', ...more] = first.toUpperCase();
  return large + more.join('').toLowerCase() + rest.join('');
}
