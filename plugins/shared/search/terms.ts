import { isSilent, wordsOf } from './words.ts';

/** Reduces a word to its stem, so that `orders` finds `order`. */
export type Stem = (word: string) => string;

/** A word with what it is found by. `T`: terms, or their numbers in an index. */
export interface Word<T = string> {
  /** It says nothing by itself. */
  readonly isSilent: boolean;
  readonly stem: T;
  /** As it is written. */
  readonly written: T;
  /** Of its stem, four letters at a time: by them "delivered" resembles "delivery". */
  readonly pieces: readonly T[];
}

/** What a term is, which decides what it counts. */
export type TermKind = 'word' | 'number' | 'written' | 'pair' | 'piece';

/** Beyond this a word is cut: nobody asks for it, and stemming takes longer than linear time. */
const maxLetters = 40;

export function readWords(text: string, stem: Stem): readonly Word[] {
  return wordsOf(text).map((word) => readWord(word, stem));
}

/** `word`: one of `wordsOf`. */
export function readWord(word: string, stem: Stem): Word {
  const text = word.slice(0, maxLetters);
  const stemmed = stem(text);
  return { isSilent: isSilent(text), stem: stemmed, written: `=${text}`, pieces: piecesOf(stemmed) };
}

/** What a name is found by: all of its words, small ones too. In `get_order`, `get` tells it from `delete_order`. */
export function namedTerms<T>(words: readonly Word<T>[]): readonly T[] {
  return [...words.map(({ stem }) => stem), ...exactTerms(words)];
}

/** What a description is found by: the stems of its words, without those that say nothing. */
export function describedTerms<T>(words: readonly Word<T>[]): readonly T[] {
  return telling(words).map(({ stem }) => stem);
}

/**
 * What somebody asks: the stem of each word; the word as written; each pair of neighbours of which one is a silent word ("how many"), which
 * `pairOf` makes of their stems; and the pieces of each telling word. `kindOfTerm` tells them apart.
 */
export function askedTerms<T>(words: readonly Word<T>[], pairOf: (first: T, second: T) => T): readonly T[] {
  const terms = words.map(({ stem }) => stem);
  for (const { written } of words) terms.push(written);
  for (const [place, word] of words.entries()) {
    const next = words[place + 1];
    if (next !== undefined && (word.isSilent || next.isSilent)) terms.push(pairOf(word.stem, next.stem));
  }
  for (const { isSilent: isSmall, pieces } of words) if (!isSmall) for (const piece of pieces) terms.push(piece);
  return terms;
}

/** As `askedTerms` has it. */
export function pairOfStems(first: string, second: string): string {
  return `${first} ${second}`;
}

/** Of a description that stands for what nobody has asked yet: its telling words as written, and their pieces. Its stems are `describedTerms`. */
export function terseTerms<T>(words: readonly Word<T>[]): readonly T[] {
  return exactTerms(telling(words));
}

export function kindOfTerm(term: string): TermKind {
  if (term.startsWith('=')) return 'written';
  if (term.startsWith('~')) return 'piece';
  if (term.includes(' ')) return 'pair';
  return /^\p{N}/u.test(term) ? 'number' : 'word';
}

function telling<T>(words: readonly Word<T>[]): readonly Word<T>[] {
  return words.filter((word) => !word.isSilent);
}

function exactTerms<T>(words: readonly Word<T>[]): readonly T[] {
  const terms = words.map(({ written }) => written);
  for (const { pieces } of words) for (const piece of pieces) terms.push(piece);
  return terms;
}

/** Its beginning and end count as letters. */
function piecesOf(term: string): readonly string[] {
  const whole = `^${term}$`;
  return Array.from({ length: Math.max(0, whole.length - 3) }, (_, start) => `~${whole.slice(start, start + 4)}`);
}
