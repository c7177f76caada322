import { wordsOf } from '../words/word-class.ts';

/** A spelling in which a whole text is written in another way, and that a model undoes. */
export interface Spelling {
  readonly name: string;
  undo(text: string): string;
}

const rot13: Spelling = {
  name: 'with its letters shifted by 13',
  undo: (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter < 'a' ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
};

const reversed: Spelling = { name: 'backwards', undo: (text) => [...text].reverse().join('') };

/** Words of this length or longer show that a text is written so. */
const minLength = 4;

/** Words that a text must have in a spelling before it is read in it. */
const minWords = 2;

const long = [...wordsOf.values()].flatMap((words) => words.flatMap((word) => word.split(' '))).filter((word) => word.length >= minLength);
const known = new Set(long);

/** Spellings, with the words of rules written in them. */
const spellings = [rot13, reversed].map((spelling) => ({
  spelling,
  words: new Set(long.map((word) => spelling.undo(word)).filter((word) => !known.has(word))),
}));

/** Returns the spellings in which a text may be written, by its words in lower case. */
export function hiddenSpellings(words: Iterable<string>): readonly Spelling[] {
  const counts = spellings.map(() => 0);
  for (const word of words) {
    if (word.length < minLength) continue;
    for (const [index, { words: written }] of spellings.entries()) if (written.has(word)) counts[index] = (counts[index] ?? 0) + 1;
  }
  return spellings.filter((_, index) => (counts[index] ?? 0) >= minWords).map(({ spelling }) => spelling);
}
