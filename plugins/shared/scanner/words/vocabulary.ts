import { foldLetters } from '../plain/plain-text.ts';
import { type WordClass, wordsOf } from './word-class.ts';

/** A phrase of several words, by its words after the first. */
interface Phrase {
  readonly rest: readonly string[];
  readonly classes: readonly WordClass[];
}

interface Entry {
  readonly classes: WordClass[];
  readonly phrases: Phrase[];
}

/** Words that rules do not look for, and that stand between those they do: without them words that are run together cannot be split. */
const fillers =
  'a an and or of to in on is are be by for with from at as that which then please next reply user assistant model do not'.split(' ');

const entries = new Map<string, Entry>();
const longest = { length: 0 };
/** All beginnings of words: a search for words in a run of letters ends where none goes on. */
const beginnings = new Set<string>();

for (const [name, texts] of wordsOf) {
  for (const text of new Set(texts)) {
    const [first = '', ...rest] = foldLetters(text).toLowerCase().split(' ');
    const entry = entries.get(first) ?? { classes: [], phrases: [] };
    entries.set(first, entry);
    if (rest.length === 0) entry.classes.push(name);
    else entry.phrases.push({ rest, classes: [name] });
    for (const word of [first, ...rest]) addBeginnings(word);
  }
}
const inner = new Set([...wordsOf.values()].flatMap((texts) => texts.flatMap((text) => foldLetters(text).toLowerCase().split(' '))));
for (const word of fillers) {
  inner.add(word);
  addBeginnings(word);
}

function addBeginnings(word: string): void {
  for (let length = 1; length <= word.length; length += 1) beginnings.add(word.slice(0, length));
  longest.length = Math.max(longest.length, word.length);
}

/** True for a word that stands in the vocabulary, alone or in a phrase. */
export function hasWord(word: string): boolean {
  return inner.has(word);
}

/** Returns the classes of a word. */
export function classesOf(word: string): readonly WordClass[] {
  return entries.get(word)?.classes ?? [];
}

/** Returns the phrases that begin with a word. */
export function phrasesOf(word: string): readonly Phrase[] {
  return entries.get(word)?.phrases ?? [];
}

/** Returns the longest word of the vocabulary that stands at an index. */
export function longestWordAt(text: string, index: number): string | undefined {
  let found: string | undefined;
  for (let length = 1; length <= longest.length && index + length <= text.length; length += 1) {
    const part = text.slice(index, index + length);
    if (!beginnings.has(part)) break;
    if (inner.has(part)) found = part;
  }
  return found;
}

/** Letters of a run from which on it may be several words. */
const minRun = 12;

/** Splits letters without spaces into words of the vocabulary, the longest possible first; undefined when they are not such words throughout. */
export function splitIntoWords(letters: string): readonly string[] | undefined {
  if (letters.length < minRun) return undefined;
  /** Length of the last word of a split that ends at each index. */
  const lastWord = new Uint8Array(letters.length + 1);
  for (let at = 0; at < letters.length; at += 1) {
    if (at > 0 && lastWord[at] === 0) continue;
    for (let length = 1; length <= longest.length && at + length <= letters.length; length += 1) {
      const part = letters.slice(at, at + length);
      if (!beginnings.has(part)) break;
      if (inner.has(part) && (lastWord[at + length] ?? 0) < length) lastWord[at + length] = length;
    }
  }
  if (lastWord[letters.length] === 0) return undefined;
  const found: string[] = [];
  for (let end = letters.length; end > 0; end -= lastWord[end] || end) found.push(letters.slice(end - (lastWord[end] || end), end));
  return found.reverse();
}

const digitLetters: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's' };

/** Returns the word of the vocabulary that digits and signs in place of letters spell: `1gn0re`. Undefined for other texts. */
export function foldDigits(word: string): string | undefined {
  if (word.length < 2 || word.length > 24 || !/^[a-z\d@$]+$/.test(word) || !/[a-z]/.test(word) || !/[\d@$]/.test(word)) return undefined;
  const folded = word.replace(/[\d@$]/g, (character) => digitLetters[character] ?? character);
  if (inner.has(folded)) return folded;
  const withL = word.replace(/1/g, 'l').replace(/[\d@$]/g, (character) => digitLetters[character] ?? character);
  return inner.has(withL) ? withL : undefined;
}
