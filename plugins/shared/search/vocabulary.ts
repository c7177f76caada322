import { mistakesBetween } from './mistakes.ts';

export interface SimilarTerm {
  readonly term: string;
  /** Over 0 and below 1, which would be the same. */
  readonly likeness: number;
}

/** Terms that a misspelled or unfinished word may mean, at most. */
const maxSimilar = 5;

/** Letters from which a word may be the beginning of another one; shorter ones are the beginning of too many. */
const minPrefix = 3;

/** The terms of an index, among which those are found that a word resembles. */
export class Vocabulary {
  readonly #terms: string[] = [];
  readonly #letters: number[] = [];

  add(term: string): void {
    this.#terms.push(term);
    this.#letters.push(lettersOf(term));
  }

  /** The most alike first: those that begin with the word, and those that one typing mistake (from eight letters on, two) makes of it. */
  similar(word: string): readonly SimilarTerm[] {
    const most = word.length > 7 ? 2 : word.length > 3 ? 1 : 0;
    const letters = lettersOf(word);
    const found: SimilarTerm[] = [];
    for (const [place, term] of this.#terms.entries()) {
      if (word.length >= minPrefix && term.startsWith(word)) {
        found.push({ term, likeness: word.length / term.length });
      } else if (Math.abs(term.length - word.length) <= most && mayBeNear(letters, this.#letters[place] as number, most)) {
        const mistakes = mistakesBetween(word, term);
        if (mistakes <= most) found.push({ term, likeness: 1 - mistakes / word.length });
      }
    }
    return found.sort((a, b) => b.likeness - a.likeness || (a.term < b.term ? -1 : 1)).slice(0, maxSimilar);
  }
}

/** Which letters a word has, as bits, several letters to one: cheap to compare before the mistakes are counted. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place++) letters |= 1 << (word.charCodeAt(place) & 31);
  return letters;
}

/** A mistake changes two letters at most: one goes, another comes. */
function mayBeNear(left: number, right: number, mistakes: number): boolean {
  let different = left ^ right;
  for (let rest = mistakes * 2; different !== 0; rest--) {
    if (rest === 0) return false;
    different &= different - 1;
  }
  return true;
}
