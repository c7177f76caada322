import { isStopWord, wordsOf } from './words.ts';

/** Reduces a word to its stem, so that `orders` finds `order`. */
export type Stem = (word: string) => string;

/** A word with its search terms. `T`: terms, or their numbers in an index. */
export interface Word<T = string> {
  /** True for a stop word. */
  readonly isSilent: boolean;
  readonly stem: T;
  /** Exact spelling. */
  readonly written: T;
  /** Four-letter pieces of the stem: through them "delivered" matches "delivery". */
  readonly pieces: readonly T[];
}

/** Kind of a term, which decides its weight. */
export type TermKind = 'word' | 'number' | 'written' | 'pair' | 'piece';

/** Maximum letters of a word; the rest is cut. Stemming takes more than linear time. */
const maxLetters = 40;

export function readWords(text: string, stem: Stem): readonly Word[] {
  return wordsOf(text).map((word) => readWord(word, stem));
}

/** Analyzes a word. `word`: one of `wordsOf`. */
export function readWord(word: string, stem: Stem): Word {
  const text = word.slice(0, maxLetters);
  const stemmed = stem(text);
  return { isSilent: isStopWord(text), stem: stemmed, written: `=${text}`, pieces: piecesOf(stemmed) };
}

/** Returns the terms of a name: all its words, stop words too. In `get_order`, `get` differs from `delete_order`. */
export function namedTerms<T>(words: readonly Word<T>[]): readonly T[] {
  return [...words.map(({ stem }) => stem), ...exactTerms(words)];
}

/** Returns the terms of a description: stems without stop words. */
export function descriptionTerms<T>(words: readonly Word<T>[]): readonly T[] {
  return withoutStopWords(words).map(({ stem }) => stem);
}

/**
 * Returns the terms of a query or intent: the stem of each word; its exact spelling; each pair of neighbours with a stop word ("how
 * many"), built by `pairOf` from their stems; and the pieces of other words. `kindOfTerm` tells them apart.
 */
export function queryTerms<T>(words: readonly Word<T>[], pairOf: (first: T, second: T) => T): readonly T[] {
  const terms = words.map(({ stem }) => stem);
  for (const { written } of words) terms.push(written);
  for (const [place, word] of words.entries()) {
    const next = words[place + 1];
    if (next !== undefined && (word.isSilent || next.isSilent)) terms.push(pairOf(word.stem, next.stem));
  }
  for (const { isSilent: isSmall, pieces } of words) if (!isSmall) for (const piece of pieces) terms.push(piece);
  return terms;
}

/** Joins two stems into a pair term, as `queryTerms` expects. */
export function pairOfStems(first: string, second: string): string {
  return `${first} ${second}`;
}

/**
 * Returns extra terms of a description that replaces missing intents: exact spellings and pieces, without stop words. `descriptionTerms`
 * has the stems.
 */
export function exactDescriptionTerms<T>(words: readonly Word<T>[]): readonly T[] {
  return exactTerms(withoutStopWords(words));
}

export function kindOfTerm(term: string): TermKind {
  if (term.startsWith('=')) return 'written';
  if (term.startsWith('~')) return 'piece';
  if (term.includes(' ')) return 'pair';
  return /^\p{N}/u.test(term) ? 'number' : 'word';
}

function withoutStopWords<T>(words: readonly Word<T>[]): readonly Word<T>[] {
  return words.filter((word) => !word.isSilent);
}

function exactTerms<T>(words: readonly Word<T>[]): readonly T[] {
  const terms = words.map(({ written }) => written);
  for (const { pieces } of words) for (const piece of pieces) terms.push(piece);
  return terms;
}

/** Splits a term into pieces of four letters. Its beginning and end count as letters. */
function piecesOf(term: string): readonly string[] {
  const whole = `^${term}$`;
  return Array.from({ length: Math.max(0, whole.length - 3) }, (_, start) => `~${whole.slice(start, start + 4)}`);
}
