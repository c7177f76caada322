import { editDistance } from './edit-distance.ts';

export interface SimilarTerm {
  readonly term: string;
  /** Similarity between 0 and 1, both excluded. */
  readonly likeness: number;
}

/** Maximum terms that a misspelled or unfinished word may mean. */
const maxSimilar = 5;

/** Minimum letters of a prefix; shorter words begin too many others. */
const minPrefix = 3;

/** The terms of an index, searchable by similarity. */
export class Vocabulary {
  readonly #terms: string[] = [];
  readonly #letters: number[] = [];

  add(term: string): void {
    this.#terms.push(term);
    this.#letters.push(lettersOf(term));
  }

  /**
   * Finds similar terms, most similar first: those that begin with the word, and those within one typing mistake (two from eight letters
   * on).
   */
  similar(word: string): readonly SimilarTerm[] {
    const maxMistakes = word.length > 7 ? 2 : word.length > 3 ? 1 : 0;
    const letters = lettersOf(word);
    const found: SimilarTerm[] = [];
    for (const [place, term] of this.#terms.entries()) {
      if (word.length >= minPrefix && term.startsWith(word)) {
        found.push({ term, likeness: word.length / term.length });
      } else if (Math.abs(term.length - word.length) <= maxMistakes && mayBeNear(letters, this.#letters[place] as number, maxMistakes)) {
        const mistakes = editDistance(word, term);
        if (mistakes <= maxMistakes) found.push({ term, likeness: 1 - mistakes / word.length });
      }
    }
    return found.sort((a, b) => b.likeness - a.likeness || (a.term < b.term ? -1 : 1)).slice(0, maxSimilar);
  }
}

/** Returns the letters of a word as bits, several letters to one bit: a cheap test before counting mistakes. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place++) letters |= 1 << (word.charCodeAt(place) & 31);
  return letters;
}

/** True when the words may be that similar. A mistake changes at most two letters: one goes, another comes. */
function mayBeNear(left: number, right: number, mistakes: number): boolean {
  let different = left ^ right;
  for (let rest = mistakes * 2; different !== 0; rest--) {
    if (rest === 0) return false;
    different &= different - 1;
  }
  return true;
}
