import { commandWords } from './commands-to-models.ts';
import { orderWords } from './order-words.ts';
import { secretWords } from './secret-words.ts';
import { toolWords } from './tool-words.ts';

const wordLists = { ...commandWords, ...secretWords, ...toolWords, ...orderWords };

/**
 * Class of a word or phrase. Those with `$` are found by their form: `$path` leads to secrets, `$variable` is an environment variable of a secret,
 * `$outside` is an address in a network, `$name` is
 * an identifier of several words, `$foreign` is the name of a tool of another source.
 */
export type WordClass = keyof typeof wordLists | '$path' | '$variable' | '$outside' | '$name' | '$foreign';

/** The words and phrases of each class. */
export const wordsOf: ReadonlyMap<WordClass, readonly string[]> = new Map(
  Object.entries(wordLists).map(([name, words]) => [name as WordClass, words]),
);
