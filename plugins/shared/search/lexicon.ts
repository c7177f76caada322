import { pairOfStems, readWord, type Stem, type Word } from './terms.ts';
import { wordsOf } from './words.ts';

const isPlain = /^[\0-\x7f]*$/;

/** Words of plain ASCII text: no word crosses the text between two matches. */
const plainParts = /[A-Za-z0-9']+/g;

/** Numbers the terms of an index. Each distinct word is analyzed once and then cached. */
export class Lexicon {
  readonly terms = new Map<string, number>();
  readonly #stem: Stem;
  readonly #words = new Map<string, Word<number>>();
  readonly #parts = new Map<string, readonly Word<number>[]>();
  /** Pairs by first stem, then by second stem. */
  readonly #pairs = new Map<number, Map<number, number>>();
  readonly #textOf: string[] = [];

  constructor(stem: Stem) {
    this.#stem = stem;
  }

  read(text: string): readonly Word<number>[] {
    if (!isPlain.test(text)) return wordsOf(text).map((word) => this.#wordOf(word));
    const words: Word<number>[] = [];
    for (const part of text.match(plainParts) ?? []) for (const word of this.#wordsOfPart(part)) words.push(word);
    return words;
  }

  readonly pairOf = (first: number, second: number): number => {
    let known = this.#pairs.get(first);
    if (known === undefined) {
      known = new Map();
      this.#pairs.set(first, known);
    }
    let pair = known.get(second);
    if (pair === undefined) {
      pair = this.#numberOf(pairOfStems(this.#textOf[first] as string, this.#textOf[second] as string));
      known.set(second, pair);
    }
    return pair;
  };

  #wordsOfPart(part: string): readonly Word<number>[] {
    let words = this.#parts.get(part);
    if (words === undefined) {
      words = wordsOf(part).map((word) => this.#wordOf(word));
      this.#parts.set(part, words);
    }
    return words;
  }

  #wordOf(text: string): Word<number> {
    let word = this.#words.get(text);
    if (word === undefined) {
      const { isSilent, stem, written, pieces } = readWord(text, this.#stem);
      word = {
        isSilent,
        stem: this.#numberOf(stem),
        written: this.#numberOf(written),
        pieces: pieces.map((piece) => this.#numberOf(piece)),
      };
      this.#words.set(text, word);
    }
    return word;
  }

  #numberOf(term: string): number {
    let number = this.terms.get(term);
    if (number === undefined) {
      number = this.terms.size;
      this.terms.set(term, number);
      this.#textOf.push(term);
    }
    return number;
  }
}
